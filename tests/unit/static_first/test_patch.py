"""Generated text that has changed stops the build."""

import re
from functools import partial

import pytest

from site_app.i18n import LOCALES
from site_app.static_first.browser_files import ROOT
from site_app.static_first.patch import (
    TemplateHasChanged,
    development_config,
    only_a_chosen_theme,
    own_style,
    remove,
    replace,
    static_document,
    vite_config,
)
from tests.unit.serving.test_site import api_addresses


def test_every_part_is_exchanged() -> None:
    assert replace("a b a", ("a", "x"), ("b", "y")) == "x y x"


def test_a_part_that_is_gone_is_named() -> None:
    with pytest.raises(TemplateHasChanged, match="'gone' is gone"):
        replace("a", ("gone", ""))


def test_a_pattern_that_matches_nothing_is_named() -> None:
    with pytest.raises(TemplateHasChanged, match="nothing matches"):
        remove("a", "b+")


def test_in_development_what_the_api_answers_is_passed_on() -> None:
    plugin = (ROOT / "site_app/static_first/development.js").read_text()
    prefix = "(" + "|".join(locale.prefix for locale in LOCALES) + ")"
    patterns = [one.replace("${prefix}", prefix) for one in re.findall(r"const (?:CALLS|PAGES) = String.raw`(.*)`;", plugin)]
    ours = re.compile("|".join(patterns))

    assert len(patterns) == 2
    assert [path for path in (*api_addresses(), "/th/book?x=1") if not ours.match(path)] == []
    assert not any(ours.match(path) for path in ("/", "/booking", "/faq", "/th", "/v110/x", "/insights/script.js"))


def test_development_has_its_plugin_for_vite() -> None:
    text = development_config("export default defineConfig(    reactRouter(),\nalias: [\n", backend="http://127.0.0.1:8001")

    assert 'development("http://127.0.0.1:8001")' in text


@pytest.mark.parametrize(
    "edit", [static_document, vite_config, partial(development_config, backend=""), only_a_chosen_theme, own_style]
)
def test_a_new_template_of_reflex_shows_itself(edit) -> None:
    with pytest.raises(TemplateHasChanged):
        edit("export default {}")


def test_an_edit_of_a_file_that_was_edited_before_changes_nothing() -> None:
    once = only_a_chosen_theme("if (!isInitialized && existingTheme !== null) return;")

    assert once != "if (!isInitialized && existingTheme !== null) return;"
    assert only_a_chosen_theme(once) == once
