"""`make words STATUS=1`: prints the translated share of each page, and the missing texts."""

import sys
from collections.abc import Iterator

from site_app.cli.printing import print_rows
from site_app.cli.words import tell_status
from site_app.content.routes import BY_PATH, ROUTES, Route
from site_app.core.i18n import ENGLISH, LOCALES
from site_app.core.i18n.markdown import BrokenText
from site_app.pages.translation_coverage import is_legal, is_translated, words_of

_LISTED = "in hreflang and sitemap"
_TRANSLATED = [locale for locale in LOCALES if locale is not ENGLISH]


def report() -> Iterator[dict[str, str]]:
    """Yields a row for each page with the translated share of its texts by language."""
    for route in ROUTES:
        lookups = {locale.title: words_of(route, locale) for locale in _TRANSLATED}
        shares = {name: _share(len(words.asked), len(words.missing)) for name, words in lookups.items()}
        yield {"page": route.path} | shares | {_LISTED: _listed_as(route)}


def _share(asked: int, missing: int) -> str:
    return f"{100 * (asked - missing) / (asked or 1):.1f} % of {asked}"


def _listed_as(route: Route) -> str:
    """Returns the languages in which the page is listed for search engines."""
    tags = ", ".join(locale.tag for locale in LOCALES if is_translated(route, locale))
    return f"{tags} (the English text binds)" if is_legal(route) else tags


def missing(path: str) -> Iterator[str]:
    """Yields the untranslated texts of one page, grouped by language."""
    for locale in _TRANSLATED:
        texts = sorted(words_of(BY_PATH[path], locale).missing)
        yield f"{path} in {locale.title}: {len(texts)} texts to translate"
        yield from (f"  {text}" for text in texts)


def main(path: str = "") -> None:
    """Prints the rows of all pages and the texts missing in catalogs, or all missing texts of one page."""
    if path and path not in BY_PATH:
        sys.exit(f"There is no page {path}; site_app/content/routes.py lists those there are.")
    try:
        if path:
            print(*missing(path), sep="\n")
        else:
            print_rows([*report()], none="")
            tell_status()
    except BrokenText as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
