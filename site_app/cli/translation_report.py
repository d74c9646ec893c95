"""python -m site_app.cli.translation_report: how much of each page is translated, and of what stands outside the pages."""

import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message

from site_app.cli.printing import print_rows
from site_app.i18n import ENGLISH, LOCALES
from site_app.i18n.catalogs import extract, untranslated
from site_app.i18n.markdown import BrokenText
from site_app.pages.translation_coverage import is_legal, is_translated, words_of
from site_app.routes import BY_PATH, ROUTES, Route

_SPOKEN = "in hreflang and sitemap"
_OTHERS = [locale for locale in LOCALES if locale is not ENGLISH]
# What stands outside the pages, by the folders of its texts.
_PLACES = {
    "dialogs, forms, messages": ("dialogs", "forms/", "contracts/", "content/form_", "content/booking_", "content/notices"),
    "bar and foot": ("content/navigation", "content/brand", "content/invitations", "content/offers", "offered"),
    "mails, calendar files": ("leads/", "booking/"),
    "pages without JavaScript, API": ("api/", "serving/", "http/", "services/"),
    "everything": ("",),
}


def report() -> Iterator[dict[str, str]]:
    """A row for each page, then for each place: the share of its texts translated, by language."""
    for route in ROUTES:
        shares = {
            one.title: _share(len(words.asked), len(words.missing)) for one in _OTHERS for words in [words_of(route, one)]
        }
        yield {"page": route.path} | shares | {_SPOKEN: _spoken(route)}
    texts = [message for message in extract(Path("site_app")) if message.id]
    for name, places in _PLACES.items():
        here = [message for message in texts if _stands_in(message, places)]
        shares = {one.title: _share(len(here), len(untranslated(one, here))) for one in _OTHERS}
        yield {"page": name} | shares | {_SPOKEN: ""}


def _share(asked: int, missing: int) -> str:
    return f"{100 * (asked - missing) / (asked or 1):.1f} % of {asked}"


def _spoken(route: Route) -> str:
    """The languages in which search engines are told of the page."""
    tags = ", ".join(locale.tag for locale in LOCALES if is_translated(route, locale))
    return f"{tags} (the English text binds)" if is_legal(route) else tags


def _stands_in(message: Message, places: tuple[str, ...]) -> bool:
    return any(file.startswith(f"site_app/{place}") for file, _ in message.locations for place in places)


def missing(path: str) -> Iterator[str]:
    """Every text of one page that a language lacks, under the language."""
    for locale in _OTHERS:
        texts = sorted(words_of(BY_PATH[path], locale).missing)
        yield f"{path} in {locale.title}: {len(texts)} texts to translate"
        yield from (f"  {text}" for text in texts)


def main(path: str = "") -> None:
    """Print the rows of all pages, or all that one page lacks."""
    if path and path not in BY_PATH:
        sys.exit(f"There is no page {path}; site_app/routes.py lists those there are.")
    try:
        if path:
            print(*missing(path), sep="\n")
        else:
            print_rows([*report()], none="")
    except BrokenText as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
