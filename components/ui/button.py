"""Buttons, and links that look like one."""

from typing import Literal

import reflex as rx

from components.ui.dialog_frame import dialog_id

Kind = Literal["strong", "quiet", "inverted", "inverted_quiet"]


def button_class(kind: Kind) -> str:
    return f"button button-{kind.replace('_', '-')}"


def opener(text: str, *, dialog: str, kind: Kind = "strong") -> rx.Component:
    """A button that opens a dialog natively, before and without React."""
    command = {"commandfor": dialog_id(dialog), "command": "show-modal"}
    return rx.el.button(text, type="button", custom_attrs=command, class_name=button_class(kind))


def button_link(text: str, *, href: str, kind: Kind = "strong") -> rx.Component:
    return rx.el.elements.a(text, href=href, class_name=button_class(kind))
