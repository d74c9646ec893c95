"""Keeps a state informed of which dialog or answer is open, and lets it open and close them."""

import reflex as rx


def _reported(name: rx.Var[str], seq: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return name, seq


class OpenStateSync(rx.Component):
    """Around <dialog> or <details> elements with an id or a data-name; `name` is its own, `seq` the newest change the state knows.

    With `keeps`, what was open is opened again when the part comes back.
    """

    library = "$/components/browser/open_state_sync"
    tag = "OpenStateSync"
    name: rx.Var[str]
    keeps: rx.Var[bool]
    open_id: rx.Var[str]
    seq: rx.Var[int]
    hydrated: rx.Var[bool]
    on_report: rx.EventHandler[_reported]
