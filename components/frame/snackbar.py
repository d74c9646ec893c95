"""The short message at the foot of the page."""

from typing import Any

import reflex as rx

from components.art.icon import path_of

ICONS = {
    "success": "check-circle-outline",
    "error": "alert-circle-outline",
    "warning": "alert-outline",
    "info": "information-outline",
    "close": "close",
}


class Snackbar(rx.Component):
    """Shows what its props say whenever `serial` grows, and what scripts say by themselves; one message at a time.

    `words`: how each type is called, `again` and `dismiss`.
    """

    library = "$/components/frame/snackbar"
    tag = "Snackbar"
    show: rx.Var[bool]
    type: rx.Var[str]
    text: rx.Var[str]
    timeout: rx.Var[int]
    content: rx.Var[str]
    show_action_button: rx.Var[bool]
    action: rx.Var[str]
    serial: rx.Var[int]
    words: rx.Var[dict[str, str]]
    icons: rx.Var[dict[str, str]]
    on_dismiss: rx.EventHandler[rx.event.passthrough_event_spec(int)]


def snackbar(**props: Any) -> rx.Component:
    return Snackbar.create(icons={name: path_of(icon) for name, icon in ICONS.items()}, **props)
