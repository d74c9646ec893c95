"""A modal dialog, opened and closed by the browser itself: a sheet from the bottom on phones, in the middle on larger screens."""

import reflex as rx

from components.art.icon import icon


def dialog_frame(*inside: rx.Component | rx.Var, id: str) -> rx.Component:
    """Opened by any button with commandfor=id; `inside` begins with a dialog_head of the same id."""
    return rx.el.dialog(*inside, id=id, class_name="dialog", custom_attrs={"closedby": "any", "aria-labelledby": f"{id}-title"})


def dialog_head(*, id: str, title: str, close: str) -> rx.Component:
    """The title that names the dialog, and the button that closes it; both stay in view."""
    command = {"commandfor": id, "command": "close"}
    return rx.el.div(
        rx.el.h2(title, id=f"{id}-title", class_name="text-2xl"),
        rx.el.button(icon("close"), type="button", aria_label=close, class_name="icon-button", custom_attrs=command),
        class_name="dialog-head",
    )


def form_skeleton(*, label: str, fields: int) -> rx.Component:
    """The shape of a form that is on its way, its last field a large one."""
    return rx.el.div(
        rx.el.p(label, role="status", class_name="sr-only"),
        rx.el.div(*[rx.el.i() for _ in range(2 * fields)], class_name="skeleton", aria_hidden="true"),
    )
