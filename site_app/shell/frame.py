"""The bar and the foot of every page, once per language."""

import reflex as rx

from components.browser.locale import by_locale
from components.frame.footer import footer
from components.frame.navbar import navbar
from site_app.content.frame import footer as footer_words
from site_app.content.frame import navigation
from site_app.i18n import LOCALES, current, in_every_language

MAIN = "main"


def frame(children: rx.Var[rx.Component]) -> rx.Component:
    """The frame around a page, in the language being written."""
    words = navigation()
    return rx.fragment(
        rx.el.elements.a(words.skip, href=f"#{MAIN}", class_name="skip"),
        navbar(words, languages=LOCALES, chosen=current()),
        rx.el.main(children, id=MAIN, tab_index=-1),
        footer(footer_words(), brand=words.home),
    )


_FRAMES = {language: rx.memo(build) for language, build in in_every_language(frame, module="site_app.shell.frame").items()}


def framed(children: rx.Component) -> rx.Component:
    """The frame in the language of the page's path."""
    return by_locale({language: built(rx.fragment(children)) for language, built in _FRAMES.items()})
