"""The end of a form: the button with what goes wrong, and what takes the form's place once it has been sent."""

from typing import Any

import reflex as rx

from components.art.icon import path_of


class SubmitRow(rx.Component):
    """Its children stand above the button. `words`: send, sending, still, again, kept, clear."""

    library = "$/components/ui/submit_row"
    tag = "SubmitRow"
    words: rx.Var[dict[str, str]]


class FormResult(rx.Component):
    """`words`: title, text, reference, next, another, and what the sender's mail is about: `mailed`, `unmailed` where there is none; for a
    quarantined one `check` and `confirm`, and `unasked` instead of `check` where there is no mail.

    Its children stand below the reference. The text and the steps speak of what a whole answer has, such as a link: where it lacks what is
    named in `needs`, they are left out. `next` leads on to another dialog: its label, dialog, form, and the fields that are filled in there.
    `on_another` is the button for another submission.
    """

    library = "$/components/ui/form_result"
    tag = "FormResult"
    words: rx.Var[dict[str, str]]
    steps: rx.Var[list[str]]
    needs: rx.Var[str]
    next: rx.Var[dict[str, Any]]
    icon: rx.Var[str]
    on_another: rx.EventHandler[rx.event.no_args_event_spec]

    @classmethod
    def create(cls, *children, **props) -> "FormResult":
        return super().create(*children, icon=path_of("check-circle-outline"), **props)
