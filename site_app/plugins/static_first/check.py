"""Parses the finished pages and checks them: title, description, headings, languages, links.

Caches for later builds the parts of each body and the style that it needs, because most pages do not change. The head of a page is not
cached: it names files that change with each build.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

_SETS = ("ids", "seen_names", "repeated_names", "classes", "tags", "shown_classes", "shown_tags")


class BrokenSite(Exception):
    """The build made pages that must not be served; the message lists every fault."""


@dataclass
class Page(HTMLParser):
    """The parts of one page that the build checks.

    `shown_classes` and `shown_tags` are those of elements outside of what is closed at first: dialogs, popovers, `details` and what
    has the attribute `data-closed`.
    """

    path: str
    html: str
    titles: list[str] = field(default_factory=list)
    description: str = ""
    h1: int = 0
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    alternates: dict[str, str] = field(default_factory=dict)
    canonical: str = ""
    seen_names: set[str] = field(default_factory=set)
    repeated_names: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    shown_classes: set[str] = field(default_factory=set)
    shown_tags: set[str] = field(default_factory=set)
    language: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._in_title = False
        self._in_svg = 0
        # the closed element that the parser is in, once more for each element of this name inside it
        self._closed: list[str] = []
        self._in_summary = False
        self.feed(self.html)

    def facts(self) -> dict[str, Any]:
        """Returns the parts of the page as values for JSON, without path and text."""
        return {
            "titles": self.titles,
            "description": self.description,
            "h1": self.h1,
            "links": self.links,
            "sources": self.sources,
            "alternates": self.alternates,
            "canonical": self.canonical,
            "language": self.language,
            **{name: sorted(getattr(self, name)) for name in _SETS},
        }

    def add(self, facts: Mapping[str, Any]) -> None:
        """Adds the facts of the section of the page that follows this one."""
        self.repeated_names |= self.seen_names & set(facts["seen_names"])
        for name in _SETS:
            getattr(self, name).update(facts[name])
        for name in ("titles", "links", "sources"):
            getattr(self, name).extend(facts[name])
        self.h1 += facts["h1"]
        self.alternates |= facts["alternates"]
        for name in ("description", "canonical", "language"):
            setattr(self, name, facts[name] or getattr(self, name))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in_svg += tag == "svg"
        self._in_title = tag == "title" and not self._in_svg
        self.h1 += tag == "h1"
        classes = values.get("class", "").split()
        self.tags.add(tag)
        self.classes.update(classes)
        if self._is_shown(tag, values):
            self.shown_tags.add(tag)
            self.shown_classes.update(classes)
        if tag == "html":
            self.language = values.get("lang", "").partition("-")[0]
        if identity := values.get("id"):
            self._note_name(f"id {identity!r}")
            self.ids.add(identity)
        if tag == "meta" and (name := values.get("name") or values.get("property")):
            self._note_name(f"meta {name!r}")
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("img", "script", "source", "iframe", "video", "audio") and (
            source := values.get("src") or values.get("data-src")
        ):
            self.sources.append(source)
        if tag == "meta" and values.get("name") == "description":
            self.description = values.get("content", "")
        if tag == "meta" and values.get("name") == "stylesheet":
            self.sources.append(values.get("content", ""))
        if tag == "link":
            self._link(values)

    def handle_endtag(self, tag: str) -> None:
        self._in_svg -= tag == "svg"
        self._in_title = False
        if tag == "summary":
            self._in_summary = False
        if tag in self._closed:
            self._closed.pop()

    def _is_shown(self, tag: str, values: Mapping[str, str]) -> bool:
        """Returns False if the element is inside a closed one, or is closed itself; a `details` and its summary are shown."""
        if self._closed:
            self._in_summary = self._in_summary or (tag == "summary" and self._closed == ["details"])
            self._closed += [tag] if tag in self._closed else []
            return self._in_summary
        if tag == "dialog" or "popover" in values or "data-closed" in values:
            self._closed = [tag]
            return False
        if tag == "details" and "open" not in values:
            self._closed = [tag]
        return True

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.titles.append(data)

    def _note_name(self, part: str) -> None:
        (self.repeated_names if part in self.seen_names else self.seen_names).add(part)

    def _link(self, values: dict[str, str]) -> None:
        relation = values.get("rel")
        href = values.get("href", "")
        if relation == "alternate" and "hreflang" in values:
            self.alternates[values["hreflang"]] = urlsplit(href).path
        elif relation == "canonical":
            self.canonical = urlsplit(href).path
        elif relation in ("icon", "manifest", "apple-touch-icon", "preload"):
            self.sources.append(href)


def check(
    static: Path,
    server_paths: Iterable[str] = (),
    is_strict: Callable[[str], bool] = lambda path: True,
    parse: Callable[[str, str], Page] = Page,
) -> list[str]:
    """Raises BrokenSite with every fault of every page. `server_paths` are paths that the server answers without a file.

    Returns faults of the title, description, h1 or ids as advice for pages that are not strict.
    """
    pages = {}
    for file in sorted(static.rglob("index.html")):
        path = ("/" + file.parent.relative_to(static).as_posix()).replace("/.", "/")
        pages[path] = parse(path, file.read_text())
    known_paths = set(server_paths)
    advice = []
    faults = []
    for page in pages.values():
        (faults if is_strict(page.path) else advice).extend(f"{page.path}: {fault}" for fault in _head_faults(page))
    faults += [
        *(f"{page.path}: {fault}" for page in pages.values() for fault in _language_faults(page, pages)),
        *(f"{page.path}: {fault}" for page in pages.values() for fault in _link_faults(page, pages, static, known_paths)),
    ]
    if faults:
        raise BrokenSite("\n".join(faults))
    return advice


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
            yield f"hreflang {tag} leads to {path}, which does not lead back alike"
    if page.alternates and page.path not in page.alternates.values():
        yield "hreflang does not name the page itself"


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
        if source.startswith(("http:", "https:", "//")):
            yield f"{source} is on another host, from which the policy of the pages loads nothing: put the file into assets/"
        if source.startswith("/") and not (static / path.lstrip("/")).is_file():
            yield f"{source} is not there"


_PARSER_VERSION = "2"  # a new number makes the cache invalid


class BuildCache:
    """A JSON file of results by digest. `save` drops the results that this build did not use."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._earlier = _read(file)
        self._used: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """Returns the result for this digest, or None."""
        if key not in self._used and key in self._earlier:
            self._used[key] = self._earlier[key]
        return self._used.get(key)

    def put(self, key: str, value: Any) -> Any:
        self._used[key] = value
        return value

    def save(self) -> None:
        draft = self._file.with_name(f"{self._file.name}.draft")
        draft.write_text(json.dumps(self._used))
        draft.replace(self._file)


class ParsedPages:
    """Parses pages, and caches the facts of their bodies in a file."""

    def __init__(self, folder: Path) -> None:
        self._bodies = BuildCache(folder / "parsed_bodies.json")

    def page(self, path: str, html: str) -> Page:
        """Returns the page with all its parts."""
        head, mark, body = html.partition("<body")
        page = Page(path, head)
        key = digest(_PARSER_VERSION, body)
        page.add(self._bodies.get(key) or self._bodies.put(key, Page("", mark + body).facts()))
        return page

    def save(self) -> None:
        self._bodies.save()


def digest(*parts: str | bytes) -> str:
    """Returns a digest of these parts in their order."""
    total = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        total.update(f"{len(content)}:".encode() + content)
    return total.hexdigest()


def keys_of_styles(sheet: bytes, pages: Mapping[Path, Mapping[str, Any]], tools: Iterable[Path]) -> dict[Path, str]:
    """Returns a digest of all that the style of each page follows from: the sheet, what the page uses, and the program that selects."""
    same_for_all = digest(sheet, *(tool.read_bytes() for tool in tools))
    return {page: digest(same_for_all, json.dumps(used, sort_keys=True)) for page, used in pages.items()}


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
