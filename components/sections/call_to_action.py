"""The closing invitation: one violet field on the page, and what to do next."""

from collections.abc import Sequence

import reflex as rx

from components.ui.button import action_row
from components.words import ActionWords


def call_to_action(*, heading: str, text: str, actions: Sequence[ActionWords]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(heading, class_name="text-3xl"),
                rx.el.p(text, class_name="mt-5 text-lg measure"),
            ),
            action_row(actions, inverted=True),
            class_name="wrap invitation",
        ),
        class_name="bg-surface-variant text-on-surface-variant",
    )
