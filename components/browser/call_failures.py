"""Failed calls of the server, in the console."""

import reflex as rx


class CallFailures(rx.Component):
    """Logs failed calls of the server to the browser's console; `counts` are the failures by the call's name."""

    library = "$/components/browser/call_failures"
    tag = "CallFailures"
    counts: rx.Var[dict[str, int]]
    hydrated: rx.Var[bool]
