"""A page keeps the style of its first paint and drops the rest."""

from pathlib import Path

import pytest

from site_app.plugins.static_first.postprocess import page_styles
from tests.browser.server import build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build("http://localhost:3000")  # provides Lightning CSS


def _style_of(folder: Path, style: str, html: str) -> str:
    (folder / "sheet.css").write_text(style)
    (folder / "page.html").write_text(html)
    return page_styles(folder / "sheet.css", [folder / "page.html"])[folder / "page.html"]


@pytest.mark.parametrize(
    ("style", "expected"),
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
def test_a_rule_stays_if_the_page_has_its_classes(tmp_path: Path, style: str, expected: str) -> None:
    assert _style_of(tmp_path, style, '<p class="a">') == expected


@pytest.mark.parametrize(
    ("style", "page", "expected"),
    [
        (r".dark\:block{top:1px}", '<i class="dark:block c">', r".dark\:block{top:1px}"),
        ("html:lang(zh){top:1px}", '<html lang="en"><p lang="zh">', ""),
        ("html:lang(zh) p{top:1px}", '<html lang="zh-Hans"><p lang="en">', "html:lang(zh) p{top:1px}"),
        (":lang(th) p{top:1px}", '<html lang="en"><p>', ":lang(th) p{top:1px}"),  # a part of the page may be in that language
    ],
)
def test_an_escaped_class_and_a_language_are_found_by_their_names(tmp_path: Path, style: str, page: str, expected: str) -> None:
    assert _style_of(tmp_path, style, page) == expected
