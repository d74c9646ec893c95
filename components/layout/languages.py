"""Links to the page in the other languages: as a menu of the bar, in the drawer, and in a dialog."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.art.icons import icon
from components.browser import from_path


class LanguageWords(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def title(self) -> str: ...


def language_menu(*, label: str, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            icon("translate"),
            rx.el.span(label, class_name="sr-only"),
            rx.el.span(page_language.label, lang=page_language.tag),
            class_name="menu-summary",
            custom_attrs={"data-language-menu": ""},
        ),
        rx.el.ul(*[_language_item(language, page_language) for language in languages], class_name="card menu-panel min-w-56"),
        custom_attrs={"name": "menu"},
        class_name="menu relative",
    )


def language_row(*, label: str, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    """The language links without a menu around them, for the drawer."""
    return rx.el.div(
        rx.el.p(label, class_name="drawer-label"),
        rx.el.ul(*[_language_item(language, page_language) for language in languages], class_name="flex flex-wrap gap-x-2"),
    )


def language_line(*, label: str, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    """The language links for a dialog, which covers the menu. On a change of language the dialog stays open, and Back still closes it."""
    links = [_language_item(language, page_language) for language in languages]
    return rx.el.nav(rx.el.ul(*links, class_name="language-line"), aria_label=label)


def _language_item(language: LanguageWords, page_language: LanguageWords) -> rx.Component:
    current = {"aria-current": "true"} if language is page_language else {}
    return rx.el.li(
        rx.el.elements.a(
            language.title,
            href=from_path(f"inLocale(pathname, '{language.id}')"),
            href_lang=language.tag,
            lang=language.tag,
            class_name="menu-link",
            custom_attrs={"data-language": language.id} | current,
        )
    )
