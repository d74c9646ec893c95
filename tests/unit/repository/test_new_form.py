"""`make new KIND=form` writes a complete form."""

from pathlib import Path

import pytest

from site_app.cli.develop.new_form import new_form
from tests.support.project_copy import Run

TITLE = "A form of the test"
FORMS = {"a-form-of-the-test": "/studio/notes/2026", "w" * 30: "/faq", "types": "/studio/open"}
REFUSED = [
    ("Capital", TITLE, "/faq"),
    ("message", TITLE, "/faq"),
    # Names in the code that it changes.
    *((name, TITLE, "/faq") for name in ("form", "forms", "pages", "lead-kinds", "topics", "deliver")),
    ("x", 'a"b', "/faq"),
    ("x", TITLE, "/contact-us"),
    ("x", TITLE, "/legals/privacy-policy"),
]
SUBMIT_FORMS = f"""
from site_app.provider.api.calls import CALLS
from site_app.forms.form import FORMS, view_of
from site_app.contracts.kinds import BY_NAME
from site_app.provider.leads.queries import EVERY_KIND
from site_app.pages.table import PAGES
from site_app.serving.plain_leads import posted_kinds

for name, page in {FORMS}.items():
    kind = BY_NAME[name]
    assert {{field.name for field in view_of(kind).fields}} <= {{*kind.fields}}
    assert kind.call in {{call.name for call in CALLS}}
    assert FORMS[name].state.kind is kind and FORMS[name].state.__module__ == "site_app.forms.form"
    assert kind.name in EVERY_KIND
    assert posted_kinds()[page] is kind
    assert str(PAGES[page]()).count(f'"{{view_of(kind).title}}"') == 1  # not below itself
"""


def test_new_forms_are_accepted_with_and_without_javascript_and_are_formatted(run: Run) -> None:
    write = f"from site_app.cli.develop.new_form import new_form\nfor name, page in {FORMS}.items(): new_form(name, {TITLE!r}, page)"
    processes = [run("-c", write), run("-c", SUBMIT_FORMS)]
    processes += [run("-m", "ruff", *look, "site_app") for look in (["check"], ["format", "--check"])]

    assert [process.stdout + process.stderr[-2000:] for process in processes if process.returncode] == []


@pytest.mark.parametrize(("name", "title", "page"), REFUSED)
def test_an_invalid_form_is_refused_and_nothing_is_written(
    copy: Path, monkeypatch: pytest.MonkeyPatch, name: str, title: str, page: str
) -> None:
    monkeypatch.chdir(copy)
    modules = sorted((copy / "site_app").rglob("*.py"))

    with pytest.raises(SystemExit) as refused:
        new_form(name, title, page)

    assert "\n" not in str(refused.value)
    assert sorted((copy / "site_app").rglob("*.py")) == modules
