"""python -m site_app words: keep the catalogs of words in step with the code."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from site_app.i18n import ENGLISH, LOCALES
from site_app.i18n.catalogs import faults, untranslated, update

_SOURCES = Path("site_app")


def words(
    check: Annotated[bool, typer.Option("--check", help="Only look; end with every fault.")] = False,
) -> None:
    """Bring the catalogs of words under locales/ up to the code, keeping what is translated."""
    if check:
        _check()
    else:
        _renew()


def _renew() -> None:
    update(_SOURCES)
    for locale in LOCALES:
        if locale is not ENGLISH:
            print(
                f"{locale.title}: {len(untranslated(locale))} texts to translate in locales/{locale.id}/LC_MESSAGES/messages.po"
            )


def _check() -> None:
    """End with every fault of the catalogs, or silently."""
    found = list(faults(_SOURCES))
    if found:
        print(*found[:40], sep="\n", file=sys.stderr)
        sys.exit(f"The catalogs have {len(found)} faults: see above.")
