"""Translates texts, with the English text as the key."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from site_app.core import ROOT
from site_app.core.i18n.current_locale import current
from site_app.core.i18n.office_catalogs import lay_over, office_file, read_office
from site_app.core.locales import ENGLISH
from site_app.core.settings import settings

CATALOGS = ROOT / "locales"


@dataclass(frozen=True)
class Lookups:
    """The texts that were looked up, those without a translation, and the English texts shown instead, with values filled in."""

    requested_texts: set[str]
    missing: set[str]
    fallbacks: set[str]


# Shared by all messages, and never filled.
_NOTHING: list[Any] = []
_NO_FLAGS: set[str] = set()
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
    """Returns the same as t for a word whose meaning depends on the context."""
    return _translated(english, context, values)


def tn(singular: str, plural: str, count: int, **values: object) -> str:
    """Returns the same as t for a text that depends on a number, which it may contain as {count}."""
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


def join_list(parts: Iterable[str]) -> str:
    """Joins names or file endings with the language's list separator."""
    # Translators: the sign between the members of a list, with the space after it.
    return tc("list", ", ").join(parts)


def join_with_and(parts: Iterable[str]) -> str:
    """Joins words of the current language, the last one with "and": English and Thai."""
    *first_parts, last = [*parts] or [""]
    return tc("words", "{rest} and {last}", rest=join_list(first_parts), last=last) if first_parts else last


def join_names(names: Iterable[str]) -> str:
    """Joins names in Latin letters, the last one with "and"."""
    *first_names, last = [*names] or [""]
    return tc("names", "{rest} and {last}", rest=join_list(first_names), last=last) if first_names else last


def catalog(language: str) -> Catalog:
    """Returns the translations of a language: those of locales/, replaced by those published in the office where there are any."""
    if language not in _catalogs:
        _catalogs[language] = _read_catalog(language)
    return _catalogs[language][0]


def reload_changed_catalogs() -> None:
    """Reloads each catalog whose office file has changed. Until the new one is complete, texts come from the old one."""
    for language, (_, office) in [*_catalogs.items()]:
        if _office_bytes(language) != office:
            _catalogs[language] = _read_catalog(language)


def _read_catalog(language: str) -> tuple[Catalog, bytes | None]:
    """Returns the translations, and the content of the office's file, which is part of them."""
    file = CATALOGS / language / "LC_MESSAGES" / "messages.po"
    office = _office_bytes(language)
    if not file.exists():
        return Catalog(), office
    with file.open("rb") as stream:
        translations = read_po(stream, ignore_obsolete=True)
    lay_over(translations, read_office(office))
    for message in translations:  # the notes of translators take as much memory as the texts
        message.locations = message.auto_comments = message.user_comments = message.previous_id = _NOTHING
        message.flags = _NO_FLAGS
    return translations, office


def _office_bytes(language: str) -> bytes | None:
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


def note_english(*texts: str) -> None:
    """Notes texts without a translation of their own that are shown in English, so that their elements say so."""
    if lookups := _recorder.get():
        lookups.fallbacks.update(texts)


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format(**values) if values else text
