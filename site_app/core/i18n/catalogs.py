"""Extracts the catalogs under locales/ from the code, updates them without losing a translation, and checks them."""

import ast
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from site_app.core.i18n.office_catalogs import (
    CatalogKey,
    as_po,
    english_of,
    first_of,
    form_mistakes,
    forms_of,
    key_of,
    lay_over,
    new_catalog,
    office_file,
    read_office,
)
from site_app.core.i18n.translate import CATALOGS
from site_app.core.locales import BY_ID, ENGLISH, LOCALES, Locale

KEYWORDS = {"t": None, "tc": ((1, "c"), 2), "tn": (1, 2)}
_HEADER = "# The words of the site. English is the key; `make words` renews this file and keeps what is translated."
_LEGAL_MODULES = (
    "content/legal.py",
    "content/legal_values.py",
)  # with legally binding texts: an old translation must not be shown for a new text
_MIN_SIMILARITY = 0.6  # minimum similarity to an earlier text; below it a text counts as new


def extract(sources: Path) -> Catalog:
    """Returns every text in the code, with its locations and the comments for translators."""
    catalog = Catalog(header_comment=_HEADER, project="agency-site", fuzzy=False)
    methods = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
    messages = extract_from_dir(sources, methods, keywords=KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True)
    for file, _line, words, comments, context in sorted(messages, key=lambda entry: (entry[0], entry[1])):
        # no line numbers, because they would change the catalogs with every edit of the code
        catalog.add(words, locations=[(f"{sources.name}/{file}", 0)], auto_comments=comments, context=context)
    return catalog


def update(sources: Path, content_folder: Path | None = None) -> None:
    """Updates every language's catalog to the texts in the code.

    Adds the office's translations in `content_folder`, and removes their files.
    """
    template = extract(sources)
    for locale in LOCALES:
        catalog = read_catalog_file(locale)
        office = office_file(content_folder, locale.id) if content_folder else None
        if office and office.is_file():
            lay_over(catalog, read_office(office.read_bytes()))
        catalog.header_comment = _HEADER
        earlier = {key_of(message): message.previous_id for message in catalog if message.fuzzy}
        # A copy, because `update` keeps the template's messages.
        catalog.update(deepcopy(template), no_fuzzy_matching=True, update_header_comment=False)
        for message in catalog:
            message.previous_id = earlier.get(key_of(message), [])
        _keep_edited(catalog)
        catalog.obsolete.clear()
        _write(catalog_file(locale), catalog)
        if office:
            office.unlink(missing_ok=True)


def _keep_edited(catalog: Catalog) -> None:
    """Gives an edited text the translation of its earlier wording, marked fuzzy until somebody has reviewed it."""
    obsolete = [message for message in catalog.obsolete.values() if _all_forms(message)]
    new = [message for message in catalog if message.id and not _all_forms(message) and not _binds(message)]
    pairs = (
        (_likeness(new_message, old_message), new_message, old_message)
        for new_message in new
        for old_message in obsolete
        if _can_stand_for(new_message, old_message)
    )
    for likeness, message, earlier in sorted(pairs, key=lambda pair: -pair[0]):
        if likeness < _MIN_SIMILARITY or _all_forms(message) or earlier not in obsolete:
            continue
        obsolete.remove(earlier)
        message.string = earlier.string
        original = _original(earlier)
        if original != first_of(message):
            message.previous_id = [original]
            message.flags.add("fuzzy")


def _binds(message: Message) -> bool:
    return all(file.endswith(_LEGAL_MODULES) for file, _ in message.locations)


def _can_stand_for(message: Message, earlier: Message) -> bool:
    """Returns True if the earlier translation fits the new text: same context, plural, placeholders and tags."""
    same = message.context == earlier.context and isinstance(message.id, str) == isinstance(earlier.id, str)
    return same and not any(mistake for form in _all_forms(earlier) for mistake in _mistakes_of_form(message, form))


def _likeness(message: Message, earlier: Message) -> float:
    """Returns the similarity, 1.0 for equal texts. After several edits, the wording that was translated counts as well."""
    texts = {first_of(earlier), _original(earlier)}
    return max(SequenceMatcher(None, first_of(message), text, autojunk=False).ratio() for text in texts)


def _original(message: Message) -> str:
    """Returns the English text from which the translation was made."""
    return str(message.previous_id[0]) if message.fuzzy and message.previous_id else first_of(message)


