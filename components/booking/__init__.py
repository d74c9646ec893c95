"""The parts of booking that need browser code, such as a running clock, and the calendar of free days with its keyboard control."""

from typing import Any

import reflex as rx

from components.art.icons import icon


def _opening(
    language: rx.Var[str], browser_zone: rx.Var[str], zone: rx.Var[str], slot: rx.Var[str], hold: rx.Var[str]
) -> tuple[rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str]]:
    return language, browser_zone, zone, slot, hold


class BookingDialogWatcher(rx.Component):
    """Placed inside a dialog. `on_open` receives the page's language, the browser's zone, and the zone, slot and hold in the draft of `form`.

    Releases the hold at the address `release_href` when the page unloads, or when the dialog closes while the socket is down. Calls `on_open`
    again if the state loses `is_open`.
    """

    library = "$/components/booking/dialog_watcher"
    tag = "BookingDialogWatcher"
    form: rx.Var[str]
    release_href: rx.Var[str]
    language: rx.Var[str]
    is_open: rx.Var[bool]
    socket_down: rx.Var[bool]
    on_open: rx.EventHandler[_opening]
    on_close: rx.EventHandler[rx.event.no_args_event_spec]


class PlainBookingLink(rx.Component):
    """A link to the page that books without a socket; passes on the draft of `form` and the chosen time.

    `zone`, `slot`, `day` and `call_language` come from the state; newer values in the browser's draft take precedence.
    """

    library = "$/components/booking/plain_link"
    tag = "PlainBookingLink"
    form: rx.Var[str]
    href: rx.Var[str]
    zone: rx.Var[str]
    slot: rx.Var[str]
    day: rx.Var[str]
    call_language: rx.Var[str]


class CalendarKeys(rx.Component):
    """Wraps a grid whose buttons have a `data-date`. `dates` are the free days; calls `on_beyond` for a day whose week is not shown."""

    library = "$/components/booking/calendar_keys"
    tag = "CalendarKeys"
    dates: rx.Var[list[str]]
    shown_day: rx.Var[str]  # the day that Tab enters first
    on_beyond: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class HoldClock(rx.Component):
    """Shows the remaining time of the hold that began at `held_at` and lasts `seconds`. `words`: held, expired."""

    library = "$/components/booking/hold_clock"
    tag = "HoldClock"
    held_at: rx.Var[int]
    seconds: rx.Var[int]
    words: rx.Var[dict[str, str]]


class HoldWarnings(rx.Component):
    """Renders nothing: warns before the end of the hold and at its end, with a button for `on_extend`. `words`: warning, expired, keep_short."""

    library = "$/components/booking/hold_clock"
    tag = "HoldWarnings"
    held_at: rx.Var[int]
    seconds: rx.Var[int]
    words: rx.Var[dict[str, str]]
    on_extend: rx.EventHandler[rx.event.no_args_event_spec]
    on_expire: rx.EventHandler[rx.event.passthrough_event_spec(int)]


class ShowAfter(rx.Component):
    """Shows its children after `seconds`."""

    library = "$/components/booking/show_after"
    tag = "ShowAfter"
    seconds: rx.Var[int]


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


def calendar(
    sheet: Any,
    *,
    dates: Any,
    shown_day: Any,
    can_turn: Any,
    is_first: Any,
    is_last: Any,
    words: dict[str, Any],
    **handlers: Any,
) -> rx.Component:
    """A sheet of weeks. The handlers `on_show` and `on_beyond` receive a date, `on_turn` receives 1 or -1."""
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
                        lambda week: rx.el.tr(rx.foreach(week, lambda cell: _cell(cell, shown_day, handlers["on_show"]))),
                    )
                ),
                role="grid",
                aria_labelledby="calendar-span",
            ),
            dates=dates,
            shown_day=shown_day,
            on_beyond=handlers["on_beyond"],
        ),
        class_name="calendar",
    )


def _cell(cell: Any, shown_day: Any, on_show: Any) -> rx.Component:
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
            aria_selected=cell.date == shown_day,
        ),
        rx.el.td(rx.el.span(*inside, class_name="calendar-none"), role="gridcell"),
    )


def _turn(label: str, name: str, *, ends: Any, on_click: Any) -> rx.Component:
    """A button that stays in place and keeps the focus at the first and last sheet, where it is only marked as disabled."""
    return rx.el.button(
        icon(name),
        type="button",
        class_name="icon-button",
        aria_label=label,
        custom_attrs={"aria-disabled": rx.cond(ends, "true", None)},
        on_click=on_click,
    )
