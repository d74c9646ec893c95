"""The parts of booking that only a browser can do, such as a running clock, and the calendar of free days with its keyboard."""

from typing import Any

import reflex as rx

from components.art.icons import icon


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


def calendar(
    sheet: Any, *, dates: Any, shown: Any, can_turn: Any, is_first: Any, is_last: Any, words: dict[str, Any], **handlers: Any
) -> rx.Component:
    """A sheet of weeks; the handlers are `on_show` and `on_beyond`, which get a date, and `on_turn`, which gets 1 or -1."""
    weekdays = [rx.el.th(short, scope="col", custom_attrs={"abbr": long}) for long, short in words["weekdays"]]
    turn = handlers["on_turn"]
    return rx.el.div(
        rx.el.div(
            rx.el.p(sheet.words, class_name="calendar-span", id="calendar-span", aria_live="polite"),
            rx.cond(can_turn, _turn(words["earlier"], "chevron-left", ends=is_first, on_click=turn(-1))),
            rx.cond(can_turn, _turn(words["later"], "chevron-right", ends=is_last, on_click=turn(1))),
            class_name="calendar-head",
        ),
        CalendarKeys.create(
            rx.el.table(
                rx.el.thead(rx.el.tr(*weekdays)),
                rx.el.tbody(
                    rx.foreach(
                        sheet.weeks,
                        lambda week: rx.el.tr(rx.foreach(week, lambda cell: _cell(cell, shown, handlers["on_show"]))),
                    )
                ),
                role="grid",
                aria_labelledby="calendar-span",
            ),
            dates=dates,
            shown=shown,
            on_beyond=handlers["on_beyond"],
        ),
        class_name="calendar",
    )


def _cell(cell: Any, shown: Any, on_show: Any) -> rx.Component:
    inside = cell.number.to_string(), rx.cond(cell.month != "", rx.el.small(cell.month))
    return rx.cond(
        cell.label != "",
        rx.el.td(
            rx.el.button(
                *inside,
                type="button",
                class_name="calendar-day",
                aria_label=cell.label,
                on_click=on_show(cell.date),
                custom_attrs={"data-date": cell.date},
            ),
            role="gridcell",
            aria_selected=cell.date == shown,
        ),
        rx.el.td(rx.el.span(*inside, class_name="calendar-none"), role="gridcell"),
    )


def _turn(label: str, name: str, *, ends: Any, on_click: Any) -> rx.Component:
    """A button that stays where it is, and keeps the focus, at the first and the last sheet."""
    return rx.el.button(
        icon(name),
        type="button",
        class_name="icon-button",
        aria_label=label,
        custom_attrs={"aria-disabled": rx.cond(ends, "true", None)},
        on_click=on_click,
    )
