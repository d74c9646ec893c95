"""A page that lacks some of its words in a language: shown in English, and said so."""

from collections.abc import Callable

import reflex as rx

from site_app.i18n import ENGLISH, Locale, t, use


def in_english(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """The English page under a short notice in the language that lacks it."""

    def page() -> rx.Component:
        with use(locale):
            notice = t("This page has not been translated yet, so it is shown in English.")
        with use(ENGLISH):
            return rx.fragment(
                rx.el.p(notice, class_name="wrap notice"),
                rx.el.div(build(), lang=ENGLISH.tag),
            )

    return page
