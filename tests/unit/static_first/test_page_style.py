"""A page keeps the style of its first paint and leaves the rest."""

from pathlib import Path

import pytest

from site_app.static_first.postprocess import page_styles, used_by
from tests.browser.server import build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build("http://localhost:3000")  # which brings Lightning CSS


def _style_of(folder: Path, style: str, html: str) -> str:
    (folder / "sheet.css").write_text(style)
    (folder / "page.html").write_text(html)
    return page_styles(folder / "sheet.css", [folder / "page.html"])[folder / "page.html"]


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        (".a{top:1px}.b{top:2px}", ".a{top:1px}"),
        (".a,.b{top:1px}", ".a{top:1px}"),
        (".a .b{top:1px}", ""),
        (".a:hover{top:1px}", ".a:hover{top:1px}"),
        (".a:not(.b){top:1px}", ".a:not(.b){top:1px}"),
        ("p{top:1px}", "p{top:1px}"),
        (".dark .a{top:1px}", ".dark .a{top:1px}"),
        ("@media print{.a{top:1px}.b{top:2px}}", "@media print{.a{top:1px}}"),
        ("@media print{.b{top:2px}}", ""),
        ("@layer one,two;@layer two{.a{top:1px}}", "@layer one;@layer two{.a{top:1px}}"),
        ("@keyframes slide{to{top:1px}}.a{animation:1s slide}", "@keyframes slide{to{top:1px}}.a{animation:1s slide}"),
        ("@keyframes slide{to{top:1px}}.b{animation:1s slide}", ""),
        (r".lg\:a{top:1px}", ""),
        (":root{--one:1px;--two:2px}.a{top:var(--one)}", ":root{--one:1px}.a{top:var(--one)}"),
        ('.a:before{content:"";top:1px}', '.a:before{content:"";top:1px}'),
        (".a:before{content:attr(title)}", ".a:before{content:attr(title)}"),
        (":root{--three:var(--four);--four:4px}.a{top:1px}", ".a{top:1px}"),
    ],
)
def test_a_rule_stays_if_the_page_has_its_classes(tmp_path: Path, style: str, kept: str) -> None:
    assert _style_of(tmp_path, style, '<p class="a">') == kept


def test_an_escaped_class_is_found_by_its_name(tmp_path: Path) -> None:
    assert _style_of(tmp_path, r".dark\:block{top:1px}", '<i class="dark:block c">') == r".dark\:block{top:1px}"


@pytest.mark.parametrize(
    ("language", "kept"), [("en", "html:lang(en){top:1px}"), ("zh-Hans", "html:lang(zh) p{top:2px}"), ("th", "")]
)
def test_a_page_keeps_its_own_languages_rules(tmp_path: Path, language: str, kept: str) -> None:
    style = "html:lang(en){top:1px}html:lang(zh) p{top:2px}"

    assert _style_of(tmp_path, style, f'<html lang="{language}"><p lang="en">') == kept


def test_what_stands_inside_a_page_may_be_in_another_language(tmp_path: Path) -> None:
    assert _style_of(tmp_path, ":lang(th) p{top:1px}", '<html lang="en">') == ":lang(th) p{top:1px}"


def test_a_page_asks_for_the_classes_of_all_its_elements() -> None:
    assert used_by('<html lang="zh-Hans"><a class="x y"><svg class="z"></svg></a>') == {
        "classes": ["x", "y", "z"],
        "language": "zh",
    }
