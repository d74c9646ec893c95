"""Buttons, links that look like buttons, and the modal dialogs that buttons open, which the browser does by itself."""

from collections.abc import Sequence
from typing import Literal

import reflex as rx
from reflex.utils.exec import is_prod_mode

from components.art.icons import icon
from components.records import Action


def dialog_id(name: str) -> str:
    """Returns the dialog's id, for a button's commandfor."""
    return f"{name}-dialog"


def dialog_frame(*inside: rx.Component | rx.Var, name: str, wide: bool = False, steady: bool = False) -> rx.Component:
    """A modal dialog, opened by any button with commandfor=dialog_id(name); `inside` begins with a dialog_head of the same name.

    A `steady` dialog keeps its height whatever it shows, so that nothing moves under the pointer.
    """
    attributes = {"closedby": "any", "aria-labelledby": f"{dialog_id(name)}-title", "data-name": name}
    looks = "dialog" + " dialog-wide" * wide + " dialog-steady" * steady
    return rx.el.dialog(*inside, id=dialog_id(name), class_name=looks, custom_attrs=attributes)


def dialog_head(*, name: str, title: str, close: str) -> rx.Component:
    """The title that names the dialog, and the button that closes it; both stay visible.

    The title has the initial focus, because on the button WebKit draws a focus ring even after a mouse click.
    """
    command = {"commandfor": dialog_id(name), "command": "close"}
    return rx.el.div(
        rx.el.h2(title, id=f"{dialog_id(name)}-title", tab_index=-1, class_name="text-2xl", custom_attrs=first_focus()),
        rx.el.button(icon("close"), type="button", aria_label=close, class_name="icon-button", custom_attrs=command),
        class_name="dialog-head",
    )


def form_skeleton(*, label: str, fields: int) -> rx.Component:
    """The skeleton of a form that is loading; its last field is a large one."""
    return rx.el.div(
        rx.el.p(label, role="status", class_name="sr-only"),
        rx.el.div(*[rx.el.i() for _ in range(2 * fields)], class_name="skeleton", aria_hidden="true"),
    )


def first_focus() -> dict[str, str]:
    """Returns the autofocus attribute as a custom one: React does not render autoFocus in the browser, and in development warns of autofocus."""
    return {"autofocus": "true"} if is_prod_mode() else {"autoFocus": "true"}


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
