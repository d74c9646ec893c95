"""The short message at the foot of the page, as a state says it; components/browser/reading/snackbar.js shows it."""

import reflex as rx

from components.art.icon import path_of

_ICONS = {
    "success": "check-circle-outline",
    "error": "alert-circle-outline",
    "warning": "alert-outline",
    "info": "information-outline",
    "close": "close",
}


class Snackbar(rx.Component):
    """Has what its props say shown whenever `serial` grows, and calls `on_show` with it."""

    library = "$/components/layout/snackbar"
    tag = "Snackbar"
    show: rx.Var[bool]
    type: rx.Var[str]
    text: rx.Var[str]
    timeout: rx.Var[int]
    content: rx.Var[str]
    show_action_button: rx.Var[bool]
    action: rx.Var[str]
    serial: rx.Var[int]
    on_show: rx.EventHandler[rx.event.passthrough_event_spec(int)]


def icon_paths() -> dict[str, str]:
    """The drawing of each type of message, and of the button that dismisses it."""
    return {name: path_of(icon) for name, icon in _ICONS.items()}
