"""A page contains the style of its visible parts; closed parts have a style of their own, and unused rules are dropped."""

from pathlib import Path
from typing import Any

import pytest

from site_app.plugins.static_first import postprocess
from site_app.plugins.static_first.build_cache import BuildCache
from site_app.plugins.static_first.parsed_page import ParsedPages
from site_app.plugins.static_first.postprocess import PageStyle, page_styles, property_names, run_node
from tests.support.site_server import build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build("http://localhost:3000")  # provides Lightning CSS


def _style_of(folder: Path, style: str, html: str) -> PageStyle:
    (folder / "sheet.css").write_text(style)
    (folder / "page.html").write_text(html)
    cache = BuildCache(folder / "styles.json")
    return page_styles(folder / "sheet.css", {folder / "page.html": sorted(property_names(html))}, ParsedPages(folder), cache)[
        folder / "page.html"
    ]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (".a{top:1px}.b{top:2px}", ".a{top:1px}"),
        (".a,.b{top:1px}", ".a{top:1px}"),
        (".a .b{top:1px}", ""),
        (".a:not(.b){top:1px}", ".a:not(.b){top:1px}"),
        ("p{top:1px}", "p{top:1px}"),
        (".dark .a{top:1px}", ".dark .a{top:1px}"),
        ("@media print{.a{top:1px}.b{top:2px}}", "@media print{.a{top:1px}}"),
        ("@media print{.b{top:2px}}", ""),
        ("@layer one,two;@layer two{.a{top:1px}}", "@layer one;@layer two{.a{top:1px}}"),
        ("@keyframes slide{to{top:1px}}.a{animation:1s slide}", "@keyframes slide{to{top:1px}}.a{animation:1s slide}"),
        ("@keyframes slide{to{top:1px}}.b{animation:1s slide}", ""),
        (r".lg\:a{top:1px}", ""),
        (":root{--one:1px;--two:2px}.dark{--one:3px}.a{top:var(--one)}", ":root{--_0:1px}.dark{--_0:3px}.a{top:var(--_0)}"),
        (".a{top:var(--from-elsewhere)}", ".a{top:var(--from-elsewhere)}"),
        ('.a:before{content:"";top:1px}', '.a:before{content:"";top:1px}'),
        (".a:before{content:attr(title)}", ".a:before{content:attr(title)}"),
        (":root{--three:var(--four);--four:4px}.a{top:1px}", ".a{top:1px}"),
        ('.a{font:1px / var(--b) C, "D, E", F}', '.a{font:1px/var(--b) C,"D, E",F}'),
    ],
)
def test_a_rule_stays_if_the_page_has_its_classes(tmp_path: Path, style: str, expected: str) -> None:
    assert _style_of(tmp_path, style, '<p class="a">').first == expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (":root,:host{--space:4px}.a{top:calc(var(--space)*3)}", ".a{top:12px}"),
        (".a{top:var(--nowhere,1px)}", ".a{top:1px}"),
        (".a{top:var(--nowhere,var(--neither,calc(1px + (2em*3))))}", ".a{top:calc(1px + 6em)}"),
        (
            '@property --line{syntax:"*";inherits:false;initial-value:solid}.a{border-style:var(--line)}',
            ".a{border-style:solid}",
        ),
        (":root{--one:1px}@media print{:root{--one:2px}}.a{top:var(--one)}", None),
        ("@media print{:root{--one:2px}}.a{top:var(--one,1px)}", None),
        (":root{--one:1px}.a{--one:2px}p{top:var(--one)}", None),
        (":root{--one:1px}html:lang(en){--one:2px}.a{top:var(--one)}", None),
        ('@property --line{syntax:"*";inherits:false;initial-value:solid}.a{--line:dashed}p{border-style:var(--line)}', None),
    ],
)
def test_a_property_that_never_changes_on_a_page_is_written_as_its_value(
    tmp_path: Path, style: str, expected: str | None
) -> None:
    folded = _style_of(tmp_path, style, '<html lang="en"><p class="a">').first
    assert folded == expected if expected else "var(--_" in folded


@pytest.mark.parametrize(
    "page", ['<p class="a" style="--one:3px">', '<p class="a"><script>p.style.setProperty("--one", 1)</script>']
)
def test_a_property_that_the_page_or_a_script_sets_stays(tmp_path: Path, page: str) -> None:
    assert "var(--one)" in _style_of(tmp_path, ":root{--one:1px}.a{top:var(--one)}", page).first


