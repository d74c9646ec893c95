"""The end of a form: the button, what is said beside it, and how the sending goes."""

import reflex as rx


class SubmitRow(rx.Component):
    """Its children stand above the button. `words`: send, sending, still, again, kept, clear."""

    library = "$/components/ui/submit_row"
    tag = "SubmitRow"
    words: rx.Var[dict[str, str]]
