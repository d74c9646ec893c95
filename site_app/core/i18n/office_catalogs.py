"""Translations that were written in the office: for each language a catalog in SITE_CONTENT, laid over that of locales/."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from site_app.core.locales import Locale

TRANSLATIONS_FOLDER = "translations"  # below SITE_CONTENT
_TAG = re.compile(r"</?\w+[^>]*>")
_DATED = re.compile(r'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator|Language-Team): .*\n', re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_HEADER = (
    "# Translations that were written in the office. They count over those of locales/, and `make words` takes them in there."
)
_formatter = Formatter()

CatalogKey = tuple[str, str]  # the context of a text, or "", and its English


@dataclass(frozen=True)
class OfficeTranslation:
    """A translation of a text: English with its plural, and the forms of the translation."""

    english: tuple[str, ...]
    forms: tuple[str, ...]


def office_file(content_folder: Path, language: str) -> Path:
    return content_folder / TRANSLATIONS_FOLDER / f"{language}.po"


def read_office(content: bytes | None) -> list[Message]:
    """Returns the translations in a catalog of the office; none if there is no such file, or it cannot be read."""
    try:
        return [message for message in read_po(BytesIO(content or b"")) if message.id and forms_of(message)]
    except (ValueError, LookupError):  # its bytes are not in the encoding that its header names
        return []


def lay_over(catalog: Catalog, office: Sequence[Message]) -> None:
    """Puts translations of the office into a catalog. Skips those of deleted texts, and those with mistakes."""
    for message in office:
        shipped = catalog.get(first_of(message), message.context)
        forms = forms_of(message)
        if shipped is None or english_of(shipped) != english_of(message):
            continue
        is_whole = len(forms) == (catalog.num_plurals if len(english_of(shipped)) > 1 else 1)
        if is_whole and not mistakes_of(english_of(shipped), forms):
            shipped.string = message.string
            shipped.flags.discard("fuzzy")
            shipped.previous_id = []


def written_office(
    locale: Locale, content: bytes | None, changes: Mapping[CatalogKey, OfficeTranslation | None]
) -> bytes | None:
    """Returns the office's catalog with these changes; a change to None removes the translation. Returns None if nothing is left."""
    translations = {
        key_of(message): OfficeTranslation(english_of(message), forms_of(message)) for message in read_office(content)
    }
    translations |= {key: change for key, change in changes.items() if change}
    catalog = new_catalog(locale, header=_HEADER)
    for key in sorted(translations, key=lambda key: (key[1], key[0])):
        if changes.get(key, translations[key]):
            entry = translations[key]
            has_plural = len(entry.english) > 1
            english = entry.english if has_plural else entry.english[0]
            forms = entry.forms if has_plural else entry.forms[0]
            catalog.add(english, forms, context=key[0] or None)
    return as_po(catalog).encode() if len(catalog) else None


def new_catalog(locale: Locale, *, header: str) -> Catalog:
    return Catalog(locale=locale.tag.replace("-", "_"), header_comment=header, project="agency-site", fuzzy=False)


def as_po(catalog: Catalog) -> str:
    """Returns the catalog's file, without the headers that would change on every run."""
    stream = BytesIO()
    write_po(stream, catalog, width=100, sort_output=False, omit_header=False, include_lineno=False, include_previous=True)
    return _DATED.sub("", stream.getvalue().decode())


def mistakes_of(english: Sequence[str], forms: Sequence[str]) -> list[str]:
    """Returns the mistakes in the forms of a translation, each sentence once."""
    return list(dict.fromkeys(mistake for form in forms for mistake in form_mistakes(english, form)))


def form_mistakes(english: Sequence[str], form: str) -> Iterator[str]:
    """Yields the mistakes in a translation, or in one of its plural forms.

    A placeholder must be identical to that of the English, because {name.attribute} or {name[key]} could print what the page must not show.
    """
    try:
        placeholders = {field for text in english for field in _fields(text)}
    except ValueError:
        placeholders = None  # its braces are no placeholders
    try:
        fields = _fields(form)
        if placeholders is not None and (fields - placeholders or (len(english) == 1 and fields != placeholders)):
            yield f"Its placeholders are {_listed(fields)}, and those of the English {_listed(placeholders)}."
    except ValueError:
        if placeholders is not None:
            yield "A brace, { or }, has no partner."
    if _tags(form) != _tags(english[0]) or form.count("<") != english[0].count("<"):
        yield f"Its tags are {_listed(_tags(form))}, and those of the English {_listed(_tags(english[0]))}."
    if "\n" in form and not any("\n" in text for text in english):
        yield "It must be in one line, as the English is."
    if _CONTROL.search(form):
        yield "It has a sign that cannot be seen, such as a tabulator."


def english_of(message: Message) -> tuple[str, ...]:
    """Returns the English text, or its singular and plural."""
    return tuple(map(str, message.id)) if isinstance(message.id, tuple | list) else (str(message.id),)


def first_of(message: Message) -> str:
    return english_of(message)[0]


def key_of(message: Message) -> CatalogKey:
    return (message.context or "", first_of(message))


def forms_of(message: Message) -> tuple[str, ...]:
    """Returns the translation, or its plural forms; none if one is missing."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return tuple(map(str, forms)) if all(forms) else ()


def _fields(text: str) -> set[str]:
    """Returns the placeholders, each as it is written. Raises ValueError if a brace has no partner."""
    return {
        f"{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"
        for _, name, spec, conversion in _formatter.parse(text)
        if name is not None
    }


def _tags(text: str) -> list[str]:
    return sorted(_TAG.findall(text))


def _listed(parts: set[str] | list[str]) -> str:
    return ", ".join(sorted(parts)) or "none"