def test_an_animation_is_in_the_style_that_uses_it(tmp_path: Path) -> None:
    style = _style_of(
        tmp_path,
        "@keyframes rise{to{top:1px}}@keyframes turn{to{top:2px}}.a{animation:1s rise}.b{animation:1s turn}",
        '<p class="a"><dialog class="b"></dialog>',
    )
    assert "@keyframes rise" in style.first
    assert "@keyframes rise" not in style.closed
    assert "@keyframes turn" in style.closed
    assert "@keyframes turn" not in style.first


@pytest.mark.parametrize(
    ("style", "page", "expected"),
    [
        (r".dark\:block{top:1px}", '<i class="dark:block c">', r".dark\:block{top:1px}"),
        ("html:lang(zh){top:1px}", '<html lang="en"><p lang="zh">', ""),
        ("html:lang(zh) p{top:1px}", '<html lang="zh-Hans"><p lang="en">', "html:lang(zh) p{top:1px}"),
        ("html:lang(zh) p,html:lang(en) p{top:1px}", '<html lang="en"><p>', "html:lang(en) p{top:1px}"),
        (
            ":root{--a:1px}html:lang(en){--a:2px}p{top:var(--a)}",
            '<html lang="en"><p>',
            "html:lang(en){--_0:2px}p{top:var(--_0)}",
        ),
        (":root{--a:1px}html:lang(th){--a:2px}p{top:var(--a)}", '<html lang="en"><p>', "p{top:1px}"),
        (
            ":root{--a:1px}@media print{html:lang(en){--a:2px}}p{top:var(--a)}",
            '<html lang="en"><p>',
            ":root{--_0:1px}@media print{html:lang(en){--_0:2px}}p{top:var(--_0)}",
        ),
        (":lang(th) p{top:1px}", '<html lang="en"><p>', ":lang(th) p{top:1px}"),  # a part of the page may be in that language
    ],
)
def test_an_escaped_class_and_a_language_are_found_by_their_names(tmp_path: Path, style: str, page: str, expected: str) -> None:
    assert _style_of(tmp_path, style, page).first == expected


@pytest.mark.parametrize(
    "closed",
    [
        '<dialog><p class="b"></p></dialog>',
        '<nav popover="auto"><p class="b"></p></nav>',
        '<details><summary>?</summary><p class="b"></p></details>',
        '<dialog class="b"></dialog>',
        '<div data-closed class="b"></div>',
        '<dialog><dialog></dialog><p class="b"></p></dialog>',
        '<details><summary>?</summary><details><summary class="b"></summary></details></details>',
    ],
)
def test_rules_of_closed_parts_go_into_the_deferred_style(tmp_path: Path, closed: str) -> None:
    style = _style_of(tmp_path, ".a{top:1px}.b{top:2px}.a .b{top:3px}", f'<p class="a"></p>{closed}<p class="a"></p>')

    assert style.first.endswith("}.a{top:1px}")
    assert style.closed.endswith("}.b{top:2px}.a .b{top:3px}")


@pytest.mark.parametrize("state", [":hover", ":active", ":hover .b"])
def test_rules_of_hover_and_press_go_into_the_deferred_style(tmp_path: Path, state: str) -> None:
    style = _style_of(
        tmp_path, f".b{{top:1px}}.b{state}{{top:2px}}.b:focus-visible{{top:3px}}", '<p class="b"><i class="b"></i></p>'
    )

    assert style.first.endswith("}.b{top:1px}.b:focus-visible{top:3px}")
    assert style.closed.endswith(f"}}.b{state}{{top:2px}}")


def test_popovers_stay_hidden_in_browsers_that_do_not_know_them(tmp_path: Path) -> None:
    style = _style_of(tmp_path, ".b{top:1px}", '<nav popover="auto" class="b"></nav>')

    assert "@supports not selector(:popover-open){[popover]{display:none}}" in style.first


