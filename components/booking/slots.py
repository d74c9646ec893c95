"""The times of a day."""

from typing import Any

import reflex as rx


def slot_choices(times: Any, *, chosen_id: Any, on_choose: Any, with_day: bool = False) -> rx.Component:
    """Times as radio buttons in both time zones; with `with_day` each also shows its day.

    The buttons are uncontrolled, so that the browser marks the choice at once, before the state knows it.
    """

    def choice(time: Any) -> rx.Component:
        return rx.el.label(
            rx.el.input(
                type="radio",
                name="time",
                value=time.id,
                default_checked=chosen_id == time.id,
                on_change=on_choose(time.id),
            ),
            *([rx.el.span(time.day, class_name="slot-day")] if with_day else []),
            rx.el.span(time.clocks, class_name="sr-only"),
            rx.el.span(time.visitor_time, class_name="slot-time", aria_hidden="true"),
            rx.cond(time.host_time != "", rx.el.small(time.host_time, class_name="slot-there", aria_hidden="true")),
            class_name="slot",
            key=time.id,
        )

    return rx.el.div(rx.foreach(times, choice), class_name="slots slots-with-day" if with_day else "slots")
