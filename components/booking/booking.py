"""What only a browser can do while a call is booked: tell that the dialog is open, tick, lead the focus through a calendar."""

from typing import Any

import reflex as rx


def _opened(
    language: rx.Var[str], clock: rx.Var[str], zone: rx.Var[str], slot: rx.Var[str], hold: rx.Var[str]
) -> tuple[rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str]]:
    return language, clock, zone, slot, hold


class BookingVisit(rx.Component):
    """Inside a dialog: `on_open` gets the page's language, the browser's zone, and what the draft of this `form` remembers.

    At the address `release` a hold is given back when the page goes, or the dialog closes without a socket. A state that says it is not open
    is told again.
    """

    library = "$/components/booking/visit"
    tag = "BookingVisit"
    form: rx.Var[str]
    release: rx.Var[str]
    language: rx.Var[str]
    is_open: rx.Var[bool]
    socket_down: rx.Var[bool]
    on_open: rx.EventHandler[_opened]
    on_close: rx.EventHandler[rx.event.no_args_event_spec]


class PlainBookingLink(rx.Component):
    """A link to the page that books without a socket; takes along what the draft of this `form` remembers, and what is chosen.

    `zone`, `slot` and `day` are the state's; the browser has the newest of them.
    """

    library = "$/components/booking/visit"
    tag = "PlainBookingLink"
    form: rx.Var[str]
    href: rx.Var[str]
    zone: rx.Var[str]
    slot: rx.Var[str]
    day: rx.Var[str]


class CalendarKeys(rx.Component):
    """Around a grid whose buttons have a `data-date`. `dates` are the free days; for one whose week is not shown it calls `on_beyond`."""

    library = "$/components/booking/calendar_keys"
    tag = "CalendarKeys"
    dates: rx.Var[list[str]]
    shown: rx.Var[str]
    on_beyond: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class HoldClock(rx.Component):
    """How long the hold that began at `held_at` still lasts of its `seconds`. `words`: held, lapsed."""

    library = "$/components/booking/hold_clock"
    tag = "HoldClock"
    held_at: rx.Var[int]
    seconds: rx.Var[int]
    words: rx.Var[dict[str, str]]


class HoldWarnings(rx.Component):
    """Invisible: warns before the hold's end and at it, with a button for `on_extend`. `words`: soon, lapsed, keep_short."""

    library = "$/components/booking/hold_clock"
    tag = "HoldWarnings"
    held_at: rx.Var[int]
    seconds: rx.Var[int]
    words: rx.Var[dict[str, str]]
    on_extend: rx.EventHandler[rx.event.no_args_event_spec]
    on_lapse: rx.EventHandler[rx.event.passthrough_event_spec(int)]


class Late(rx.Component):
    """Its children are shown after so many seconds."""

    library = "$/components/booking/late"
    tag = "Late"
    seconds: rx.Var[int]


def slot_choices(times: Any, *, chosen: Any, on_choose: Any, with_day: bool = False) -> rx.Component:
    """Times as radio buttons on both clocks; with `with_day` each says its own day.

    The browser marks the choice at once, before the state has heard of it: the buttons are not controlled.
    """

    def choice(time: Any) -> rx.Component:
        return rx.el.label(
            rx.el.input(
                type="radio",
                name="time",
                value=time.id,
                default_checked=chosen == time.id,
                on_change=on_choose(time.id),
            ),
            *([rx.el.span(time.day, class_name="slot-day")] if with_day else []),
            rx.el.span(time.clocks, class_name="sr-only"),
            rx.el.span(time.here, class_name="slot-time", aria_hidden="true"),
            rx.cond(time.there != "", rx.el.small(time.there, class_name="slot-there", aria_hidden="true")),
            class_name="slot",
            key=time.id,
        )

    return rx.el.div(rx.foreach(times, choice), class_name="slots slots-with-day" if with_day else "slots")
