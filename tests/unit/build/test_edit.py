"""Generated text that has changed stops the build."""

import re

import pytest

from site_app.build.bundle import one_core, only_a_chosen_theme, without_direct_eval, without_registry
from site_app.build.document import development_config, static_document, vite_config
from site_app.build.edit import TemplateHasChanged, remove, replace
from tests.unit.web.test_site import api_addresses


def test_every_part_is_exchanged() -> None:
    assert replace("a b a", ("a", "x"), ("b", "y")) == "x y x"


def test_a_part_that_is_gone_is_named() -> None:
    with pytest.raises(TemplateHasChanged, match="'gone' is gone"):
        replace("a", ("gone", ""))


def test_a_pattern_that_matches_nothing_is_named() -> None:
    with pytest.raises(TemplateHasChanged, match="nothing matches"):
        remove("a", "b+")


def test_in_development_what_the_api_answers_is_passed_on() -> None:
    text = development_config("server: { port: process.env.PORT, }", backend="http://localhost:8000")

    (pattern,) = re.findall(r'proxy: { "(.*)": "http://localhost:8000" }', text)
    ours = re.compile(pattern.replace("\\\\", "\\"))
    assert [path for path in (*api_addresses(), "/th/book?x=1") if not ours.match(path)] == []
    assert not any(ours.match(path) for path in ("/", "/booking", "/faq", "/th", "/v110/x"))


@pytest.mark.parametrize(
    "edit", [static_document, vite_config, one_core, only_a_chosen_theme, without_registry, without_direct_eval]
)
def test_a_new_template_of_reflex_shows_itself(edit) -> None:
    with pytest.raises(TemplateHasChanged):
        edit("export default {}")


def test_an_edit_of_a_file_that_was_edited_before_changes_nothing() -> None:
    text = "await eval(`import(dataUri)`); x ? eval(event.payload.f) : 0"

    once = without_direct_eval(text)

    assert once == "await import(/* @vite-ignore */ dataUri); x ? (0, eval)(event.payload.f) : 0"
    assert without_direct_eval(once) == once
