"""Choosing and holding the time of a call, around the form that books it; and what the booking comes to."""

from typing import Any

import reflex as rx


class Booking(rx.Component):
    """Its children are the form, what is said when no time is left, and when the times cannot be loaded (with a button).

    `id` is the form's; at the address `times` the free times are asked for.
    """

    library = "$/components/booking/booking"
    tag = "Booking"
    times: rx.Var[str]
    api_key: rx.Var[str]
    words: rx.Var[dict[str, Any]]


class BookedCall(rx.Component):
    """Inside the form's FormResult, whose answer says when and where."""

    library = "$/components/booking/booked_call"
    tag = "BookedCall"
    words: rx.Var[dict[str, str]]
