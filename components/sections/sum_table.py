"""A worked example in figures."""

from collections.abc import Sequence

import reflex as rx

from components.ui.headline import headline


def sum_table(
    *, heading: str, lead: str, heads: Sequence[str], rows: Sequence[tuple[str, str, str]], note: str
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            headline(heading, lead=lead, class_name="split-side"),
            rx.el.div(
                rx.el.table(
                    rx.el.caption(heading, class_name="sr-only"),
                    rx.el.thead(rx.el.tr(*[rx.el.th(head, scope="col") for head in heads])),
                    rx.el.tbody(*[_row(row) for row in rows]),
                    class_name="sums",
                ),
                rx.el.p(note, class_name="mt-5 text-sm text-ink-soft"),
            ),
            class_name="wrap band split",
        ),
        class_name="bg-tint",
    )


def _row(row: tuple[str, str, str]) -> rx.Component:
    label, payment, earned = row
    return rx.el.tr(rx.el.th(label, scope="row"), rx.el.td(payment), rx.el.td(earned))
