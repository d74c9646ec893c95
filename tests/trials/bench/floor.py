"""A page's floor: the same words in plain tags with a line of style, the minimum for a site with that text."""

import re
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import brotli

FOLDER = "floor"
_PLAIN = frozenset(
    (
        *("h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td"),
        *("main", "header", "footer", "nav", "section", "article", "a"),
    )
)
_DROPPED = frozenset(("script", "style", "svg", "template", "dialog", "head"))
_STYLE = "body{font:1.0625rem/1.65 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}h1{font-size:3rem;line-height:1.1}"


class _Plain(HTMLParser):
    """Keeps words, plain tags, links and accessibility attributes; drops the rest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.written: list[str] = []
        self._dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._dropped += tag in _DROPPED
        if tag in _PLAIN and not self._dropped:
            address = next((value for name, value in attrs if name == "href" and tag == "a"), None)
            self.written.append(f'<{tag} href="{address}">' if address else f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _PLAIN and not self._dropped:
            self.written.append(f"</{tag}>")
        self._dropped -= tag in _DROPPED and self._dropped > 0

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.written.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def floor(html: str) -> str:
    """Returns the floor of one built page."""
    reader = _Plain()
    reader.feed(html[html.index("<body") :])
    title, description, language = (
        _first_group(html, pattern)
        for pattern in (r"<title>([^<]*)", r'name="description" content="([^"]*)', r'<html[^>]*lang="([^"]*)')
    )
    head = (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="{description}">'
        f"<style>{_STYLE}</style></head><body>"
    )
    return f"{head}{''.join(reader.written)}</body></html>"


def floors(client: Path, paths: Sequence[str], finish: Callable[[str], str] = floor) -> Mapping[str, bytes]:
    """Returns the floors of these pages and their compressed copies, by file name."""
    files: dict[str, bytes] = {}
    for path in paths:
        html = finish((client / path.lstrip("/") / "index.html").read_text()).encode()
        name = f"{FOLDER}{path.rstrip('/')}/index.html"
        files |= {name: html, f"{name}.br": brotli.compress(html)}
    return files


def _first_group(html: str, pattern: str) -> str:
    match = re.search(pattern, html)
    return match[1] if match else ""
