"""Parses the finished pages: what the checks and the selection of styles read from one.

Caches for later builds what each head and each body says, because most pages do not change. They are cached apart: a head names files that
a change of the code renames on all pages.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from site_app.plugins.static_first.build_cache import BuildCache, digest

_SET_FIELDS = ("ids", "seen_names", "repeated_names", "classes", "tags", "shown_classes", "shown_tags")
_LIST_FIELDS = ("titles", "links", "sources", "loaded_from_hosts", "sent_to_hosts", "inline_handlers")
_LOADED_LINKS = frozenset({"icon", "manifest", "apple-touch-icon", "preload", "modulepreload", "stylesheet"})
_OF_OTHER_HOST = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_IN_SRCSET = re.compile(r"(?:^|[\s,])((?:https?:)?//[^\s,]+)", re.IGNORECASE)
_IN_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^)"'\s;]+)""", re.IGNORECASE)
_PARSER_VERSION = "5"  # a new number makes the cache invalid


@dataclass
class Page(HTMLParser):
    """The parts of one page that the build checks.

    `loaded_from_hosts` are addresses of other hosts that an element or a style would load, other than those of `sources`, and
    `sent_to_hosts` those to which a form would send. `shown_classes` and `shown_tags` are those of elements outside of what is closed at first: dialogs, popovers, `details` and what
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
    loaded_from_hosts: list[str] = field(default_factory=list)
    sent_to_hosts: list[str] = field(default_factory=list)
    inline_handlers: list[str] = field(default_factory=list)
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
        self._in_style = False
        self._in_svg = 0
        # the closed element that the parser is in, once more for each element of this name inside it
        self._closed: list[str] = []
        self._in_summary = False
        self.feed(self.html)

    def facts(self) -> dict[str, Any]:
        """Returns the parts of the page as values for JSON, without path and text."""
        return {
            "description": self.description,
            "h1": self.h1,
            "alternates": self.alternates,
            "canonical": self.canonical,
            "language": self.language,
            **{name: getattr(self, name) for name in _LIST_FIELDS},
            **{name: sorted(getattr(self, name)) for name in _SET_FIELDS},
        }

    def add(self, facts: Mapping[str, Any]) -> None:
        """Adds the facts of the section of the page that follows this one."""
        self.repeated_names |= self.seen_names & set(facts["seen_names"])
        for name in _SET_FIELDS:
            getattr(self, name).update(facts[name])
        for name in _LIST_FIELDS:
            getattr(self, name).extend(facts[name])
        self.h1 += facts["h1"]
        self.alternates |= facts["alternates"]
        for name in ("description", "canonical", "language"):
            setattr(self, name, facts[name] or getattr(self, name))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in_svg += tag == "svg"
        self._in_title = tag == "title" and not self._in_svg
        self._in_style = tag == "style"
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
        self.inline_handlers += [f"{name}={value!r}" for name, value in values.items() if name.startswith("on")]
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("img", "script", "source", "iframe", "video", "audio", "embed", "track", "input") and (
            source := values.get("src") or values.get("data-src")
        ):
            self.sources.append(source)
        self.loaded_from_hosts += _loaded_from_hosts(tag, values)
        self.sent_to_hosts += [
            address for name in ("action", "formaction") if _OF_OTHER_HOST.match(address := values.get(name, ""))
        ]
        if tag == "meta" and values.get("name") == "description":
            self.description = values.get("content", "")
        if tag == "meta" and values.get("name") == "stylesheet":
            self.sources.append(values.get("content", ""))
        if tag == "link":
            self._link(values)

    def handle_endtag(self, tag: str) -> None:
        self._in_svg -= tag == "svg"
        self._in_title = self._in_style = False
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
        if self._in_style:
            self.loaded_from_hosts += _IN_STYLE.findall(data)

    def _note_name(self, part: str) -> None:
        (self.repeated_names if part in self.seen_names else self.seen_names).add(part)

    def _link(self, values: dict[str, str]) -> None:
        relation = values.get("rel", "")
        href = values.get("href", "")
        if relation == "alternate" and "hreflang" in values:
            self.alternates[values["hreflang"]] = urlsplit(href).path
        elif relation == "canonical":
            self.canonical = urlsplit(href).path
        elif not _LOADED_LINKS.isdisjoint(relation.lower().split()):
            self.sources.append(href)


def _loaded_from_hosts(tag: str, values: Mapping[str, str]) -> Iterator[str]:
    """Yields the addresses of other hosts in the attributes of an element, except those in src= and of a link element."""
    yield from _IN_SRCSET.findall(f"{values.get('srcset', '')} {values.get('imagesrcset', '')}")
    yield from _IN_STYLE.findall(f"{values.get('style', '')} {values.get('class', '')}")
    addresses = [values.get("poster", "")]
    if tag == "object":
        addresses.append(values.get("data", ""))
    if tag in ("use", "image", "feimage"):
        addresses += [values.get("href", ""), values.get("xlink:href", "")]
    yield from filter(_OF_OTHER_HOST.match, addresses)


class ParsedPages:
    """Parses pages, and caches the facts of their heads and bodies in a file."""

    def __init__(self, folder: Path) -> None:
        self._facts = BuildCache(folder / "parsed_pages.json")

    def page(self, path: str, html: str) -> Page:
        """Returns the page with all its parts."""
        head, mark, body = html.partition("<body")
        page = Page(path, "")
        for section in (head, mark + body):
            key = digest(_PARSER_VERSION, section)
            page.add(self._facts.get(key) or self._facts.put(key, Page("", section).facts()))
        return page

    def save(self) -> None:
        self._facts.save()
