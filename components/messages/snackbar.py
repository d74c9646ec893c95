"""The part of a page that passes a state's messages on to snackbar.js, which shows them also before React runs."""

from typing import Any

import reflex as rx

from components.art.icons import path_of

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

    library = "$/components/messages/state_messages"
    tag = "Snackbar"
    message: rx.Var[dict[str, Any]]
    action: rx.Var[str]
    serial: rx.Var[int]
    on_show: rx.EventHandler[rx.event.passthrough_event_spec(int)]
    on_own: rx.EventHandler[_own_message]


def icon_paths() -> dict[str, str]:
    """Returns the icon path of each message type, and of the dismiss button."""
    return {name: path_of(icon) for name, icon in _ICONS.items()}
