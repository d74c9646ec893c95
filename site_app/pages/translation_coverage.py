"""How far a page is translated. One that lacks a text is shown in English, and says so."""

from collections.abc import Callable

import reflex as rx

from site_app.i18n import ENGLISH, Locale, Lookups, recorded_lookups, t, use
from site_app.i18n.markdown import BrokenText
from site_app.pages.table import PAGES
from site_app.routes import Route


def words_of(route: Route, locale: Locale) -> Lookups:
    """The texts a page asks for in a language other than English, its title and description among them.

    Raises BrokenText, with the page, where it says in Markdown what cannot be shown.
    """
    with use(locale), recorded_lookups() as heard:
        try:
            PAGES[route.path]()
        except BrokenText as error:
            raise BrokenText(f"The page {route.path}: {error}") from None
        route.title()
        route.description()
    return heard


def is_translated(route: Route, locale: Locale) -> bool:
    """Whether the page has all of its texts in that language; a legal one never has: its binding text is the English one."""
    if locale is ENGLISH:
        return True
    return not words_of(route, locale).missing and not is_legal(route)


def is_legal(route: Route) -> bool:
    return route.path.startswith("/legals/")


def english_with_notice(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """The English page under a short notice in the language that lacks it."""

    def page() -> rx.Component:
        with use(locale):
            notice = t("This page has not been translated yet, so it is shown in English.")
        with use(ENGLISH):
            return rx.fragment(rx.el.p(notice, class_name="wrap notice"), rx.el.div(build(), lang=ENGLISH.tag))

    return page
