"""Keep the catalogs of words in step with the code, and say how far the translations are."""

import sys
from pathlib import Path

from site_app.i18n import ENGLISH, LOCALES
from site_app.i18n.catalogs import extract, faults, untranslated, update

_SOURCES = Path("site_app")


def renew() -> None:
    update(_SOURCES)
    for locale in LOCALES:
        if locale is not ENGLISH:
            print(
                f"{locale.title}: {len(untranslated(locale))} texts to translate in locales/{locale.id}/LC_MESSAGES/messages.po"
            )


def check() -> None:
    """End with every fault of the catalogs, or silently."""
    found = list(faults(_SOURCES))
    if found:
        print(*found[:40], sep="\n", file=sys.stderr)
        sys.exit(f"The catalogs have {len(found)} faults: see above.")


def status() -> None:
    """Print the share of texts translated, by language."""
    total = len(extract(_SOURCES)) or 1
    for locale in LOCALES:
        missing = len(untranslated(locale))
        print(f"{locale.tag:8} {100 * (total - missing) / total:6.1f} %   {missing} of {total} missing")
