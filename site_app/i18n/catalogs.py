"""The catalogs under locales/: extracted from the code, updated without losing a translation, checked."""

import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from site_app.i18n.locale import ENGLISH, LOCALES, Locale
from site_app.i18n.words import CATALOGS

KEYWORDS = {"t": None, "tc": ((1, "c"), 2), "tn": (1, 2)}
TEMPLATE = "messages.pot"
_HEADER = "# The words of the site. English is the key; `make words` renews this file and keeps what is translated."
_BABEL_TAGS = {"cn": "zh_Hans"}
_PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")
_TAG = re.compile(r"</?\w+[^>]*>")

Key = tuple[str | None, str]


def extract(sources: Path) -> Catalog:
    """Every text of the code, with the places it stands in and the comments for translators."""
    catalog = Catalog(header_comment=_HEADER, project="agency-site", fuzzy=False)
    methods = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
    found = extract_from_dir(sources, methods, keywords=KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True)
    for file, _line, words, comments, context in sorted(found, key=lambda one: (one[0], one[1])):
        # no line numbers: they would change a catalog with every edit of the code
        catalog.add(words, locations=[(f"{sources.name}/{file}", 0)], auto_comments=comments, context=context)
    return catalog


def update(sources: Path) -> None:
    """Write the template and bring every language's catalog up to it."""
    template = extract(sources)
    _write(CATALOGS / TEMPLATE, template)
    for locale in LOCALES:
        file = path_of(locale)
        catalog = _read(file)
        catalog.header_comment = _HEADER
        catalog.update(template, no_fuzzy_matching=True, update_header_comment=False)
        catalog.obsolete.clear()
        _write(file, catalog)


def faults(sources: Path) -> Iterator[str]:
    """What is wrong with the catalogs: texts that are missing or gone, and translations that would not fill or close."""
    catalogs = {file: _read(file) for file in (CATALOGS / TEMPLATE, *(path_of(locale) for locale in LOCALES))}
    wanted = _keys(extract(sources))
    here = [_keys(catalog) for catalog in catalogs.values()]
    yield from (
        f"not in every catalog: {words!r}: run make words" for _, words in sorted(wanted - set.intersection(*here), key=str)
    )
    yield from (f"no longer in the code: {words!r}: run make words" for _, words in sorted(set.union(*here) - wanted, key=str))
    for file, catalog in catalogs.items():
        for message in catalog:
            yield from (f"{file.relative_to(CATALOGS)}: {fault}" for fault in _broken(message))


def path_of(locale: Locale) -> Path:
    return CATALOGS / locale.id / "LC_MESSAGES" / "messages.po"


def untranslated(locale: Locale, wanted: Catalog) -> list[str]:
    """The texts of the code that a language has no words for, each with its module; English needs none."""
    if locale is ENGLISH:
        return []
    catalog = _read(path_of(locale))
    return [
        f"{message.locations[0][0]}: {_first(message)!r}" for message in wanted if message.id and not _says(catalog, message)
    ]


def _says(catalog: Catalog, message: Message) -> bool:
    found = catalog.get(_first(message), message.context)
    return found is not None and bool(_all_forms(found))


def _broken(message: Message) -> Iterator[str]:
    if not message.id:
        return
    if message.fuzzy:
        yield f"{_first(message)!r} is marked fuzzy"
    originals = message.id if isinstance(message.id, tuple | list) else (message.id,)
    names, tags = _names(originals), _tags(originals[0])
    for form in _all_forms(message):
        if _names((form,)) - names or (len(originals) == 1 and _names((form,)) != names):
            yield f"{_first(message)!r} has the placeholders {sorted(names)}, its translation {sorted(_names((form,)))}"
        if _tags(form) != tags:
            yield f"{_first(message)!r} and its translation do not have the same tags"


def _names(texts: tuple[str, ...] | list[str]) -> set[str]:
    return {name for text in texts for name in _PLACEHOLDER.findall(text)}


def _tags(text: str) -> list[str]:
    return sorted(_TAG.findall(text))


def _all_forms(message: Message) -> list[str]:
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return [str(form) for form in forms if form]


def _first(message: Message) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def _keys(catalog: Catalog) -> set[Key]:
    return {(message.context, _first(message)) for message in catalog if message.id}


def _read(file: Path) -> Catalog:
    if not file.exists():
        language = file.parts[-3]
        return Catalog(locale=_BABEL_TAGS.get(language, language), header_comment=_HEADER, project="agency-site", fuzzy=False)
    with file.open("rb") as opened:
        return read_po(opened)


def _write(file: Path, catalog: Catalog) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, catalog, width=100, sort_output=False, omit_header=False, include_lineno=False)
    # dates of extraction would change every file on every run
    text = re.sub(
        r'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator|Language-Team): .*\n',
        "",
        file.read_text(),
        flags=re.M,
    )
    file.write_text(text)
