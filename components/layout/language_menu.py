"""The languages, each in its own script, leading to the same page."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.art.icon import icon
from components.browser.locale import from_path


class LanguageWords(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def title(self) -> str: ...


def language_menu(*, label: str, languages: Sequence[LanguageWords], chosen: LanguageWords) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            icon("translate"),
            rx.el.span(label, class_name="sr-only"),
            rx.el.span(chosen.label, lang=chosen.tag),
            class_name="menu-summary",
            custom_attrs={"data-language-menu": ""},
        ),
        rx.el.ul(*[_item(one, chosen) for one in languages], class_name="card menu-panel min-w-56"),
        custom_attrs={"name": "menu"},
        class_name="menu relative",
    )


def language_row(*, label: str, languages: Sequence[LanguageWords], chosen: LanguageWords) -> rx.Component:
    """The same without a menu around it, for the drawer."""
    return rx.el.div(
        rx.el.p(label, class_name="drawer-label"),
        rx.el.ul(*[_item(one, chosen) for one in languages], class_name="flex flex-wrap gap-x-2"),
    )


def language_line(*, label: str, languages: Sequence[LanguageWords], chosen: LanguageWords) -> rx.Component:
    """The same for a dialog, which hides the menu behind it; the dialog stays open, and Back closes it as before."""
    links = [_item(one, chosen) for one in languages]
    return rx.el.nav(rx.el.ul(*links, class_name="language-line"), aria_label=label)


def _item(one: LanguageWords, chosen: LanguageWords) -> rx.Component:
    current = {"aria-current": "true"} if one is chosen else {}
    return rx.el.li(
        rx.el.elements.a(
            one.title,
            href=from_path(f"inLocale(pathname, '{one.id}')"),
            href_lang=one.tag,
            lang=one.tag,
            class_name="menu-link",
            custom_attrs={"data-language": one.id} | current,
        )
    )
