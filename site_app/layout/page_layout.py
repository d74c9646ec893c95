"""Bar and foot around every page, built once per language."""

from collections.abc import Callable
from functools import wraps

import reflex as rx

from components.browser.layouts import InLayout, KeepsLayout, memo_itself
from components.layout.footer import footer
from components.layout.navbar import navbar
from components.ui.foreign_text import mark_language
from site_app.content.navigation import demonstration, navigation
from site_app.content.navigation import footer as footer_words
from site_app.core.i18n import ENGLISH, LOCALES, Locale, current, in_every_language, recorded_lookups

MAIN = "main"


def page_layout(children: rx.Var[rx.Component]) -> rx.Component:
    """Bar and foot around a page, in the language being written."""
    with recorded_lookups() as lookups:
        words, notice = navigation(), demonstration()
        layout = rx.fragment(
            rx.el.elements.a(words.skip, href=f"#{MAIN}", class_name="skip"),
            navbar(words, languages=LOCALES, chosen=current()),
            rx.el.main(*([_demonstration(notice)] if notice else []), children, id=MAIN, tab_index=-1),
            footer(footer_words(), brand=words.home),
        )
    mark_language(layout, lookups.fallbacks, ENGLISH.tag)
    return layout


def _demonstration(notice: str) -> rx.Component:
    """On a ground across the window, with its words at the page's edge."""
    return rx.el.div(rx.el.p(notice, class_name="wrap"), class_name="notice notice-warning")


_LAYOUTS = {
    language: rx.memo(build) for language, build in in_every_language(page_layout, module="site_app.layout.page_layout").items()
}


def in_layout(children: rx.Component) -> rx.Component:
    """The layout in the language of the page's path."""
    return InLayout.create(children, english=memo_itself(_LAYOUTS[ENGLISH.id](rx.fragment())))


def with_layout(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """A page that brings its layout along; an English one need not, since the English layout is part of every page."""

    @wraps(build)
    def page() -> rx.Component:
        return rx.fragment(KeepsLayout.of(locale.id, _LAYOUTS[locale.id](rx.fragment())), build())

    return build if locale is ENGLISH else page
