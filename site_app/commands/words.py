"""python -m site_app words: keep the catalogs of words in step with the code, and say how far the translations are."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from site_app.i18n import ENGLISH, LOCALES
from site_app.i18n.catalogs import extract, faults, untranslated, update

_SOURCES = Path("site_app")
_MOST = 40  # shown at once


def words(
    check: Annotated[bool, typer.Option("--check", help="Only look; end with every fault.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only tell what is not translated.")] = False,
) -> None:
    """Bring the catalogs of words under locales/ up to the code, keeping what is translated."""
    if check:
        _check()
    elif status:
        _status()
    else:
        _renew()


def _renew() -> None:
    update(_SOURCES)
    wanted = extract(_SOURCES)
    for locale in LOCALES:
        if locale is not ENGLISH:
            missing = untranslated(locale, wanted)
            print(f"{locale.title}: {len(missing)} texts to translate in locales/{locale.id}/LC_MESSAGES/messages.po")
            _name(missing)


def _check() -> None:
    """End with every fault of the catalogs, or silently."""
    found = list(faults(_SOURCES))
    if found:
        print(*found[:_MOST], sep="\n", file=sys.stderr)
        sys.exit(f"Faults of the catalogs: {len(found)}, see above.")


def _status() -> None:
    """Print the share of texts translated, by language, and those that are not."""
    wanted = extract(_SOURCES)
    total = len(wanted) or 1
    for locale in LOCALES:
        missing = untranslated(locale, wanted)
        print(f"{locale.tag:8} {100 * (total - len(missing)) / total:6.1f} %   {len(missing)} of {total} missing")
        _name(missing)


def _name(missing: list[str]) -> None:
    if missing:
        print(*(f"  {text}" for text in missing[:_MOST]), sep="\n")
        more = f"and {len(missing) - _MOST} more. " if len(missing) > _MOST else ""
        print(f"  {more}A page that says one of them is shown in English.")
