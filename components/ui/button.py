"""Buttons, and links that look like buttons."""

from collections.abc import Sequence
from typing import Literal

import reflex as rx

from components.records import Action, dialog_id

Kind = Literal["strong", "quiet", "inverted", "inverted_quiet"]


def button_class(kind: Kind) -> str:
    return f"button button-{kind.replace('_', '-')}"


def opener(action: Action, *, kind: Kind = "strong") -> rx.Component:
    """A button that opens a dialog natively, before React runs; without scripts a link, because not every browser supports `command`."""
    command = {"commandfor": dialog_id(action.dialog), "command": "show-modal"}
    return rx.fragment(
        rx.el.button(action.text, type="button", custom_attrs=command, class_name=button_class(kind)),
        rx.el.noscript(button_link(action.text, href=action.href, kind=kind)),
    )


def action_row(actions: Sequence[Action], *, class_name: str = "", inverted: bool = False) -> rx.Component:
    """A row of actions, the first as a strong button, the others as quiet ones."""
    strong, quiet = ("inverted", "inverted_quiet") if inverted else ("strong", "quiet")
    first, *secondary = actions
    return rx.el.div(
        opener(first, kind=strong),
        *[opener(action, kind=quiet) for action in secondary],
        class_name=f"flex flex-wrap gap-3 {class_name}".strip(),
    )


def button_link(text: str, *, href: str, kind: Kind = "strong", label: str = "") -> rx.Component:
    """A link that looks like a button. `label` is a longer accessible name, and begins with the text."""
    return rx.el.elements.a(text, href=href, class_name=button_class(kind), aria_label=label or None)
