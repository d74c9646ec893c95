"""The three dialogs of every page: a head and texts that are part of the page, and a form loaded on first opening."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from components.browser import LazyContent, by_locale, fetched
from components.layout.navbar import language_line
from components.ui.button import button_class
from components.ui.dialog_frame import calendar_skeleton, dialog_frame, dialog_head, form_skeleton
from site_app.content.form_words import hosts
from site_app.content.records import Dialog
from site_app.contracts.kinds.message import MESSAGE
from site_app.contracts.kinds.quote import QUOTE
from site_app.core.i18n import current, href, in_every_language, t
from site_app.core.locales import LOCALES
from site_app.forms.booking import consultation_form, plain_booking_link
from site_app.forms.form import view_of
from site_app.forms.markup import lead_form
from site_app.forms.views.consultation import CONSULTATION


@dataclass(frozen=True)
class DialogWords:
    """The title, and the texts between it and the form."""

    title: str
    texts: tuple[rx.Component, ...]
    fallback: rx.Component  # the alternative for a browser that cannot load or run the form


def _memos(name: Dialog, form: Callable[[], rx.Component]) -> dict[str, Callable[..., rx.Component]]:
    """Returns the form by language, each as a chunk of its own that a page loads when its dialog opens."""

    def content() -> rx.Component:
        return rx.fragment(form(), language_line(label=t("Language"), languages=LOCALES, page_language=current()))

    content.__name__ = f"{name}_form"
    built = in_every_language(content, chunk=f"site_app.forms.{name}")
    return {language: rx.memo(build) for language, build in built.items()}


_FORMS = {
    "quote": _memos("quote", lambda: lead_form(QUOTE)),
    "contact": _memos("contact", lambda: lead_form(MESSAGE, form_id="contact-form")),
    "consultation": _memos("consultation", consultation_form),
}


def quote_dialog() -> rx.Component:
    return _dialog("quote", _quote_words, lambda: _form_skeleton(4), wide=True)


def contact_dialog() -> rx.Component:
    return _dialog("contact", _contact_words, lambda: _form_skeleton(6))


def consultation_dialog() -> rx.Component:
    return _dialog(
        "consultation",
        _consultation_words,
        lambda: calendar_skeleton(label=t("Loading available times")),
        wide=True,
        steady=True,
    )


def _dialog(
    name: Dialog,
    words: Callable[[], DialogWords],
    skeleton: Callable[[], rx.Component],
    *,
    wide: bool = False,
    steady: bool = False,
) -> rx.Component:
    """The dialog in every language; `skeleton` stands for its form until that is loaded."""

    def inside(load: rx.Var[Any]) -> rx.Component:
        texts = words()
        return rx.fragment(
            dialog_head(name=name, title=texts.title, close=t("Close")),
            *texts.texts,
            rx.el.noscript(texts.fallback),
            LazyContent.create(skeleton(), _failed(texts.fallback), load=load, key=current().id),
        )

    built = in_every_language(inside, chunk=f"site_app.layout.dialogs.{name}")
    return dialog_frame(
        by_locale({language: build(fetched(_FORMS[name][language])) for language, build in built.items()}),
        name=name,
        wide=wide,
        steady=steady,
    )


def _form_skeleton(fields: int) -> rx.Component:
    return form_skeleton(label=t("Loading the form"), fields=fields)


def _quote_words() -> DialogWords:
    intro = t("Tell us what you have in mind. The quote is free, in writing, and commits you to nothing.")
    return DialogWords(t("Get a free quote"), (_intro(intro),), _contact_page_link())


def _contact_words() -> DialogWords:
    intro = t("We read every message and reply within one working day.")
    return DialogWords(t("Send us a message"), (_intro(intro),), _contact_page_link())


def _consultation_words() -> DialogWords:
    return DialogWords(
        view_of(CONSULTATION).title,
        (_intro(*hosts(), t("You’ll get the video-call link with your confirmation.")),),
        plain_booking_link(takes_draft=False),
    )


def _intro(*lines: str) -> rx.Component:
    """One paragraph; each line after the first begins on a new one."""
    first_line, *further_lines = lines
    further = (part for line in further_lines for part in (rx.el.br(), line))
    return rx.el.p(first_line, *further, class_name="mb-6 text-ink-soft")


def _contact_page_link() -> rx.Component:
    """A link to the form that works in every browser."""
    text = t("Use the contact page instead")
    return rx.el.p(rx.el.elements.a(text, href=href("/contact-us"), class_name="plain-link"), class_name="mt-4")


def _failed(fallback: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(t("The form could not be loaded. Check your connection, then try again.")),
        rx.el.button(t("Try again"), type="button", class_name=f"{button_class('quiet')} mt-4"),
        fallback,
    )
