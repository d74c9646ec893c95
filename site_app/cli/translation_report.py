"""python -m site_app.cli.translation_report: how much of each page is translated, and of what stands outside the pages."""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message

from site_app.cli.printing import print_rows
from site_app.i18n import ENGLISH, LOCALES
from site_app.i18n.catalogs import extract, untranslated
from site_app.pages.translation_coverage import is_legal, is_translated, words_of
from site_app.routes import ROUTES, Route

_SPOKEN = "in hreflang and sitemap"
_OTHERS = [locale for locale in LOCALES if locale is not ENGLISH]
# What stands outside the pages, by the folders of its texts.
_PLACES = {
    "dialogs, forms, messages": ("dialogs/", "forms/", "contracts/", "content/form_", "content/booking_", "content/notices"),
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


if __name__ == "__main__":
    print_rows([*report()], none="")
