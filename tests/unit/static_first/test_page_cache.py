"""The HTML of a page is cached until its module, or anything that pages share, changes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_app.plugins.static_first.page_cache import add_cached_pages, choose_pages, page_address

CONFIG = 'export default {"basename": "/", "prerender": true, "build": "build"};'
HOME, ABOUT, THAI = "_index.jsx", "[company].[about-us]._index.jsx", "[th].[company].[about-us]._index.jsx"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A folder as Reflex compiles it, with three pages, built once."""
    for name, text in {
        **{f"app/routes/{module}": f"page {module}" for module in (HOME, ABOUT, THAI, "[404]._index.jsx")},
        "app/root.jsx": "root",
        "components/menu/menu.js": "menu",
        "node_modules/.package-lock.json": "{}",
        "routes.json": "[]",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert build(tmp_path) == {"/", "/company/about-us", "/th/company/about-us"}
    return tmp_path


def build(web: Path) -> set[str]:
    """Builds the pages and returns the paths of those that were written anew."""
    (web / "react-router.config.js").write_text(CONFIG)
    choose_pages(web)
    static = web / "build/client"
    for file in static.rglob("*.html"):
        file.unlink()
    paths = set(json.loads(re.findall(r'"prerender": (\[.*?\])', (web / "react-router.config.js").read_text())[0]))
    for path in paths:
        page = html(web, path)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"HTML of {path}")
    add_cached_pages(web, static)
    return paths


def html(web: Path, path: str) -> Path:
    return web / "build/client" / path.lstrip("/") / "index.html"


def test_without_a_change_only_the_home_page_is_written(web: Path) -> None:
    """React Router needs one page: without any it takes its fallback page for the home page."""
    assert build(web) == {"/"}

    assert html(web, "/th/company/about-us").read_text() == "HTML of /th/company/about-us"


def test_a_changed_page_is_written(web: Path) -> None:
    (web / "app/routes" / ABOUT).write_text("other words")

    assert build(web) == {"/", "/company/about-us"}


def test_the_bundler_gets_the_list_of_unwritten_pages(web: Path) -> None:
    (web / "app/routes" / ABOUT).write_text("other words")

    build(web)

    assert json.loads((web / "unchanged_pages.json").read_text()) == [THAI]


@pytest.mark.parametrize(
    "shared",
    [
        "app/root.jsx",
        "components/menu/menu.js",
        "components/menu/words.json",
        "vite.config.js",
        "node_modules/.package-lock.json",
    ],
)
def test_shared_files_invalidate_all_cached_pages(web: Path, shared: str) -> None:
    (web / shared).write_text("changed")

    assert build(web) == {"/", "/company/about-us", "/th/company/about-us"}


@pytest.mark.parametrize("file", ["routes.json", "public/picture.svg", "backend/events.json"])
def test_unrelated_files_do_not_invalidate_cached_pages(web: Path, file: str) -> None:
    (web / file).parent.mkdir(exist_ok=True)
    (web / file).write_text("changed")

    assert build(web) == {"/"}


def test_a_deleted_page_leaves_the_cache(web: Path) -> None:
    (web / "app/routes" / THAI).unlink()

    build(web)

    assert not html(web, "/th/company/about-us").exists()
    assert len(list(copies(web))) == 2


def test_a_cached_page_is_named_by_its_digest(web: Path) -> None:
    names = [file.name for file in copies(web)]

    assert names
    assert all(re.fullmatch(r"[0-9a-f]{64}", name) for name in names)


def copies(web: Path) -> Iterator[Path]:
    return (web / "cached_pages").iterdir()


@pytest.mark.parametrize(
    ("module", "address"),
    [("_index.jsx", "/"), ("[faq]._index.jsx", "/faq"), ("[th].[articles].[a-b]._index.jsx", "/th/articles/a-b")],
)
def test_the_address_of_a_page_is_read_from_its_modules_name(module: str, address: str) -> None:
    assert page_address(module) == address
