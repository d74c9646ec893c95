"""The parts of a modal dialog, which the browser opens and closes by itself: frame, head, and the skeleton of a form that is loading."""

import reflex as rx
from reflex.utils.exec import is_prod_mode

from components.art.icons import icon
from components.records import dialog_id, dialog_title_id


def dialog_frame(*inside: rx.Component | rx.Var, name: str, wide: bool = False, steady: bool = False) -> rx.Component:
    """A modal dialog, opened by any button with commandfor=dialog_id(name); `inside` begins with a dialog_head of the same name.

    A `steady` dialog keeps its height whatever it shows, so that nothing moves under the pointer.
    """
    attributes = {"closedby": "any", "aria-labelledby": dialog_title_id(name), "data-name": name}
    looks = "dialog" + " dialog-wide" * wide + " dialog-steady" * steady
    return rx.el.dialog(*inside, id=dialog_id(name), class_name=looks, custom_attrs=attributes)


def dialog_head(*, name: str, title: str, close: str) -> rx.Component:
    """The title that names the dialog, and the button that closes it; both stay visible.

    The title has the initial focus, because on the button WebKit draws a focus ring even after a mouse click.
    """
    command = {"commandfor": dialog_id(name), "command": "close"}
    return rx.el.div(
        rx.el.h2(title, id=dialog_title_id(name), tab_index=-1, class_name="text-2xl", custom_attrs=first_focus()),
        rx.el.button(icon("close"), type="button", aria_label=close, class_name="icon-button", custom_attrs=command),
        class_name="dialog-head",
    )


def form_skeleton(*, label: str, fields: int) -> rx.Component:
    """Stands in a dialog while its form is loading; its last field is a large one."""
    return rx.el.div(
        rx.el.p(label, role="status", class_name="sr-only"),
        rx.el.div(*[rx.el.i() for _ in range(2 * fields)], class_name="skeleton", aria_hidden="true"),
    )


def calendar_skeleton(*, label: str) -> rx.Component:
    """Stands for a calendar and the times of a day while they are loading."""
    return rx.el.div(
        rx.el.p(label, role="status", class_name="sr-only"), _cells(7 * 5), _cells(4 * 4), class_name="skeleton-times"
    )


def _cells(count: int) -> rx.Component:
    return rx.el.div(*[rx.el.i() for _ in range(count)], class_name="skeleton", aria_hidden="true")


def first_focus() -> dict[str, str]:
    """Returns the autofocus attribute as a custom one: React does not render autoFocus in the browser, and in development warns of autofocus."""
    return {"autofocus": "true"} if is_prod_mode() else {"autoFocus": "true"}
