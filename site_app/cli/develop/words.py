"""python -m site_app words: updates the translation catalogs from the code, and prints what is not translated or doubtful."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import shorten
from typing import Annotated

import typer
from babel.messages.catalog import Message

from site_app.cli.printing import print_rows
from site_app.content.routes import BY_PATH
from site_app.core.i18n.catalogs import extract, mistakes, read_catalog_file, to_review, untranslated, update
from site_app.core.i18n.glossary import forbidden_words
from site_app.core.i18n.markdown import BrokenText
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings, settings

_SOURCES = Path("site_app")
_MAX_TEXTS = 40  # shown at once
_MAX_SHOWN_LENGTH = 120  # of each of them
_NARROW_PLACES = ("content/records", "content/navigation", "content/form_words", "contracts/fields", "forms/", "dialogs.")
_SHORT_COLUMNS = 24  # an English text up to this width in these modules is a button, a menu entry or a label
_MAX_WIDTH_FACTOR = 1.6  # times the width of the English text
_FREE_COLUMNS = 16  # that always fit


def words(
    path: Annotated[str, typer.Argument(help="With --status: only this page, such as /faq, with all its missing texts.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Only look; end with every mistake.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show what is translated, page by page.")] = False,
) -> None:
    """Update the translation catalogs in locales/ from the code, keeping existing translations."""
    if (check and status) or (path and not status):
        raise typer.BadParameter("Choose one of --check and --status; a path belongs to --status.")
    if check:
        _check()
    elif status:
        _show_status(path)
    else:
        update(_SOURCES, settings().content_folder if settings().content == Settings.content else None)
        _print_status()


def _show_status(path: str) -> None:
    """Prints the rows of all pages and the texts missing in catalogs, or all missing texts of one page."""
    from site_app.pages.translation_coverage import coverage_rows, missing_texts  # loads Reflex and every page

    if path and path not in BY_PATH:
        sys.exit(f"There is no page {path}; site_app/content/routes.py lists those there are.")
    try:
        if path:
            print(*missing_texts(path), sep="\n")
        else:
            print_rows([*coverage_rows()], none="")
            _print_status()
    except BrokenText as error:
        sys.exit(str(error))


def _check() -> None:
    """Exits with a list of the mistakes in the catalogs, or returns silently."""
    all_mistakes = list(mistakes(_SOURCES))
    if all_mistakes:
        print(*all_mistakes[:_MAX_TEXTS], sep="\n", file=sys.stderr)
        sys.exit(f"Mistakes in the catalogs: {len(all_mistakes)}, see above.")


def _print_status() -> None:
    """Prints the translated share by language, the untranslated texts, those to review, and those with doubtful wording."""
    messages = extract(_SOURCES)
    total = len(messages) or 1
    for locale in LOCALES:
        missing = untranslated(locale, messages)
        edited = to_review(locale)
        print(f"{locale.tag:8} {100 * (total - len(missing)) / total:6.1f} %   {len(missing)} of {total} missing")
        if missing:
            _print_first(missing)
            print("  They are shown in English. A page that lacks more than a tenth of its texts is English as a whole.")
        if edited:
            # The old translations are shown until somebody removes the flag "fuzzy".
            print(
                f"  {len(edited)} to review, because the English was edited. Correct each, then delete its line with the word fuzzy:"
            )
            _print_first(edited)
        for doubt in doubtful_translations(locale, read_catalog_file(locale)):
            print(f"  {doubt}")
        if missing or edited:
            print(f"  They are in locales/{locale.id}/LC_MESSAGES/messages.po. After that: make words, to check them.")


def _print_first(texts: list[str]) -> None:
    print(*(f"  {shorten(text, _MAX_SHOWN_LENGTH, placeholder=' …')}" for text in texts[:_MAX_TEXTS]), sep="\n")
    if len(texts) > _MAX_TEXTS:
        print(f"  and {len(texts) - _MAX_TEXTS} more. All of a page: make words path=/faq")


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
