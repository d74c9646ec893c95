"""The countdown of a hold, and its warnings."""

import reflex as rx


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
