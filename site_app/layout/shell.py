"""What surrounds every page, mounted once around the router's outlet: it survives navigation.

The layout is exchanged with the language. Dialogs, messages and watchers stand beside it, so they outlive a change of language.
"""

from collections.abc import Callable
from typing import Any

import reflex as rx

from components.browser.locale import from_path
from components.browser.open_state_sync import OpenStateSync
from components.browser.watchers import (
    CallFailures,
    LanguageChoice,
    PageChange,
    PageLoader,
    ReadInDevelopment,
    ScrollMemory,
)
from components.layout.loading_indicator import loading_indicator
from components.layout.snackbar import Snackbar
from site_app.content.notices import page_words
from site_app.core.i18n import LOCALES, use
from site_app.core.routes import BY_PATH, REDIRECTS
from site_app.layout.dialogs import consultation_dialog, contact_dialog, quote_dialog
from site_app.layout.page_layout import in_layout
from site_app.plugins.static_first.hydrated import Hydrated
from site_app.states.dialogs import DialogState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState
from site_app.states.startup import StartupState


@rx.memo
def shell(children: rx.Var[rx.Component]) -> rx.Component:
    return rx.fragment(
        loading_indicator(),
        rx.el.div(in_layout(rx.fragment(children)), aria_busy=StartupState.loading, on_mount=StartupState.start),
        _dialogs(),
        _messages(),
        *_watchers(),
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


def _watchers() -> list[rx.Component]:
    return [
        ScrollMemory.create(),
        PageChange.create(),
        PageLoader.create(words=_by_language(page_words), paths=list(BY_PATH), redirects=REDIRECTS),
        LanguageChoice.create(
            chosen=LanguageState.chosen,
            choices=LanguageState.choices,
            listed=StartupState.countries_in,
            hydrated=rx.State.is_hydrated,
            on_stale=StartupState.load,
        ),
        CallFailures.create(counts=StartupState.failures, hydrated=rx.State.is_hydrated),
        ReadInDevelopment.create(),
        Hydrated.create(),
    ]


def _by_language(words: Callable[[], Any]) -> rx.Var:
    """The words in the language of the page's path."""
    table = {}
    for locale in LOCALES:
        with use(locale):
            table[locale.id] = words()
    return rx.Var.create(table)[from_path("localeOf(pathname)")]
