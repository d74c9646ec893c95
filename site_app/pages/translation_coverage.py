"""How far a page is translated. The texts that it lacks are English; one that lacks too many is English as a whole, and says so."""

from collections.abc import Callable
from functools import wraps

import reflex as rx

from components.ui.text import mark_language
from site_app.content.routes import Route
from site_app.core.i18n import ENGLISH, Locale, Lookups, recorded_lookups, t, use
from site_app.core.i18n.markdown import BrokenText
from site_app.pages.table import PAGES

UNTRANSLATED_SHARE = 0.1  # of a page's texts, which may be English on a page in another language


def words_of(route: Route, locale: Locale) -> Lookups:
    """The texts a page asks for in a language other than English, its title and description among them.

    Raises BrokenText, with the page, where it says in Markdown what cannot be shown.
    """
    with use(locale), recorded_lookups() as lookups:
        try:
            PAGES[route.path]()
        except BrokenText as error:
            raise BrokenText(f"The page {route.path}: {error}") from None
        route.title()
        route.description()
    return lookups


def is_translated(route: Route, locale: Locale) -> bool:
    """Return True if the page is shown in that language. A legal one never is: its binding text is the English one."""
    if locale is ENGLISH:
        return True
    if locale not in route.languages:
        return False
    words = words_of(route, locale)
    return len(words.missing) <= UNTRANSLATED_SHARE * len(words.asked) and not is_legal(route)


def is_legal(route: Route) -> bool:
    return route.path.startswith("/legals/")


def with_marked_english(build: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """The page with `lang` on each element whose text is not translated."""

    @wraps(build)
    def page() -> rx.Component:
        with recorded_lookups() as lookups:
            built = build()
        mark_language(built, lookups.fallbacks, ENGLISH.tag)
        return built

    return page


def english_with_notice(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """The English page under a short notice in the language that lacks it."""

    def page() -> rx.Component:
        with use(locale):
            notice = t("This page has not been translated yet, so it is shown in English.")
        with use(ENGLISH):
            return rx.fragment(rx.el.p(notice, class_name="wrap notice"), rx.el.div(build(), lang=ENGLISH.tag))

    return page
