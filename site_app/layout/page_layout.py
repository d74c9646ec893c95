"""The bar and the footer, built once per language, and the shell around every page.

The shell is mounted once around the router's outlet, so that dialogs, messages and invisible components survive a change of page or language.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import reflex as rx

from components.browser import (
    CallFailures,
    InLayout,
    LanguageChoice,
    OpenStateSync,
    PageChange,
    PageLoader,
    RegisterLayout,
    ScrollMemory,
    StartReaderScripts,
    from_path,
    memo_itself,
)
from components.layout.footer import footer
from components.layout.loading_indicator import loading_indicator
from components.layout.navbar import navbar
from components.messages import Snackbar
from components.ui.text import mark_language
from site_app.content.navigation import demonstration, footer_words, navigation_words, page_words
from site_app.content.routes import BY_PATH, REDIRECTS
from site_app.core.i18n import current, in_every_language, recorded_lookups, use
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.layout.dialogs import consultation_dialog, contact_dialog, quote_dialog
from site_app.plugins.static_first.site import Hydrated
from site_app.states.dialogs import DialogState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState
from site_app.states.startup import StartupState

MAIN = "main"


def page_layout(children: rx.Var[rx.Component]) -> rx.Component:
    """The bar and footer around a page, in the current language."""
    with recorded_lookups() as lookups:
        navigation = navigation_words()
        notice = demonstration()
        layout = rx.fragment(
            rx.el.elements.a(navigation.skip, href=f"#{MAIN}", class_name="skip"),
            navbar(navigation, languages=LOCALES, page_language=current()),
            rx.el.main(*([_demonstration(notice)] if notice else []), children, id=MAIN, tab_index=-1),
            footer(footer_words(), brand=navigation.home),
        )
    mark_language(layout, lookups.fallbacks, ENGLISH.tag)
    return layout


def _demonstration(notice: str) -> rx.Component:
    """The notice of a demonstration: a background across the window, with its text aligned to the page."""
    return rx.el.div(rx.el.p(notice, class_name="wrap"), class_name="notice notice-warning")


_LAYOUTS = {
    language: rx.memo(build) for language, build in in_every_language(page_layout, chunk="site_app.layout.page_layout").items()
}


def in_layout(children: rx.Component) -> rx.Component:
    """The layout in the language of the page's path."""
    return InLayout.create(children, english=memo_itself(_LAYOUTS[ENGLISH.id](rx.fragment())))


def with_layout(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """Returns a page that includes its layout. English pages need not, because the English layout is part of every page."""

    @wraps(build)
    def page() -> rx.Component:
        return rx.fragment(RegisterLayout.of(locale.id, _LAYOUTS[locale.id](rx.fragment())), build())

    return build if locale is ENGLISH else page


@rx.memo
def shell(children: rx.Var[rx.Component]) -> rx.Component:
    return rx.fragment(
        loading_indicator(),
        rx.el.div(in_layout(rx.fragment(children)), aria_busy=StartupState.loading, on_mount=StartupState.start),
        _dialogs(),
        _messages(),
        *_invisible_components(),
    )


def _dialogs() -> rx.Component:
    return OpenStateSync.create(
        quote_dialog(),
        contact_dialog(),
        consultation_dialog(),
        name="dialog",
        keeps=False,
        open_id=DialogState.open_dialog,
        seq=DialogState.seq,
        hydrated=rx.State.is_hydrated,
        on_report=DialogState.report,
    )


def _messages() -> rx.Component:
    state = SnackbarState
    return Snackbar.create(
        message=state.snack_bar_data,
        action=state.action,
        serial=state.serial,
        on_show=state.dismiss,
        on_own=state.report,
    )


def _invisible_components() -> list[rx.Component]:
    return [
        ScrollMemory.create(),
        PageChange.create(),
        PageLoader.create(words=_by_language(page_words), paths=list(BY_PATH), redirects=REDIRECTS),
        LanguageChoice.create(
            chosen_language=LanguageState.chosen,
            choice_count=LanguageState.choice_count,
            listed=StartupState.countries_in,
            hydrated=rx.State.is_hydrated,
            on_stale=StartupState.load,
        ),
        CallFailures.create(counts=StartupState.failures, hydrated=rx.State.is_hydrated),
        StartReaderScripts.create(),
        Hydrated.create(),
    ]


def _by_language(words: Callable[[], Any]) -> rx.Var:
    """The texts in the language of the page's path."""
    table = {}
    for locale in LOCALES:
        with use(locale):
            table[locale.id] = words()
    return rx.Var.create(table)[from_path("localeOf(pathname)")]
