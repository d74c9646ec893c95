"""The parts of the booking dialog that work while the server does not respond."""

import reflex as rx


def _opening(
    language: rx.Var[str], browser_zone: rx.Var[str], zone: rx.Var[str], slot: rx.Var[str], hold: rx.Var[str]
) -> tuple[rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str], rx.Var[str]]:
    return language, browser_zone, zone, slot, hold


class BookingDialogWatcher(rx.Component):
    """Placed inside a dialog. `on_open` receives the page's language, the browser's zone, and the zone, slot and hold in the draft of `form`.

    Releases the hold at the URL `release_href` when the page unloads, or when the dialog closes while the socket is down. Calls `on_open`
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


class ShowAfter(rx.Component):
    """Shows its children after `seconds`."""

    library = "$/components/booking/show_after"
    tag = "ShowAfter"
    seconds: rx.Var[int]
