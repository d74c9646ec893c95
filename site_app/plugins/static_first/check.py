"""Checks the finished pages: title, description, headings, languages, links."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from site_app.plugins.static_first.parsed_page import Page


class BrokenSite(Exception):
    """The build made pages that must not be served; the message lists every fault."""


def check(
    static: Path,
    server_paths: Iterable[str] = (),
    is_strict: Callable[[str], bool] = lambda path: True,
    parse: Callable[[str, str], Page] = Page,
    written_path: Callable[[str], str] = lambda path: path,
) -> list[str]:
    """Raises BrokenSite with every fault of every page. `server_paths` are paths that the server answers without a file.

    Returns faults of the title, description, h1 or ids as advice for pages that are not strict. Leaves out a translation's fault if
    the page at its `written_path` has the same.
    """
    pages = {}
    for file in sorted(static.rglob("index.html")):
        path = ("/" + file.parent.relative_to(static).as_posix()).replace("/.", "/")
        pages[path] = parse(path, file.read_text())
    known_paths = set(server_paths)
    advice: list[tuple[str, str]] = []
    faults: list[tuple[str, str]] = []
    for page in pages.values():
        (faults if is_strict(page.path) else advice).extend((page.path, fault) for fault in _head_faults(page))
    faults += [
        *((page.path, fault) for page in pages.values() for fault in _language_faults(page, pages)),
        *((page.path, fault) for page in pages.values() for fault in _script_faults(page)),
        *((page.path, fault) for page in pages.values() for fault in _host_faults(page)),
        *((page.path, fault) for page in pages.values() for fault in _link_faults(page, pages, static, known_paths)),
    ]
    if faults:
        raise BrokenSite("\n".join(_lines(faults, written_path)))
    return _lines(advice, written_path)


def _lines(faults: Iterable[tuple[str, str]], written_path: Callable[[str], str]) -> list[str]:
    """Returns a line for each fault; a fault that the written page has too is not repeated for its translations."""
    unique = dict.fromkeys(faults)
    return [
        f"{path}: {fault}"
        for path, fault in unique
        if written_path(path) == path or (written_path(path), _as_written(fault, written_path)) not in unique
    ]


def _as_written(fault: str, written_path: Callable[[str], str]) -> str:
    """Returns the fault with the paths in it as they were written: "link to /th/gone" becomes "link to /gone"."""
    return " ".join(written_path(word) if word.startswith("/") else word for word in fault.split(" "))


def _head_faults(page: Page) -> Iterator[str]:
    if len(page.titles) != 1 or not page.titles[0].strip():
        yield "no title, or more than one"
    if not page.description:
        yield "no description"
    if page.h1 != 1:
        yield f"{page.h1} h1 elements instead of one"
    for part in sorted(page.repeated_names):
        yield f"the {part} occurs twice"


def _language_faults(page: Page, pages: dict[str, Page]) -> Iterator[str]:
    if not page.canonical:
        yield "no canonical address"
    elif page.canonical not in pages:
        yield f"canonical address {page.canonical} is no page"
    for tag, path in page.alternates.items():
        other_page = pages.get(path)
        if other_page is None:
            yield f"hreflang {tag} leads to {path}, which is no page"
        elif other_page.alternates != page.alternates:
            yield f"hreflang {tag} names {path}, whose own hreflang list differs"
    if page.alternates and page.path not in page.alternates.values():
        yield "hreflang does not name the page itself"


def _script_faults(page: Page) -> Iterator[str]:
    for handler in page.inline_handlers:
        yield f"the policy of the pages runs no script of an attribute: write a component with an event instead of {handler}"


def _host_faults(page: Page) -> Iterator[str]:
    for address in (*page.sources, *page.loaded_from_hosts):
        if address.startswith(("http:", "https:", "//")):
            yield (
                f"{address} is on another host, from which the policy of the pages loads nothing: "
                "link to it, or put the file into assets/"
            )
    for address in page.sent_to_hosts:
        yield (
            f"a form sends to {address}, on another host, which the policy of the pages forbids: "
            "link to it, or redirect to it in on_submit, rx.redirect(address, is_external=True)"
        )


def _link_faults(page: Page, pages: dict[str, Page], static: Path, known_paths: set[str]) -> Iterator[str]:
    for href in page.links:
        address, anchor = urldefrag(href)
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        is_same = parts.path in ("", f"{page.path}/")  # React Router writes the latter for href="#"
        target = page if is_same else pages.get(parts.path)
        if target is None:
            if parts.path not in known_paths and not (static / parts.path.lstrip("/")).is_file():
                yield f"link to {href}, which is no page"
        elif anchor and unquote(anchor) not in target.ids:
            yield f"link to {unquote(href)}, which has no such anchor"
    for source in page.sources:
        path = urlsplit(source).path
        if source.startswith("/") and not (static / path.lstrip("/")).is_file():
            yield f"missing file {source}"
