"""Doubts about translations that are valid otherwise: left in English, too long, or with a word that is never to be used."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Message

from site_app.core.i18n.locale import ENGLISH, Locale
from site_app.core.i18n.words import CATALOGS

_TIGHT = ("content/invitations", "content/navigation", "content/booking_words", "contracts/labels", "forms/", "dialogs.")
_SHORT = 24  # an English text of up to so many columns there stands on a button, in a menu or above a field
_LONGEST = 1.6  # times the room that the English takes
_ROOM = 16  # columns that are there in any case
_NEVER = re.compile(r"^## Never\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\|", re.MULTILINE)


def never_used(locale: Locale) -> dict[str, str]:
    """The words that the language's glossary forbids under its heading "Never", each with what to write instead."""
    file: Path = CATALOGS / locale.id / "glossary.md"
    section = _NEVER.search(file.read_text(encoding="utf-8")) if file.exists() else None
    rows = _ROW.finditer(section[1]) if section else ()
    return {row[1]: row[2] for row in list(rows)[2:]}  # below the heads and the line


def doubts(locale: Locale, messages: Iterable[Message]) -> Iterator[str]:
    """A line for each text of a catalog that somebody should look at again."""
    forbidden = {re.compile(_pattern(word), re.IGNORECASE): (word, instead) for word, instead in never_used(locale).items()}
    for message in messages:
        if not message.id:
            continue
        english, said = _first(message.id), _first(message.id if locale is ENGLISH else message.string)
        if locale is not ENGLISH and said == english and re.search(r"[^\W\d_]{3}", re.sub(r"\{\w+\}", "", english)):
            yield f"as in English: {said!r}"
        if locale is not ENGLISH and _is_tight(message) and _columns(said) > max(_LONGEST * _columns(english), _ROOM):
            yield f"{_columns(said) / _columns(english):.1f} × the room of {english!r}: {said!r}"
        yield from (
            f"{word!r}, write {instead!r}: {said!r}" for sign, (word, instead) in forbidden.items() if sign.search(said)
        )


def _pattern(word: str) -> str:
    """Whole words in a language that separates them by spaces; in others the characters, wherever they stand."""
    return rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)


def _is_tight(message: Message) -> bool:
    return _columns(_first(message.id)) <= _SHORT and any(place in file for file, _ in message.locations for place in _TIGHT)


def _columns(text: str) -> int:
    """A text's width in Latin letters: marks above and below count nothing, Chinese characters two."""
    widths = (0 if unicodedata.combining(sign) or unicodedata.category(sign) == "Mn" else 1 for sign in text)
    return sum(widths) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def _first(text: object) -> str:
    return str(text[0] if isinstance(text, tuple | list) else text or "")
