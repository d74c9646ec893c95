"""The last step of a build: adds style and script to the pages, and stops on a broken page."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflex_base.config import get_config

from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.plugins.static_first.build_cache import BuildCache, digest
from site_app.plugins.static_first.check import check
from site_app.plugins.static_first.page_needs import PageNeeds, read_needs
from site_app.plugins.static_first.parsed_page import Page, ParsedPages
from site_app.plugins.static_first.patch import replace
from site_app.plugins.static_first.site import StaticSite, built_values, compiled
from site_app.plugins.static_first.themed_pages import RADIX_SHEET

# Loads the page's script after the first paint, so as not to delay it, and stores presses until the script runs.
_BOOT = Path(__file__).with_name("boot.js")
_EMOTION = re.compile(r'<style data-emotion="css ([\w-]+)">(.*?)</style>')
_PROPERTY = re.compile(r"(?<![\w-])--[a-z][\w-]*")
_CLOSED = re.compile(r' data-style="([^"]*)"')
_STYLES = "page_styles.mjs"
FIRST_PACKETS = 14_600  # bytes that a server sends before it waits for the browser's first answer: ten packets of 1,460
_HEADERS = 1_000  # bytes of a page's headers, about
_NOT_SERVED = ("404.html", "__spa-fallback.html")


def postprocess(static: Path, site: StaticSite) -> list[str]:
    """Turns Reflex's export into the site that is served; raises BrokenSite if a page must not be served.

    Returns notes for the developer: the download sizes of the pages, and what is missing in them.
    """
    (sheet,) = (static / ASSETS).glob("__reflex_global_styles-*.css")
    page_script = bundle_page_script(static, site)
    needs = read_needs()
    is_styled = any(page.is_styled for page in needs.values())  # React may show each page in the document of any other
    themed_link = themed_sheet(static) if any(page.is_themed for page in needs.values()) else ""
    parsed = ParsedPages(compiled())
    style_cache = BuildCache(compiled() / "page_styles.json")
    paths = {
        page: ("/" + page.parent.relative_to(static).as_posix()).replace("/.", "/")
        for page in sorted(static.rglob("index.html"))
    }
    script_names = property_names((static / page_script.url.strip("/")).read_text())
    fixed_names = {
        page: None if needs.get(path, PageNeeds()).own_document else sorted(property_names(page.read_text()) | script_names)
        for page, path in paths.items()
    }
    for page, style in page_styles(sheet, fixed_names, parsed, style_cache).items():
        path = paths[page]
        page_need = needs.get(path, PageNeeds())
        closed_sheet = write_closed_sheet(static, style.closed)
        without_scripts = f'<noscript><link rel="stylesheet" href="{closed_sheet}"/></noscript>' if closed_sheet else ""
        theme = themed_link if page_need.is_themed else ""
        head = f"{site.head}<style>{style.first}</style>{without_scripts}{theme}{page_script.package_sheets(path)}"
        html, styles = without_emotion_styles(page.read_text())
        canonical = "" if 'rel="canonical"' in html else f'<link rel="canonical" href="{get_config().deploy_url}{path}"/>'
        page.write_text(
            replace(
                html,
                (
                    "</head>",
                    f"{canonical}{head}{styles}{page_script.tag(path, page_need, closed_sheet, is_styled=is_styled)}</head>",
                ),
            )
        )
        if page.parent != static:  # remove Reflex's copy for hosts without clean addresses
            page.parent.with_suffix(".html").unlink(missing_ok=True)  # a cached page has none
    for name in _NOT_SERVED:
        (static / name).unlink(missing_ok=True)
    site.write_files(static)
    advice = check(static, site.server_paths, site.is_strict, parsed.page, site.written_path)
    parsed.save()
    style_cache.save()
    compress(static, compiled() / "compressed")
    return [*costs(static, needs), *advice]


@dataclass(frozen=True)
class PageScript:
    """The script of every page, which starts React.

    `url` is its address, `inline` the inline script that loads it, `core` the modules that every page needs, `routes` each page's own
    modules by path.
    """

    url: str
    inline: str
    core: list[str]
    routes: dict[str, dict[str, Any]]

    def package_sheets(self, path: str) -> str:
        """Returns the elements that link the stylesheets of packages which a page imports."""
        return "".join(f'<link rel="stylesheet" href="{sheet}"/>' for sheet in self.routes[path].get("css", ()))

    def tag(self, path: str, needs: PageNeeds, closed_sheet: str, *, is_styled: bool) -> str:
        """Returns the element that loads the script on one page, and the stylesheet for what is closed at first.

        With `is_styled`, it tells the policy that a page of the site has style props.
        """
        route = self.routes[path]
        modules = " ".join([*(module for module in route["imports"] if module not in self.core), route["module"]])
        marks = "".join(
            mark
            for mark, applies in (
                (f' data-style="{closed_sheet}"', bool(closed_sheet)),
                (' data-boot-mode="load"', needs.boot == "load"),
                (" data-state", needs.shows_state),
                (" data-own-style", needs.own_document),
                (" data-styled", is_styled),
            )
            if applies
        )
        return (
            f'<script data-boot data-route="{route["id"]}" data-modules="{modules}" data-src="{self.url}"'
            f"{marks}>"
            f"{self.inline}</script>"
        )


def bundle_page_script(static: Path, site: StaticSite) -> PageScript:
    """Bundles the script with the module addresses of the build's manifest, and writes it beside the other hashed files.

    One element holds the site's own script of the head and ours, since the policy in each page's headers lists every script by its hash.
    """
    manifest_file = next((static / ASSETS).glob("manifest-*.js"))
    manifest = json.loads(manifest_file.read_text().partition("=")[2].rstrip("; \n"))
    entry = manifest["entry"]
    root = manifest["routes"]["root"]
    core = list(dict.fromkeys([*root["imports"], *entry["imports"]]))
    shared = {"CORE": core, "ROOT": root["module"], "ENTRY": entry["module"]}
    values = built_values(**shared, MANIFEST=move_manifest(manifest_file, manifest["url"], shared))
    (compiled() / "static_first/built.js").write_text(values)
    routes = {"/" + route.get("path", ""): route for route in manifest["routes"].values() if route["id"] != "root"}
    script = run_node("bundle_script.mjs", entry=site.entry, folder=str((static / ASSETS).resolve()), name="page")
    return PageScript(f"/{ASSETS}/{script.strip()}", minified(f"{site.head_script}\n{_BOOT.read_text()}"), core, routes)


def move_manifest(file: Path, url: str, shared: Mapping[str, Any]) -> str:
    """Moves the manifest to a name that depends only on the modules that all pages share, and returns its address.

    It names the modules of every page, so its own hash changes with each text. All pages name the page script, which names the manifest:
    with that hash, one changed word would change all pages.
    """
    address = f"/{MANIFESTS}/{hashlib.sha256(json.dumps(shared).encode()).hexdigest()[:8]}.js"
    target = file.parents[1] / address.lstrip("/")
    target.parent.mkdir(exist_ok=True)
    target.write_text(replace(file.read_text(), (url, address)))
    file.unlink()
    return address


def minified(script: str) -> str:
    """Returns the script as pages contain it: without comments, and with short names inside its blocks."""
    return run_node("minify.mjs", code=script)


def without_emotion_styles(html: str) -> tuple[str, str]:
    """Returns the page without the style elements that Emotion writes before each element, and their rules as one element for the head.

    In the body they would be siblings that `:first-child` counts. Emotion finds its rules by the names in the attribute.
    """
    pieces = dict(_EMOTION.findall(html))
    if not pieces:
        return html, ""
    return _EMOTION.sub("", html), f'<style data-emotion="css {" ".join(pieces)}">{"".join(pieces.values())}</style>'


def themed_sheet(static: Path) -> str:
    """Writes the stylesheet of Radix Themes beside the other hashed files and returns the element that links it."""
    style = (compiled() / RADIX_SHEET).read_bytes()
    name = f"radix-themes-{hashlib.sha256(style).hexdigest()[:8]}.css"
    (static / ASSETS / name).write_bytes(style)
    return f'<link rel="stylesheet" href="/{ASSETS}/{name}"/>'


@dataclass(frozen=True)
class PageStyle:
    """The rules for what a page shows at first, and those for what is closed at first, pointed at or pressed."""

    first: str
    closed: str


def write_closed_sheet(static: Path, style: str) -> str:
    """Writes the rules for what is closed at first beside the other hashed files, and returns their address, or "" if there are none."""
    if not style:
        return ""
    name = f"closed-{hashlib.sha256(style.encode()).hexdigest()[:8]}.css"
    (static / ASSETS / name).write_text(style)
    return f"/{ASSETS}/{name}"


def property_names(text: str) -> set[str]:
    """Returns the custom properties that a page or a script names."""
    return set(_PROPERTY.findall(text))


def page_styles(
    sheet: Path, pages: Mapping[Path, list[str] | None], parsed: ParsedPages, style_cache: BuildCache
) -> dict[Path, PageStyle]:
    """Returns the rules of the stylesheet that each page needs until React starts, which loads the whole sheet.

    Selecting them takes long, so a page takes the rules of an earlier build if neither the sheet nor its own elements have changed.
    `pages` has, for each page, the custom properties that must keep their names because the page or its script uses them, or None for
    all, because a package's stylesheet may use any. The others get short names, which saves about 200 bytes of a compressed page.
    """
    used = {page: used_by(parsed.page("", page.read_text())) | {"fixedNames": names} for page, names in pages.items()}
    keys = keys_of_styles(sheet.read_bytes(), used, [Path(__file__).with_name(_STYLES)])
    # Pages of one kind use the same, so their rules are selected once.
    if missing := {key: used[page] for page, key in keys.items() if style_cache.get(key) is None}:
        for key, style in json.loads(run_node(_STYLES, sheet=str(sheet.resolve()), pages=missing)).items():
            style_cache.put(key, style)
    return {page: PageStyle(**style_cache.get(key)) for page, key in keys.items()}


def keys_of_styles(sheet: bytes, pages: Mapping[Path, Mapping[str, Any]], tools: Iterable[Path]) -> dict[Path, str]:
    """Returns a digest of all that the style of each page follows from: the sheet, what the page uses, and the program that selects."""
    same_for_all = digest(sheet, *(tool.read_bytes() for tool in tools))
    return {page: digest(same_for_all, json.dumps(used, sort_keys=True)) for page, used in pages.items()}


def used_by(page: Page) -> dict[str, Any]:
    """Returns the classes and names of the page's elements, those of elements that are shown at first, and the page's language."""
    return {
        "language": page.language,
        "classes": sorted(page.classes),
        "tags": sorted(page.tags),
        "shownClasses": sorted(page.shown_classes),
        "shownTags": sorted(page.shown_tags),
    }


def compress(static: Path, cache: Path) -> None:
    """Writes a .br and a .gz beside each text file. Takes unchanged files from the cache, because brotli's best quality is slow."""
    run_node("compress.mjs", folder=str(static.resolve()), cache=str(cache.resolve()))


