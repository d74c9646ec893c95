"""Translates texts, with the English text as the key, and finds doubtful translations."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from site_app.core.i18n.locale import ENGLISH, Locale, current
from site_app.core.i18n.office_catalogs import lay_over, office_file, read_office

CATALOGS = Path(__file__).parents[3] / "locales"


@dataclass(frozen=True)
class Lookups:
    """The texts that were looked up, those without a translation, and the English texts shown instead, with values filled in."""

    requested_texts: set[str]
    missing: set[str]
    fallbacks: set[str]


_catalogs: dict[str, tuple[Catalog, bytes | None]] = {}  # by language, with the content of the office's file
_recorder: ContextVar[Lookups | None] = ContextVar("recorder", default=None)


@contextmanager
def recorded_lookups() -> Iterator[Lookups]:
    """Collects the texts that are looked up inside the block."""
    lookups = Lookups(set(), set(), set())
    token = _recorder.set(lookups)
    try:
        yield lookups
    finally:
        _recorder.reset(token)


def t(english: str, **values: object) -> str:
    """Returns the text in the current language, with its {placeholders} filled."""
    return _translated(english, None, values)


def tc(context: str, english: str, **values: object) -> str:
    """Like t, for a word whose meaning depends on the context."""
    return _translated(english, context, values)


def tn(singular: str, plural: str, count: int, **values: object) -> str:
    """Like t, for a text that depends on a number, which it may contain as {count}."""
    locale = current()
    english = singular if count == 1 else plural
    if locale is ENGLISH:
        return _filled(english, {"count": count} | values)
    _note(english)
    message = catalog(locale.id).get(singular)
    forms = message.string if message and isinstance(message.string, tuple | list) else ()
    if forms and all(forms):
        return _filled(forms[_form(locale.id, count)], {"count": count} | values)
    return _untranslated(english, {"count": count} | values)


def labelled(label: str, value: str = "") -> str:
    """Returns a label and its value with the language's colon; without a value, the part before it."""
    return t("{label}: {value}", label=label, value=value)


def in_english(title: str) -> str:
    """Returns the title of a text that exists only in English, for a link to it: 隐私政策（英文）."""
    return title if current() is ENGLISH else t("{title} (in English)", title=title)


def sentence_separator() -> str:
    """Returns the separator of two sentences: a space, in Chinese an empty string."""
    return current().sentence_separator


def listed(parts: Iterable[str]) -> str:
    """Joins names or file endings with the language's list separator."""
    # Translators: the sign between the members of a list, with the space after it.
    return tc("list", ", ").join(parts)


def enumerated(parts: Iterable[str]) -> str:
    """Joins words of the current language, the last one with "and": English and Thai."""
    *first_parts, last = [*parts] or [""]
    return tc("words", "{rest} and {last}", rest=listed(first_parts), last=last) if first_parts else last


def catalog(language: str) -> Catalog:
    """Returns the translations of a language: those of locales/, and over them those that were published in the office."""
    if language not in _catalogs:
        _catalogs[language] = _read_catalog(language)
    return _catalogs[language][0]


def read_catalogs_anew() -> None:
    """Takes what was published in the office since. Until a catalog is whole, texts come from the one before."""
    for language, (_, office) in [*_catalogs.items()]:
        if _office_bytes(language) != office:
            _catalogs[language] = _read_catalog(language)


def _read_catalog(language: str) -> tuple[Catalog, bytes | None]:
    """Returns the translations, and the content of the office's file in them."""
    file, office = CATALOGS / language / "LC_MESSAGES" / "messages.po", _office_bytes(language)
    if not file.exists():
        return Catalog(), office
    with file.open("rb") as stream:
        translations = read_po(stream)
    lay_over(translations, read_office(office))
    return translations, office


def _office_bytes(language: str) -> bytes | None:
    from site_app.core.settings import settings  # at the first text, since the settings import the table of languages

    try:
        return office_file(settings().content_folder, language).read_bytes()
    except OSError:
        return None


def _form(language: str, count: int) -> int:
    """Returns the index of the plural form for a number: Thai has one form, German two, Russian three."""
    return _plural_rule(catalog(language).plural_expr)(count)


@cache
def _plural_rule(expression: str) -> Callable[[int], int]:
    return c2py(expression)


def _translated(english: str, context: str | None, values: dict[str, object]) -> str:
    locale = current()
    if locale is ENGLISH:
        return _filled(english, values)
    _note(english)
    message = catalog(locale.id).get(english, context)
    return _filled(str(message.string), values) if message and message.string else _untranslated(english, values)


def _note(english: str) -> None:
    if lookups := _recorder.get():
        lookups.requested_texts.add(english)


def _untranslated(english: str, values: dict[str, object]) -> str:
    text = _filled(english, values)
    if lookups := _recorder.get():
        lookups.missing.add(english)
        lookups.fallbacks.add(text)
    return text


def is_fallback(text: str) -> bool:
    """Returns True if the text was shown in English because it has no translation, while lookups are recorded."""
    lookups = _recorder.get()
    return lookups is not None and text in lookups.fallbacks


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format(**values) if values else text


_NARROW_PLACES = ("content/records", "content/navigation", "content/form_words", "contracts/fields", "forms/", "dialogs.")
_SHORT_COLUMNS = 24  # an English text up to this width in these modules is a button, a menu entry or a label
_MAX_WIDTH_FACTOR = 1.6  # times the width of the English text
_FREE_COLUMNS = 16  # that always fit
_FORBIDDEN_SECTION = re.compile(r"^## Never\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\|", re.MULTILINE)


def never_used(locale: Locale) -> dict[str, str]:
    """Returns the words that the language's glossary forbids under its heading "Never", each with its replacement."""
    file: Path = CATALOGS / locale.id / "glossary.md"
    section = _FORBIDDEN_SECTION.search(file.read_text(encoding="utf-8")) if file.exists() else None
    rows = _ROW.finditer(section[1]) if section else ()
    return {row[1]: row[2] for row in list(rows)[2:]}  # skips the table's header and separator


def doubts(locale: Locale, messages: Iterable[Message]) -> Iterator[str]:
    """Yields a line for each text of a catalog that somebody should review."""
    forbidden = {
        re.compile(_pattern(word), re.IGNORECASE): (word, replacement) for word, replacement in never_used(locale).items()
    }
    for message in messages:
        if not message.id:
            continue
        english, translation = _first(message.id), _first(message.id if locale is ENGLISH else message.string)
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
