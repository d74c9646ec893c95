"""A modal dialog, opened and closed by the browser itself: a sheet from the bottom on phones, in the middle on larger screens."""

import reflex as rx
from reflex.utils.exec import is_prod_mode

from components.art.icon import icon


def dialog_id(name: str) -> str:
    """What a button's commandfor says."""
    return f"{name}-dialog"


def dialog_frame(*inside: rx.Component | rx.Var, name: str, wide: bool = False) -> rx.Component:
    """Opened by any button with commandfor=dialog_id(name); `inside` begins with a dialog_head of the same name."""
    attributes = {"closedby": "any", "aria-labelledby": f"{dialog_id(name)}-title", "data-name": name}
    return rx.el.dialog(
        *inside, id=dialog_id(name), class_name="dialog dialog-wide" if wide else "dialog", custom_attrs=attributes
    )


def dialog_head(*, name: str, title: str, close: str) -> rx.Component:
    """The title that names the dialog, and the button that closes it; both stay in view.

    The title has the focus at first: on the button WebKit draws a ring, also for those who came with a mouse.
    """
    command = {"commandfor": dialog_id(name), "command": "close"}
    return rx.el.div(
        rx.el.h2(title, id=f"{dialog_id(name)}-title", tab_index=-1, class_name="text-2xl", custom_attrs=first_focus()),
        rx.el.button(icon("close"), type="button", aria_label=close, class_name="icon-button", custom_attrs=command),
        class_name="dialog-head",
    )


def form_skeleton(*, label: str, fields: int) -> rx.Component:
    """The shape of a form that is on its way, its last field a large one."""
    return rx.el.div(
        rx.el.p(label, role="status", class_name="sr-only"),
        rx.el.div(*[rx.el.i() for _ in range(2 * fields)], class_name="skeleton", aria_hidden="true"),
    )


def first_focus() -> dict[str, str]:
    """As a custom attribute: React does not write the one it knows, autoFocus, in the browser, and in development complains of the other."""
    return {"autofocus": "true"} if is_prod_mode() else {"autoFocus": "true"}
