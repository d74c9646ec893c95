"""The build stops if Reflex's generated text has changed."""

import re
from functools import partial
from pathlib import Path

import pytest
import reflex_base

from site_app.layout.static_site import static_site
from site_app.plugins.static_first.patch import (
    TemplateHasChanged,
    cut,
    edit_development_config,
    edit_document,
    edit_react_theme,
    edit_state_js,
    edit_tailwind_css,
    edit_vite_config,
    replace,
)
from site_app.plugins.static_first.site import StaticSite
from tests.unit.serving.small_site import api_addresses


def test_every_part_is_replaced_or_cut_and_a_missing_one_reported() -> None:
    assert replace("a b a", ("a", "x"), ("b", "y")) == "x y x"
    assert cut("a<b>c<d>", "<", ">") == "ac<d>"
    with pytest.raises(TemplateHasChanged, match="'gone' is gone"):
        replace("a", ("gone", ""))


@pytest.mark.parametrize(("begins", "ends"), [("[", ">"), ("<", "]")])
def test_a_missing_start_or_end_of_a_part_is_reported(begins: str, ends: str) -> None:
    with pytest.raises(TemplateHasChanged, match="is gone"):
        cut("a<b>", begins, ends)


def test_in_development_responses_of_the_api_are_passed_on() -> None:
    api_pattern = re.compile("|".join(static_site().proxied_paths))

    assert [path for path in (*api_addresses(), "/th/book?x=1") if not api_pattern.match(path)] == []
    assert not any(api_pattern.match(path) for path in ("/", "/booking", "/faq", "/th", "/v110/x", "/insights/script.js"))


def test_development_has_its_plugin_for_vite() -> None:
    config = "export default defineConfig(    reactRouter(),\nalias: [\n"

    text = edit_development_config(config, StaticSite(proxied_paths=("^/api",)), backend="http://127.0.0.1:8001")

    assert 'development("http://127.0.0.1:8001", {"proxiedPaths": ["^/api"]' in text


@pytest.mark.parametrize(
    "edit",
    [
        edit_document,
        partial(edit_vite_config, core=()),
        partial(edit_development_config, site=StaticSite(), backend=""),
        edit_react_theme,
        edit_state_js,
        partial(edit_tailwind_css, sources=Path("components")),
    ],
)
def test_a_changed_template_of_reflex_stops_the_build(edit) -> None:
    with pytest.raises(TemplateHasChanged):
        edit("export default {}")


def test_an_edit_of_a_file_that_was_edited_before_changes_nothing() -> None:
    edited = edit_react_theme("if (!isInitialized && existingTheme !== null) return;")

    assert edited != "if (!isInitialized && existingTheme !== null) return;"
    assert edit_react_theme(edited) == edited


def test_the_tokens_of_the_site_replace_those_of_tailwind_with_the_same_name(tmp_path: Path) -> None:
    original = (
        '@import "tailwindcss/theme.css" layer(theme);\n@import "tailwindcss/preflight.css" layer(base);\n'
        '@import "tailwindcss/utilities.css" layer(utilities);\n'
    )

    first, second, *_ = edit_tailwind_css(original, sources=tmp_path / "parts").splitlines()

    assert first == '@import "tailwindcss/theme.css" layer(theme);'
    assert second == '@import "../parts/theme.css" layer(theme);'


def test_the_calls_that_handlers_send_are_run_without_eval() -> None:
    original = (Path(reflex_base.__file__).parent / ".templates/web/utils/state.js").read_text()

    edited = edit_state_js(original)

    assert "eval(event.payload" in original
    assert not re.search(r"(?<!\w)eval\(event", edited)
    assert edit_state_js(edited) == edited


def test_a_file_that_an_earlier_release_edited_gets_the_edits_that_it_lacks() -> None:
    edited = edit_state_js((Path(reflex_base.__file__).parent / ".templates/web/utils/state.js").read_text())
    lines = edited.splitlines(keepends=True)
    earlier = "".join(line for line in lines if "static_first/documents" not in line)
    earlier = earlier.replace("    if (loadRedirected(pathname, event.payload.replace)) {\n      return;\n    }\n", "")
    earlier = earlier.replace("    if (isBeingLeft()) {\n      return;\n    }\n", "")

    assert "loadRedirected" not in earlier
    assert edit_state_js(earlier) == edited
