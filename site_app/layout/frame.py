"""The bar and the foot of every page, once per language."""

from collections.abc import Callable
from functools import wraps

import reflex as rx

from components.browser.layouts import InLayout, KeepsLayout, memo_itself
from components.layout.footer import footer
from components.layout.navbar import navbar
from site_app.content.frame import demonstration, navigation
from site_app.content.frame import footer as footer_words
from site_app.i18n import ENGLISH, LOCALES, Locale, current, in_every_language

MAIN = "main"


def frame(children: rx.Var[rx.Component]) -> rx.Component:
    """The frame around a page, in the language being written."""
    words, notice = navigation(), demonstration()
    return rx.fragment(
        rx.el.elements.a(words.skip, href=f"#{MAIN}", class_name="skip"),
        navbar(words, languages=LOCALES, chosen=current()),
        rx.el.main(*([_demonstration(notice)] if notice else []), children, id=MAIN, tab_index=-1),
        footer(footer_words(), brand=words.home),
    )


def _demonstration(notice: str) -> rx.Component:
    """On a ground across the window, with its words at the page's edge."""
    return rx.el.div(rx.el.p(notice, class_name="wrap"), class_name="notice notice-warning")


_FRAMES = {language: rx.memo(build) for language, build in in_every_language(frame, module="site_app.layout.frame").items()}


def framed(children: rx.Component) -> rx.Component:
    """The frame in the language of the page's path."""
    return InLayout.create(children, english=memo_itself(_FRAMES[ENGLISH.id](rx.fragment())))


def with_frame(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """A page that brings its frame along; English ones need not, for every page falls back on that frame."""

    @wraps(build)
    def page() -> rx.Component:
        return rx.fragment(KeepsLayout.of(locale.id, _FRAMES[locale.id](rx.fragment())), build())

    return build if locale is ENGLISH else page
