"""Finds doubtful translations: left in English, too wide for their place, or with words that the language's glossary forbids."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Message

from site_app.core.i18n.locale import ENGLISH, Locale
from site_app.core.i18n.translate import CATALOGS

_NARROW_PLACES = ("content/records", "content/navigation", "content/form_words", "contracts/fields", "forms/", "dialogs.")
_SHORT_COLUMNS = 24  # an English text up to this width in these modules is a button, a menu entry or a label
_MAX_WIDTH_FACTOR = 1.6  # times the width of the English text
_FREE_COLUMNS = 16  # that always fit
_FORBIDDEN_SECTION = re.compile(r"^## Never\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\|", re.MULTILINE)


def forbidden_words(locale: Locale) -> dict[str, str]:
    """Returns the words that the language's glossary forbids under its heading "Never", each with its replacement."""
    file: Path = CATALOGS / locale.id / "glossary.md"
    section = _FORBIDDEN_SECTION.search(file.read_text(encoding="utf-8")) if file.exists() else None
    rows = _ROW.finditer(section[1]) if section else ()
    return {row[1]: row[2] for row in list(rows)[2:]}  # skips the table's header and separator


def doubtful_translations(locale: Locale, messages: Iterable[Message]) -> Iterator[str]:
    """Yields a line for each text of a catalog that somebody should review."""
    forbidden = {
        re.compile(_pattern(word), re.IGNORECASE): (word, replacement) for word, replacement in forbidden_words(locale).items()
    }
    for message in messages:
        if not message.id:
            continue
        english = _first(message.id)
        translation = _first(message.id if locale is ENGLISH else message.string)
        if locale is not ENGLISH and translation == english and re.search(r"[^\W\d_]{3}", re.sub(r"\{\w+\}", "", english)):
            yield f"as in English: {translation!r}"
        if (
            locale is not ENGLISH
            and _is_tight(message)
            and _columns(translation) > max(_MAX_WIDTH_FACTOR * _columns(english), _FREE_COLUMNS)
        ):
            yield f"{_columns(translation) / _columns(english):.1f} × the room of {english!r}: {translation!r}"
        yield from (
            f"{word!r}, write {replacement!r}: {translation!r}"
            for pattern, (word, replacement) in forbidden.items()
            if pattern.search(translation)
        )


def _pattern(word: str) -> str:
    """Returns a pattern for the whole word, or in scripts without spaces for the characters anywhere."""
    return rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)


def _is_tight(message: Message) -> bool:
    return _columns(_first(message.id)) <= _SHORT_COLUMNS and any(
        place in file for file, _ in message.locations for place in _NARROW_PLACES
    )


def _columns(text: str) -> int:
    """Returns a text's width in Latin letters: combining marks count 0, Chinese characters 2."""
    widths = (0 if unicodedata.combining(sign) or unicodedata.category(sign) == "Mn" else 1 for sign in text)
    return sum(widths) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def _first(text: object) -> str:
    return str(text[0] if isinstance(text, tuple | list) else text or "")