def mistakes(sources: Path) -> Iterator[str]:
    """Yields the mistakes in the catalogs: missing or obsolete texts, and translations with different placeholders or tags."""
    catalogs = {catalog_file(locale): read_catalog_file(locale) for locale in LOCALES}
    expected = _keys(extract(sources))
    keys_by_catalog = [_keys(catalog) for catalog in catalogs.values()]
    yield from (
        f"not in every catalog: {words!r}: run make words"
        for _, words in sorted(expected - set.intersection(*keys_by_catalog), key=str)
    )
    yield from (
        f"no longer in the code: {words!r}: run make words"
        for _, words in sorted(set.union(*keys_by_catalog) - expected, key=str)
    )
    for file, catalog in catalogs.items():
        for message in catalog:
            yield from (f"{file.relative_to(CATALOGS)}: {mistake}" for mistake in _mistakes_of(message))


def catalog_file(locale: Locale) -> Path:
    return CATALOGS / locale.id / "LC_MESSAGES" / "messages.po"


def read_catalog_file(locale: Locale) -> Catalog:
    """Reads the language's catalog from its file, including fuzzy translations; returns a new one if there is no file."""
    file = catalog_file(locale)
    if not file.exists():
        return new_catalog(locale, header=_HEADER)
    with file.open("rb") as stream:
        catalog = read_po(stream)
    for message in catalog:
        _read_previous(message)
    return catalog


@dataclass(frozen=True)
class CatalogText:
    """A text of the site as its translators see it, with the translation of locales/.

    `earlier` is the English that this translation was made of, if that has changed since; `files` are the modules that have the text.
    """

    context: str
    english: tuple[str, ...]
    forms: tuple[str, ...]
    earlier: str
    files: tuple[str, ...]
    hints: tuple[str, ...]

    @property
    def key(self) -> CatalogKey:
        return (self.context, self.english[0])


@cache
def catalog_texts(language: str) -> tuple[CatalogText, ...]:
    """Returns the texts of the site in the order of the catalog."""
    return tuple(
        CatalogText(
            message.context or "",
            english_of(message),
            forms_of(message),
            str(message.previous_id[0]) if message.fuzzy and message.previous_id else "",
            tuple(file for file, _ in message.locations),
            tuple(message.auto_comments),
        )
        for message in read_catalog_file(BY_ID[language])
        if message.id
    )


@cache
def plural_forms(language: str) -> int:
    """Returns the number of plural forms of the language."""
    return read_catalog_file(BY_ID[language]).num_plurals


def untranslated(locale: Locale, messages: Iterable[Message]) -> list[str]:
    """Returns the texts without a translation in that language, each with its module; none for English."""
    if locale is ENGLISH:
        return []
    catalog = read_catalog_file(locale)
    return [
        f"{message.locations[0][0]}: {first_of(message)!r}"
        for message in messages
        if message.id and not _has_words_for(catalog, message)
    ]


def _has_words_for(catalog: Catalog, message: Message) -> bool:
    entry = catalog.get(first_of(message), message.context)
    return entry is not None and bool(_all_forms(entry))


def to_review(locale: Locale) -> list[str]:
    """Returns the texts whose English was edited after their translation, each with its module and its earlier English."""
    return [
        f"{message.locations[0][0]}: {first_of(message)!r}, translated when it was {str(message.previous_id[0])!r}"
        for message in read_catalog_file(locale)
        if message.id and message.fuzzy and message.previous_id
    ]


def _mistakes_of(message: Message) -> Iterator[str]:
    if not message.id:
        return
    if message.fuzzy and not message.previous_id:
        yield f"{first_of(message)!r} is marked fuzzy, and nothing says what it was translated from"
    for form in _all_forms(message):
        yield from _mistakes_of_form(message, form)


def _mistakes_of_form(message: Message, form: str) -> Iterator[str]:
    """Yields the reasons why a translation cannot replace the text."""
    yield from (f"{first_of(message)!r}: {mistake}" for mistake in form_mistakes(english_of(message), form))


def _all_forms(message: Message) -> list[str]:
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return [str(form) for form in forms if form]


def _keys(catalog: Catalog) -> set[CatalogKey]:
    return {key_of(message) for message in catalog if message.id}


def _read_previous(message: Message) -> None:
    """Sets the earlier English of an edited text from its `#|` lines, which Babel writes but reads back as comments."""
    lines = [comment.removeprefix("|").strip() for comment in message.user_comments if comment.startswith("|")]
    message.user_comments = [comment for comment in message.user_comments if not comment.startswith("|")]
    quoted = re.findall(r'"(?:[^"\\]|\\.)*"', " ".join(line for line in lines if not line.startswith("msgctxt")))
    if message.fuzzy and quoted:
        message.previous_id = ["".join(ast.literal_eval(part) for part in quoted)]


def _write(file: Path, catalog: Catalog) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(as_po(catalog))
