"""Choosing and holding the time of a call, around the form that books it; and what the booking comes to."""

from typing import Any

import reflex as rx


def _name(hold: rx.Var[str]) -> tuple[rx.Var[str]]:
    return (hold,)


def _question(hold: rx.Var[str], ask: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return hold, ask


def _choice(slot: rx.Var[str], hold: rx.Var[str], ask: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[str], rx.Var[int]]:
    return slot, hold, ask


class Booking(rx.Component):
    """Its children are the form, what is said when no time is left, and when the times cannot be loaded (with a button).

    `id` is the form's. A state answers with `slots`, `loads`, `failed` and `held`: see MeetingSlotsState.
    """

    library = "$/components/booking/booking"
    tag = "Booking"
    host: rx.Var[str]  # the host's time zone
    zones: rx.Var[list[list[str]]]  # zone, country and city
    words: rx.Var[dict[str, Any]]
    api_key: rx.Var[str]
    socket_down: rx.Var[bool]
    slots: rx.Var[list[dict[str, Any]]]
    loads: rx.Var[int]
    failed: rx.Var[bool]
    held: rx.Var[dict[str, Any]]
    on_load: rx.EventHandler[_name]
    on_hold: rx.EventHandler[_choice]
    on_extend: rx.EventHandler[_question]
    on_release: rx.EventHandler[_name]


class BookedCall(rx.Component):
    """Inside the form's FormResult, whose answer says when and where; the words are those of the Booking around it."""

    library = "$/components/booking/booked_call"
    tag = "BookedCall"
