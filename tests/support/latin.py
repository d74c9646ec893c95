"""Finds Latin words in Thai and Chinese texts that no catalog has: English that the code does not pass through t()."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

from site_app.content.people import people
from site_app.content.publications import all_publications
from site_app.contracts.fields import EXTENSIONS
from site_app.contracts.kinds import LEAD_KINDS
from site_app.core.i18n.translate import catalog
from site_app.core.settings import Settings

_PREFIXES = "|".join(["C", *(kind.prefix for kind in LEAD_KINDS)])  # of references: meetings, and each kind of lead
# Addresses, reference numbers and codes of currencies are the same in every language.
_CODES = re.compile(
    rf"UTC[+−-][\d:]+|https?://\S*|\S+@\S+|[\w.-]+\.example\.(?:com|org)\S*|\b(?:{_PREFIXES})-\w{{4}}-\w{{2}}\b"
    r"|(?<=[(（])[A-Z]{3}(?=[)）])"
)
_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:['’.-][A-Za-z0-9]+)*")
_TEXT_ATTRIBUTES = ("alt", "aria-label", "aria-description", "title", "placeholder", "label", "abbr", "data-label")
_META = ("description", "og:title", "og:description", "og:site_name", "twitter:title", "twitter:description")
_SILENT = ("script", "style", "svg", "code", "kbd")
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "path")
# Machine-readable keys of JSON-LD.
_FOR_MACHINES = ("@context", "@type", "@id", "url", "logo", "image", "email", "sameAs", "inLanguage", "item", "priceCurrency")


def latin_words(texts: Iterable[str], language: str) -> set[str]:
    """Returns the Latin words in these texts that neither the language's catalog nor a setting has."""
    allowed = _known_words(language)
    return {word for text in texts for word in _WORD.findall(_CODES.sub(" ", text)) if word not in allowed}


@cache
def _known_words(language: str) -> frozenset[str]:
    """Returns the words of translations and untranslated texts, of the settings, of people and publications, and a few names from the code."""
    messages = [message for message in catalog(language) if message.id]
    texts = [text for message in messages for text in _forms(message.string) or _forms(message.id)]
    settings = [value for value in vars(Settings()).values() if isinstance(value, str)]
    names = [part for person in people() for part in (person.name, person.initials)]
    translated = [publication.texts[language] for publication in all_publications() if language in publication.texts]
    files = [text.file.read_text(encoding="utf-8") for text in translated]  # native writers chose the Latin words in them
    product_names = ("kB UTC", "Google Calendar, Outlook")
    return frozenset(
        word for text in (*texts, *settings, *EXTENSIONS, *names, *files, *product_names) for word in _WORD.findall(text)
    )


def _forms(text: object) -> list[str]:
    return [str(form) for form in (text if isinstance(text, tuple | list) else (text,)) if form]


def visible_texts(html: str) -> list[str]:
    """Returns the texts of a page that people read in its language: text, labels, descriptions, data for search engines."""
    page = _Page()
    page.feed(html)
    return page.texts


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []  # each element, and if its content is in the page's language
        self._language = ""
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._language = self._language or (values.get("lang", "") if tag == "html" else "")
        is_own = values.get("lang", self._language) == self._language and self._is_heard
        if is_own:
            self.texts += [values[name] for name in _TEXT_ATTRIBUTES if values.get(name)]
            if tag == "meta" and values.get("name", values.get("property")) in _META:
                self.texts.append(values.get("content", ""))
        self._is_data = values.get("type") == "application/ld+json"
        if tag not in _VOID:
            self._open.append((tag, is_own and tag not in _SILENT))

    def handle_endtag(self, tag: str) -> None:
        while self._open and any(tag == name for name, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self._is_data = False
            self.texts += _data(json.loads(data))
        elif self._is_heard and data.strip():
            self.texts.append(data.strip())

    @property
    def _is_heard(self) -> bool:
        return not self._open or self._open[-1][1]


def _data(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from visible_texts(value)  # answers contain markup
    elif isinstance(value, list):
        for element in value:
            yield from _data(element)
    elif isinstance(value, dict):
        for name, element in value.items():
            if name not in _FOR_MACHINES:
                yield from _data(element)
