"""The calendar of free days, with its keyboard control."""

from typing import Any

import reflex as rx

from components.art.icons import icon


class CalendarKeys(rx.Component):
    """Wraps a grid whose buttons have a `data-date`. `dates` are the free days; calls `on_beyond` for a day whose week is not shown."""

    library = "$/components/booking/calendar_keys"
    tag = "CalendarKeys"
    dates: rx.Var[list[str]]
    shown_day: rx.Var[str]  # the day that Tab enters first
    on_beyond: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def calendar(
    sheet: Any,
    *,
    dates: Any,
    shown_day: Any,
    can_turn: Any,
    is_first: Any,
    is_last: Any,
    words: dict[str, Any],
    on_show: Any,
    on_beyond: Any,
    on_turn: Any,
) -> rx.Component:
    """A sheet of weeks. The handlers `on_show` and `on_beyond` receive a date, `on_turn` receives 1 or -1."""
    weekdays = [rx.el.th(short, scope="col", custom_attrs={"abbr": long}) for long, short in words["weekdays"]]
    return rx.el.div(
        rx.el.div(
            rx.el.p(sheet.words, class_name="calendar-span", id="calendar-span", aria_live="polite"),
            rx.cond(can_turn, _turn(words["earlier"], "chevron-left", ends=is_first, on_click=on_turn(-1))),
            rx.cond(can_turn, _turn(words["later"], "chevron-right", ends=is_last, on_click=on_turn(1))),
            class_name="calendar-head",
        ),
        CalendarKeys.create(
            rx.el.table(
                rx.el.thead(rx.el.tr(*weekdays)),
                rx.el.tbody(
                    rx.foreach(
                        sheet.weeks,
                        lambda week: rx.el.tr(rx.foreach(week, lambda cell: _cell(cell, shown_day, on_show))),
                    )
                ),
                role="grid",
                aria_labelledby="calendar-span",
            ),
            dates=dates,
            shown_day=shown_day,
            on_beyond=on_beyond,
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
