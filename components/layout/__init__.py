"""Parts around every page: the bar with menus without scripts and a drawer on small screens, the footer, messages.

The state's short message stands at the foot of the page. components/browser/reading/snackbar.js shows messages before React runs.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import reflex as rx

from components.art.art import illustration
from components.art.icons import icon, path_of
from components.browser import current_page, from_path
from components.records import Footer, Link, Navigation, Offer, SocialLink
from components.ui.button import first_focus, opener

DRAWER = "drawer"


class LanguageWords(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def title(self) -> str: ...


def navbar(words: Navigation, *, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            _brand(words.home),
            rx.el.nav(
                _services_menu(words),
                _menu(
                    words.company,
                    rx.el.ul(*[_item(link) for link in words.company_links], class_name="card menu-panel min-w-56"),
                ),
                *[_link(link.text, link.href, "menu-summary") for link in words.links],
                aria_label=words.label,
                class_name="bar-links",
            ),
            rx.el.div(
                rx.el.div(
                    language_menu(label=words.language, languages=languages, page_language=page_language),
                    class_name="bar-wide max-lg:hidden",
                ),
                _theme_switch(words, "bar-roomy"),
                opener(words.actions[0]),
                _drawer_button("menu", words.open_menu, "bar-narrow lg:hidden"),
                class_name="flex items-center gap-2",
            ),
            class_name="wrap bar-row",
        ),
        _drawer(words, languages, page_language),
        class_name="bar",
    )


def _theme_switch(words: Navigation, class_name: str) -> rx.Component:
    """A button handled by components/browser/reading/theme.js; CSS shows the icon that fits the theme."""
    to_dark = rx.el.span(icon("moon-waning-crescent"), _unseen(words.dark_theme), class_name="dark:hidden")
    to_light = rx.el.span(icon("white-balance-sunny"), _unseen(words.light_theme), class_name="hidden dark:block")
    attributes = {"data-theme-switch": ""}
    return rx.el.button(to_dark, to_light, type="button", class_name=f"icon-button {class_name}", custom_attrs=attributes)


def _unseen(text: str) -> rx.Component:
    return rx.el.span(text, class_name="sr-only")


def _brand(home: Link) -> rx.Component:
    return rx.el.elements.a(illustration("mark", class_name="mark"), home.text, href=home.href, class_name="brand")


def _menu(text: str, panel: rx.Component) -> rx.Component:
    summary = rx.el.summary(text, icon("chevron-down"), class_name="menu-summary")
    return rx.el.details(summary, panel, custom_attrs={"name": "menu"}, class_name="menu relative")


def _services_menu(words: Navigation) -> rx.Component:
    columns = [
        rx.el.div(
            rx.el.p(group.name, class_name="menu-label"),
            rx.el.ul(*[_offer(offer) for offer in group.offers]),
        )
        for group in words.groups
    ]
    return _menu(words.services, rx.el.div(*columns, class_name="card menu-panel menu-wide"))


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
        class_name=f"icon-button {class_name}",
        custom_attrs={"popoverTarget": DRAWER, "data-language-menu": ""},
    )


def _drawer(words: Navigation, languages: Sequence[LanguageWords], page_language: LanguageWords) -> rx.Component:
    services = [offer for group in words.groups for offer in group.offers]
    return rx.el.nav(
        rx.el.div(
            _brand(words.home),
            rx.el.div(
                _theme_switch(words, "bar-tight"),
                _drawer_button("close", words.close_menu),
                class_name="flex gap-2",
            ),
            class_name="flex justify-between pl-1",
        ),
        _drawer_group(words.services, [_offer(offer) for offer in services], is_open=True),
        _drawer_group(words.company, [_item(link) for link in words.company_links]),
        rx.el.ul(*[_item(link) for link in words.links], class_name="drawer-links"),
        language_row(label=words.language, languages=languages, page_language=page_language),
        rx.el.div(
            *[opener(action, kind=kind) for action, kind in zip(words.actions, ("strong", "quiet"), strict=False)],
            class_name="drawer-foot",
        ),
        id=DRAWER,
        aria_label=words.label,
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


def footer(words: Footer, *, brand: Link) -> rx.Component:
    return rx.el.footer(
        rx.el.div(
            rx.el.div(
                rx.el.elements.a(illustration("mark", class_name="mark"), brand.text, href=brand.href, class_name="brand"),
                rx.el.p(words.headline, class_name="mt-3 text-ink-soft"),
                class_name="foot-brand",
            ),
            *[_footer_links(group.title, group.links) for group in words.groups],
            _contact(words),
            class_name="wrap foot-columns",
        ),
        rx.el.div(
            rx.el.p(words.small_print, class_name="text-ink-soft"),
            rx.el.ul(
                *[_footer_item(link) for link in words.policies],
                aria_label=words.policies_title,
                class_name="flex flex-wrap gap-x-5",
            ),
            rx.el.ul(
                *[rx.el.li(_social(link)) for link in words.social],
                aria_label=words.social_title,
                class_name="flex flex-wrap gap-x-5",
            ),
            class_name="wrap foot-base",
        ),
        class_name="foot",
    )


def _footer_links(title: str, links: Sequence[Link]) -> rx.Component:
    return rx.el.div(rx.el.h2(title, class_name="foot-title"), rx.el.ul(*[_footer_item(link) for link in links]))


def _footer_item(link: Link) -> rx.Component:
    return rx.el.li(rx.el.elements.a(link.text, href=link.href, class_name="foot-link", custom_attrs=current_page(link.href)))


def _contact(words: Footer) -> rx.Component:
    details = [
        rx.el.div(
            rx.el.dt(detail.label, class_name="sr-only"),
            rx.el.dd(
                rx.el.elements.a(
                    *[rx.el.span(value, class_name="block") for value in detail.values],
                    href=detail.href,
                    class_name="foot-link",
                )
            ),
        )
        for detail in words.details
    ]
    return rx.el.div(rx.el.h2(words.contact_title, class_name="foot-title"), rx.el.dl(*details))


def _social(link: SocialLink) -> rx.Component:
    return rx.el.elements.a(link.name, href=link.link, rel="me noopener", class_name="foot-link")


_ICONS = {
    "success": "check-circle-outline",
    "error": "alert-circle-outline",
    "warning": "alert-outline",
    "info": "information-outline",
    "close": "close",
}


def _own_message(
    text: rx.Var[str], kind: rx.Var[str], timeout: rx.Var[int], content: rx.Var[str], has_action: rx.Var[bool]
) -> tuple[rx.Var[str], rx.Var[str], rx.Var[int], rx.Var[str], rx.Var[bool]]:
    return text, kind, timeout, content, has_action


class Snackbar(rx.Component):
    """Shows a message when `serial` grows, and calls `on_show` with it. Calls `on_own` for a message that the page shows by itself.

    `message` has show, type, text, timeout, content and show_action_button.
    """

    library = "$/components/layout/snackbar"
    tag = "Snackbar"
    message: rx.Var[dict[str, Any]]
    action: rx.Var[str]
    serial: rx.Var[int]
    on_show: rx.EventHandler[rx.event.passthrough_event_spec(int)]
    on_own: rx.EventHandler[_own_message]


def icon_paths() -> dict[str, str]:
    """Returns the icon path of each message type, and of the dismiss button."""
    return {name: path_of(icon) for name, icon in _ICONS.items()}


def loading_indicator() -> rx.Component:
    """Shown while the element after it has aria-busy, and while the code of the next page is loading, if that takes longer than a moment."""
    return rx.el.div(aria_hidden="true", class_name="progress", custom_attrs={"data-closed": ""})
