"""`make new-form` writes a form that is whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.conftest import Run

TITLE = "A form of the test"
_TAKEN = """
from site_app.api.calls import CALLS
from site_app.forms.state import STATES
from site_app.forms.view import view_of
from site_app.leads.kinds import BY_NAME
from site_app.leads.lead_queries import EVERY_KIND
from site_app.pages import PAGES
from site_app.serving.plain_forms import posted_kinds

kind = BY_NAME["{name}"]
assert {{field.name for field in view_of(kind).fields}} <= {{*kind.fields}}
assert kind.call in {{call.name for call in CALLS}}
assert kind.name in STATES and kind.name in EVERY_KIND
assert posted_kinds()["{page}"] is kind
PAGES["{page}"]()
"""


@pytest.mark.parametrize(
    ("name", "page"),
    [("a-form-of-the-test", "/company/a-page-of-the-test"), ("w" * 30, "/faq")],
)
def test_a_new_form_is_taken_every_way_and_written_in_style(copy: Path, run: Run, name: str, page: str) -> None:
    written = run("-m", "site_app", "new-form", name, TITLE, page)
    taken = run("-c", _TAKEN.format(name=name, page=page))

    assert written.returncode == 0, written.stderr
    assert taken.returncode == 0, taken.stderr[-2000:]
    for look in (["check"], ["format", "--check"]):
        found = subprocess.run([sys.executable, "-m", "ruff", *look, "site_app"], cwd=copy, capture_output=True, text=True)
        assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(
    ("name", "title", "page"),
    [
        ("Capital", TITLE, "/faq"),
        ("message", TITLE, "/faq"),
        ("x", 'a"b', "/faq"),
        ("x", TITLE, "/contact-us"),
        ("x", TITLE, "/legals/privacy-policy"),
    ],
)
def test_what_would_not_work_is_refused_and_nothing_is_written(copy: Path, run: Run, name: str, title: str, page: str) -> None:
    before = sorted(file for file in (copy / "site_app").rglob("*.py"))

    refused = run("-m", "site_app", "new-form", name, title, page)

    assert refused.returncode != 0
    assert refused.stderr.count("\n") == 1
    assert sorted(file for file in (copy / "site_app").rglob("*.py")) == before
