"""The closing invitation: one violet field on the page, and what to do next."""

import reflex as rx

from components.ui.button import action_row
from components.words import Invitation


def call_to_action(words: Invitation) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(words.heading, class_name="text-3xl"),
                rx.el.p(words.text, class_name="mt-5 text-lg measure"),
            ),
            action_row(words.actions, inverted=True),
            class_name="wrap invitation",
        ),
        class_name="bg-surface-variant text-on-surface-variant",
    )