@pytest.mark.parametrize(
    "element",
    [
        '<details open><summary>?</summary><p class="b"></p></details>',
        '<details><summary><i class="b"></i></summary></details>',
        '<details class="b"><summary>?</summary></details>',
        '<dialog></dialog><p class="b"></p>',
        '<dialog><p class="b"></p></dialog><p class="b"></p>',
        '<details><summary>?</summary></details><p class="b"></p>',
    ],
)
def test_rules_of_visible_parts_stay_in_the_page(tmp_path: Path, element: str) -> None:
    assert _style_of(tmp_path, ".b{top:1px}", element) == PageStyle(".b{top:1px}", "")


@pytest.mark.parametrize("naming", ['<i style="--gap:1px"></i>', "<style>.c{top:var(--gap)}</style>"])
def test_a_property_that_the_page_names_elsewhere_keeps_its_name(tmp_path: Path, naming: str) -> None:
    style = _style_of(
        tmp_path, ":root{--gap:1px;--other:2px}.a{top:var(--gap);left:var(--other)}", f'<p class="a"></p>{naming}'
    )

    assert "--gap" in style.first
    assert "--other" not in style.first


def test_the_deferred_style_uses_the_short_names_of_the_page(tmp_path: Path) -> None:
    style = _style_of(
        tmp_path, ":root{--gap:1px}.dark{--gap:2px}.a,.b{top:var(--gap)}", '<p class="a"></p><dialog class="b"></dialog>'
    )

    assert "--_0:1px" in style.first
    assert style.closed.endswith(".b{top:var(--_0)}")


def test_a_page_with_the_stylesheet_of_a_package_keeps_all_names(tmp_path: Path) -> None:
    (tmp_path / "sheet.css").write_text(":root{--gap:1px}.dark{--gap:2px}.a{top:var(--gap)}")
    page = tmp_path / "page.html"
    page.write_text('<p class="a"></p>')

    style = page_styles(tmp_path / "sheet.css", {page: None}, ParsedPages(tmp_path), BuildCache(tmp_path / "styles.json"))[page]

    assert "var(--gap)" in style.first


def test_an_unused_font_is_left_out(tmp_path: Path) -> None:
    faces = "".join(f"@font-face{{font-family:{name};src:url({name}.woff2)}}" for name in ("Used", "Unused"))

    style = _style_of(tmp_path, f"{faces}.a{{font-family:Used}}.b{{font-family:Unused}}", '<p class="a">')

    assert "Used.woff2" in style.first
    assert "Unused.woff2" not in style.first


def test_the_style_of_pages_that_use_the_same_is_selected_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, pages = tmp_path / "sheet.css", [tmp_path / f"{number}.html" for number in range(3)]
    sheet.write_text(".a{top:1px}")
    for page in pages:
        page.write_text(f'<html><body><p class="a">{page.name}</p></body></html>')
    selected = list[str]()

    def note(program: str, **job: Any) -> str:
        selected.extend(job["pages"])
        return run_node(program, **job)

    monkeypatch.setattr(postprocess, "run_node", note)
    styles = page_styles(sheet, dict.fromkeys(pages), ParsedPages(tmp_path), BuildCache(tmp_path / "styles.json"))

    assert {page: style.first for page, style in styles.items()} == dict.fromkeys(pages, ".a{top:1px}")
    assert len(selected) == 1


def test_the_style_of_a_page_that_has_not_changed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, page, other_page = (tmp_path / name for name in ("sheet.css", "page.html", "other.html"))
    sheet.write_text(".a{top:1px}.b{top:2px}")
    page.write_text('<html><body><p class="a"></p></body></html>')
    other_page.write_text('<html><body><p class="b"></p></body></html>')
    calls: list[int] = []

    def select() -> dict[Path, str]:
        cache = BuildCache(tmp_path / "styles.json")
        styles = page_styles(sheet, dict.fromkeys([page, other_page]), ParsedPages(tmp_path), cache)
        cache.save()
        return {page: style.first for page, style in styles.items()}

    def count(program: str, **job: Any) -> str:
        calls.append(len(job["pages"]))
        return run_node(program, **job)

    monkeypatch.setattr(postprocess, "run_node", count)
    first, second = select(), select()
    other_page.write_text('<html><body><p class="b a"></p></body></html>')
    changed = select()
    sheet.write_text(".a{top:3px}")
    with_other_sheet = select()

    assert first == second == {page: ".a{top:1px}", other_page: ".b{top:2px}"}
    assert changed[other_page] == ".a{top:1px}.b{top:2px}"
    assert with_other_sheet[page] == ".a{top:3px}"
    assert calls == [2, 1, 2]
