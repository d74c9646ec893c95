"""Caches the HTML of every page between builds: React Router renders only the pages that have changed.

Rendering takes 25 ms a page, which after a corrected word is a quarter of a build of a large site.
"""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from site_app.plugins.static_first.build_cache import digest, replace_file
from site_app.plugins.static_first.patch import replace

_FOLDER = "cached_pages"  # a file of HTML for each digest
_LIST = "cached_pages.json"  # the digest of each page of this build
_UNCHANGED = "unchanged_pages.json"  # the modules of the cached pages, for the bundler: see browser/route_cache.mjs
_CONFIG = "react-router.config.js"
_PAGES = Path("app/routes")
_ALL = '"prerender": true'
# No page's HTML depends on these: results of builds, pictures and data of the server. The list of routes only says which page is where.
_UNRELATED = {"node_modules", "build", "compressed", "public", "backend", "drawn_cards", "cached_routes", _FOLDER}
_KINDS = {".js", ".mjs", ".jsx", ".css", ".json"}
_LOCK = "node_modules/.package-lock.json"
_NOT_A_PAGE = "[404]._index.jsx"  # what the router shows for any other address
_HOME = "/"  # always rendered: without it React Router takes its fallback page for the home page


def choose_pages(web: Path) -> None:
    """Lists in React Router's configuration the pages to render, and for the bundler those that the cache has.

    Call it after the pages are compiled. The cache has a page if neither its module nor what all pages share has changed.
    """
    keys = _keys(web)
    config = web / _CONFIG
    cached = {path for path, key in keys.items() if path != _HOME and (web / _FOLDER / key).is_file()}
    config.write_text(_with_paths(config.read_text(), (path for path in keys if path not in cached)))
    (web / _LIST).write_text(json.dumps(keys))
    (web / _UNCHANGED).write_text(json.dumps([module.name for module in _modules(web) if page_address(module.name) in cached]))


def add_cached_pages(web: Path, static: Path) -> None:
    """Copies the cached pages beside the rendered ones, caches these, and removes from the cache what this build did not use."""
    cache = web / _FOLDER
    keys = json.loads((web / _LIST).read_text())
    for path, key in keys.items():
        page = static / path.lstrip("/") / "index.html"
        copy = cache / key
        if page.is_file():
            cache.mkdir(exist_ok=True)
            replace_file(copy, page.read_bytes())
        else:
            page.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(copy, page)
    used_names = set(keys.values())
    for copy in cache.iterdir():
        if copy.name not in used_names:
            copy.unlink()


def _with_paths(config: str, paths: Iterable[str]) -> str:
    return replace(config, (_ALL, f'"prerender": {json.dumps(list(paths))}'))


def _keys(web: Path) -> dict[str, str]:
    """Returns for each page's path the digest of its module and of everything that pages share."""
    folders = [entry for entry in web.iterdir() if entry.is_dir() and entry.name not in _UNRELATED]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in _KINDS and file.parent != web / _PAGES]
    configs = [file for file in web.glob("*.js") if file.name != _CONFIG]  # the .json files beside them are about this build
    shared = sorted(files + configs)
    base = digest(*(text for file in [*shared, web / _LOCK] for text in (str(file.relative_to(web)), file.read_text())))
    return {page_address(module.name): digest(base, module.name, module.read_text()) for module in _modules(web)}


def _modules(web: Path) -> list[Path]:
    return sorted(module for module in (web / _PAGES).iterdir() if module.name != _NOT_A_PAGE)


def page_address(module: str) -> str:
    """Returns the address of a page from its module's file name, such as "[articles].[how-we-estimate]._index.jsx"."""
    return "/" + "/".join(re.findall(r"\[(.*?)\]\.", module))
