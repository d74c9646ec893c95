"""A page keeps the style of its first paint and leaves the rest."""

import pytest

from site_app.build.critical import classes_of, critical_style, language_of


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        (".a{x:1}.b{x:2}", ".a{x:1}"),
        (".a,.b{x:1}", ".a{x:1}"),
        (".a .b{x:1}", ""),
        (".a:hover{x:1}", ".a:hover{x:1}"),
        (".a:not(.b){x:1}", ".a:not(.b){x:1}"),
        ("p{x:1}", "p{x:1}"),
        (".dark .a{x:1}", ".dark .a{x:1}"),
        ('.a:has(+[aria-busy="true"]),[data-leaving] .a{x:1}', '.a:has(+[aria-busy="true"]){x:1}'),
        ("@media (scripting:none){@font-face{font-family:F G;src:url(x)}}", ""),
        ("@media (width>=1px){.a{x:1}.b{x:2}}", "@media (width>=1px){.a{x:1}}"),
        ("@media (width>=1px){.b{x:2}}", ""),
        ("@layer one,two;", "@layer one,two;"),
        ("@layer one{.b{x:2}}", "@layer one;"),
        ("@layer one{@media print{.a{x:1}}}", "@layer one{@media print{.a{x:1}}}"),
        ("@font-face{src:url(x)}", "@font-face{src:url(x)}"),
        ("@font-face{font-family:F G;src:url(x)}", ""),
        ("@font-face{font-family:F G;src:url(x)}.b{font-family:F G}", ""),
        (
            '@font-face{font-family:F G;src:url(x)}.a{font:1px "F G"}',
            '@font-face{font-family:F G;src:url(x)}.a{font:1px "F G"}',
        ),
        ("@keyframes k{to{x:1}}.a{animation:k 1s}", "@keyframes k{to{x:1}}.a{animation:k 1s}"),
        ("@keyframes k{to{x:1}}.b{animation:k 1s}", ""),
        (r".lg\:a{x:1}", ""),
        ("/* words */.a{x:1}", ".a{x:1}"),
        ("@layer properties{@supports (x){*{--t:1}}}.a{x:var(--t)}", ".a{x:var(--t)}"),
        (":root{--one:1;--two:2}.a{x:var(--one)}", ":root{--one:1;}.a{x:var(--one)}"),
        (
            ":root{--one:var(--two);--two:2;--three:var(--four);--four:4}.a{x:var(--one)}",
            ":root{--one:var(--two);--two:2;}.a{x:var(--one)}",
        ),
        ('@property --one{syntax:"*"}.a{x:1}', ".a{x:1}"),
        ('@property --one{syntax:"*"}.a{x:var(--one)}', '@property --one{syntax:"*"}.a{x:var(--one)}'),
    ],
)
def test_a_rule_stays_if_the_page_has_its_classes(style: str, kept: str) -> None:
    assert critical_style(style, frozenset({"a"})) == kept


def test_an_escaped_class_is_found_by_its_name() -> None:
    assert critical_style(r".dark\:block{x:1}", classes_of('<i class="dark:block c">')) == r".dark\:block{x:1}"


def test_the_classes_of_a_page_are_those_of_all_its_elements() -> None:
    assert classes_of('<a class="x y"><svg class="z"></svg></a>') == {"x", "y", "z"}


@pytest.mark.parametrize(("language", "kept"), [("en", "html:lang(en){x:1}"), ("zh-Hans", "html:lang(zh) p{x:2}"), ("th", "")])
def test_a_page_keeps_its_own_languages_rules(language: str, kept: str) -> None:
    assert critical_style("html:lang(en){x:1}html:lang(zh) p{x:2}", frozenset(), language) == kept


def test_what_stands_inside_a_page_may_be_in_another_language() -> None:
    assert critical_style(":lang(th) p{x:1}", frozenset(), "en") == ":lang(th) p{x:1}"


def test_the_language_of_a_page_is_that_of_its_root() -> None:
    assert language_of('<!DOCTYPE html><html class="x" lang="zh-Hans"><body lang="en">') == "zh-Hans"
