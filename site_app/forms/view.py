"""What a form shows, as data: its fields in order and the result's words. Drawn by React, and as plain HTML where no script runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from site_app.content.form_words import mail_step, sent
from site_app.contracts.kind import SubmissionKind
from site_app.contracts.meeting import MeetingRequest

CONSULTATION = SubmissionKind("consultation", "bookMeeting", MeetingRequest)  # a call that is booked is no lead


@dataclass(frozen=True)
class Field:
    """A field of the contract. Its control, bounds and choices are the contract's, its label the kind's.

    `icons` are names of icons by slug. A box to tick may say more than its label: `says`, then a link of text and address; and may
    send a `value` of its own.
    """

    name: str
    help: str = ""
    autocomplete: str = ""
    rows: int = 5
    icons: Mapping[str, str] = field(default_factory=dict)
    says: str = ""
    link: tuple[str, str] = ("", "")
    value: str = "yes"


@dataclass(frozen=True)
class Result:
    """What takes the form's place; for `needs` and `next`, which opens another dialog, see FormResult. `mailed` is the step that says which
    mail comes, left out where none does; empty where the text says it.
    """

    title: str
    text: str
    steps: tuple[str, ...]
    another: str
    needs: str = ""
    next: dict[str, Any] | None = None
    mailed: str = field(default_factory=mail_step)


@dataclass(frozen=True)
class View:
    """`send` is on the button, `sent` the message at the end. `page` is the path of the page that the form stands on, where it is taken
    without JavaScript too.
    """

    title: str
    fields: tuple[Field, ...]
    send: str
    result: Result
    page: str = ""
    sent: str = field(default_factory=sent)


def view_of(kind: SubmissionKind) -> View:
    """The view of a kind, in the language being written: `view` in the module that is named as the kind is."""
    module = import_module(f"site_app.forms.views.{kind.name.replace('-', '_')}")
    build: Callable[[], View] = module.view
    return build()
