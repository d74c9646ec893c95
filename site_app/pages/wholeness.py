"""How far a page is translated. One that lacks a text is no translation of itself: it is English, and says so."""

from site_app.i18n import ENGLISH, Heard, Locale, heard_words, use
from site_app.pages import PAGES
from site_app.routes import Route


def words_of(route: Route, locale: Locale) -> Heard:
    """The texts a page asks for in a language other than English, its title and description among them."""
    with use(locale), heard_words() as heard:
        PAGES[route.path]()
        route.title()
        route.description()
    return heard


def is_whole(route: Route, locale: Locale) -> bool:
    """Whether the page is a translation of itself; a legal one never is: its binding text is the English one."""
    if locale is ENGLISH:
        return True
    return not is_legal(route) and not words_of(route, locale).missing


def is_legal(route: Route) -> bool:
    return route.path.startswith("/legals/")
