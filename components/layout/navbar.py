"""The bar at the head of every page, its drawer on small screens, and the links to the page in other languages; no menu needs a script."""

from collections.abc import Sequence
from typing import Protocol

import reflex as rx

from components.art.drawings import illustration
from components.art.icons import icon
from components.browser import current_page, from_path
from components.records import DRAWER_ID, Link, Navigation, Offer
from components.ui.button import opener
from components.ui.dialog_frame import first_focus


class LanguageWords(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def title(self) -> str: ...


def navbar(navigation: Navigation, *, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            _brand(navigation.home),
            rx.el.nav(
                _services_menu(navigation),
                _menu(
                    navigation.company,
                    rx.el.ul(*[_item(link) for link in navigation.company_links], class_name="card menu-panel min-w-56"),
                ),
                *[_link(link.text, link.href, "menu-summary") for link in navigation.links],
                aria_label=navigation.label,
                class_name="bar-links",
            ),
            rx.el.div(
                rx.el.div(
                    language_menu(label=navigation.language, languages=languages, page_language=page_language),
                    class_name="bar-wide max-lg:hidden",
                ),
                _theme_switch(navigation, "bar-roomy"),
                opener(navigation.actions[0]),
                _drawer_button("menu", navigation.open_menu, "bar-narrow lg:hidden"),
                class_name="flex items-center gap-2",
            ),
            class_name="wrap bar-row",
        ),
        _drawer(navigation, languages, page_language),
        class_name="bar",
    )


def _theme_switch(navigation: Navigation, class_name: str) -> rx.Component:
    """A button handled by components/browser/reader/theme.js; CSS shows the icon that fits the theme."""
    to_dark = rx.el.span(icon("moon-waning-crescent"), _unseen(navigation.dark_theme), class_name="dark:hidden")
    to_light = rx.el.span(icon("white-balance-sunny"), _unseen(navigation.light_theme), class_name="hidden dark:block")
    attributes = {"data-theme-switch": ""}
    return rx.el.button(
        to_dark, to_light, type="button", class_name=f"icon-button {class_name}".strip(), custom_attrs=attributes
    )


def _unseen(text: str) -> rx.Component:
    return rx.el.span(text, class_name="sr-only")


def _brand(home: Link) -> rx.Component:
    return rx.el.elements.a(illustration("mark", class_name="mark"), home.text, href=home.href, class_name="brand")


def _menu(text: str, panel: rx.Component) -> rx.Component:
    summary = rx.el.summary(text, icon("chevron-down"), class_name="menu-summary")
    return rx.el.details(summary, panel, custom_attrs={"name": "menu"}, class_name="menu relative")


def _services_menu(navigation: Navigation) -> rx.Component:
    columns = [
        rx.el.div(
            rx.el.p(group.name, class_name="menu-label"),
            rx.el.ul(*[_offer(offer) for offer in group.offers]),
        )
        for group in navigation.groups
    ]
    return _menu(navigation.services, rx.el.div(*columns, class_name="card menu-panel menu-wide"))


def _offer(offer: Offer) -> rx.Component:
    return rx.el.li(_link(offer.name, offer.href))


def _item(link: Link) -> rx.Component:
    return rx.el.li(_link(link.text, link.href))


def _link(text: str, href: str, class_name: str = "menu-link") -> rx.Component:
    return rx.el.elements.a(text, href=href, class_name=class_name, custom_attrs=current_page(href))


def _drawer_button(name: str, label: str, class_name: str = "") -> rx.Component:
    """A button that opens and closes the drawer. The drawer is a popover, so the browser handles focus, Escape and taps outside."""
    return rx.el.button(
        icon(name),
        type="button",
        aria_label=label,
        class_name=f"icon-button {class_name}".strip(),
        custom_attrs={"popoverTarget": DRAWER_ID, "data-language-menu": ""},
    )


def _drawer(navigation: Navigation, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    services = [offer for group in navigation.groups for offer in group.offers]
    return rx.el.nav(
        rx.el.div(
            _brand(navigation.home),
            rx.el.div(
                _theme_switch(navigation, "bar-tight"),
                _drawer_button("close", navigation.close_menu),
                class_name="flex gap-2",
            ),
            class_name="drawer-head",
        ),
        _drawer_group(navigation.services, [_offer(offer) for offer in services], is_open=True),
        _drawer_group(navigation.company, [_item(link) for link in navigation.company_links]),
        rx.el.ul(*[_item(link) for link in navigation.links], class_name="drawer-links"),
        language_row(label=navigation.language, languages=languages, page_language=page_language),
        rx.el.div(
            *[opener(action, kind=kind) for action, kind in zip(navigation.actions, ("strong", "quiet"), strict=False)],
            class_name="drawer-foot",
        ),
        id=DRAWER_ID,
        aria_label=navigation.label,
        tab_index=-1,
        class_name="drawer",
        custom_attrs={"popover": "auto", **first_focus()},
    )


def _drawer_group(title: str, links: Sequence[rx.Component], *, is_open: bool = False) -> rx.Component:
    """A group of links that opens without a script, and closes the others."""
    state = {"open": True} if is_open else {}
    return rx.el.details(
        rx.el.summary(title, icon("chevron-down"), class_name="drawer-summary"),
        rx.el.ul(*links),
        class_name="drawer-group",
        custom_attrs={"name": "drawer", **state},
    )


def language_menu(*, label: str, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.span(label, class_name="sr-only"),
            rx.el.span(page_language.label, lang=page_language.tag),
            icon("chevron-down"),
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
        rx.el.ul(*[_language_item(language, page_language) for language in languages], class_name="flex flex-wrap gap-x-6"),
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