def costs(static: Path, needs: Mapping[str, PageNeeds]) -> list[str]:
    """Writes the download size of each page to a file beside the pages; returns a line per kind, and one per page that starts React at once."""
    script = sum(file.stat().st_size for file in (static / ASSETS).glob("page-*.js.gz"))
    lines = []
    kinds = defaultdict(list)
    large = {}
    for path, page in needs.items():
        file = static / path.lstrip("/") / "index.html.gz"
        if not file.is_file():
            continue
        kilobytes = round((file.stat().st_size + _closed_size(static, file) + script) / 1000)
        if (excess := file.with_suffix(".br").stat().st_size + _HEADERS - FIRST_PACKETS) > 0:
            large[path] = excess
        if page.boot == "load":
            start = f"React starts at once ({_listed(page.reasons) or 'the page says so'})"
        else:
            start = "React starts when the page is used" if page.shows_state else "React starts when a form or a dialog is used"
            kinds[start].append(kilobytes)
        lines.append(f"{path}: {kilobytes} kB to read; {start}")
    if large:
        worst = max(large, key=lambda path: large[path])
        lines.append(
            f"{len(large)} pages do not fit the first ten packets that a server sends, and are there a round trip later; "
            f"most of all {worst}, by {large[worst]:,} bytes compressed: {', '.join(sorted(large))}"
        )
    listing = static.parent / "pages.txt"
    listing.write_text("\n".join(lines) + "\n")
    summary = [f"{len(sizes)} pages: {min(sizes)} to {max(sizes)} kB to read; {start}" for start, sizes in kinds.items()]
    return [*(line for line in lines if "at once" in line), *summary, f"each page: {listing}"]


def _closed_size(static: Path, page: Path) -> int:
    """Returns the compressed size of the style for what is closed at first on this page."""
    match = _CLOSED.search(page.with_suffix("").read_text())
    sheet = static / match[1].lstrip("/") if match else None
    compressed = sheet.with_name(f"{sheet.name}.gz") if sheet else None
    return compressed.stat().st_size if compressed and compressed.is_file() else 0


def _listed(reasons: list[str]) -> str:
    return ", ".join(reasons if len(reasons) < 4 else [*reasons[:2], f"and {len(reasons) - 2} more"])


def run_node(program: str, **job: Any) -> str:
    """Runs a program of this folder with the node that builds the pages, and returns its output; it uses Reflex's packages."""
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node") or "node"
    text = json.dumps(job | {"root": str(compiled())})
    process = subprocess.run([node, Path(__file__).with_name(program)], input=text, capture_output=True, text=True, check=False)  # noqa: S603
    if process.returncode:
        raise RuntimeError(f"{program} failed:\n{process.stderr}")
    return process.stdout
