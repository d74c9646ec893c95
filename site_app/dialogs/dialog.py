"""What the three dialogs have in common: a head and fixed texts that are there at once, and a form fetched on first opening."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from components.browser.lazy_content import LazyContent, fetched
from components.browser.locale import by_locale
from components.layout.language_menu import language_line
from components.ui.button import button_class
from components.ui.dialog_frame import dialog_frame, dialog_head, form_skeleton
from site_app.content.records import Dialog
from site_app.i18n import LOCALES, current, href, in_every_language, t


@dataclass(frozen=True)
class DialogWords:
    """The title, and what stands between it and the form."""

    title: str
    texts: tuple[rx.Component, ...]
    otherwise: rx.Component | None = None  # the same errand without the form, for a browser that cannot fetch or run it


def fetched_form(name: Dialog, form: Callable[[], rx.Component], *, languages_last: bool = False) -> dict[str, rx.Var[Any]]:
    """By language, what fetches the form in it: each is a chunk of its own."""

    def content() -> rx.Component:
        parts = language_line(label=t("Language"), languages=LOCALES, chosen=current()), form()
        return rx.fragment(*(reversed(parts) if languages_last else parts))

    content.__name__ = f"{name}_form"
    built = in_every_language(content, module=f"site_app.forms.{name}")
    return {language: fetched(rx.memo(build)) for language, build in built.items()}


def dialog(
    name: Dialog, *, words: Callable[[], DialogWords], forms: dict[str, rx.Var[Any]], fields: int, wide: bool = False
) -> rx.Component:
    """The dialog in every language; `fields` is how many the skeleton of its form has."""

    def inside(load: rx.Var[Any]) -> rx.Component:
        says = words()
        return rx.fragment(
            dialog_head(name=name, title=says.title, close=t("Close")),
            *says.texts,
            *([rx.el.noscript(says.otherwise)] if says.otherwise else []),
            LazyContent.create(
                form_skeleton(label=t("Loading the form"), fields=fields), _failed(says.otherwise), load=load, key=current().id
            ),
        )

    built = in_every_language(inside, module=f"site_app.dialogs.{name}")
    return dialog_frame(
        by_locale({language: build(forms[language]) for language, build in built.items()}), name=name, wide=wide
    )


def contact_page_link() -> rx.Component:
    """To the form that every browser can send."""
    text = t("Use the contact page instead")
    return rx.el.p(rx.el.elements.a(text, href=href("/contact-us"), class_name="plain-link"), class_name="mt-4")


def _failed(otherwise: rx.Component | None) -> rx.Component:
    return rx.el.div(
        rx.el.p(t("The form could not be loaded. Check your connection, then try again.")),
        rx.el.button(t("Try again"), type="button", class_name=f"{button_class('quiet')} mt-4"),
        *([otherwise] if otherwise else []),
    )
