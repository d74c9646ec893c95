"""What is open in a page, for a state."""

import reflex as rx


def _reported(name: rx.Var[str], seq: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return name, seq


class OpenStateSync(rx.Component):
    """Wraps <dialog> or <details> elements with an id or a data-name; `name` is its own name, `seq` the newest change that the state knows.

    With `keeps`, reopens the open element when the component mounts again.
    """

    library = "$/components/browser/open_state_sync"
    tag = "OpenStateSync"
    name: rx.Var[str]
    keeps: rx.Var[bool]
    open_id: rx.Var[str]
    seq: rx.Var[int]
    hydrated: rx.Var[bool]
    on_report: rx.EventHandler[_reported]
