"""The records of a form's view: its fields in order and the texts of its result. Rendered by React, or as plain HTML without scripts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from site_app.content import form_words


@dataclass(frozen=True)
class ViewField:
    """A field of a form. The contract defines its control, bounds and choices, the kind its label.

    `icons` are icon names by slug. A check box may show `text` instead of its label, followed by a link (text and path), and may send
    its own `value`. A field that `shares_row` is beside the one before it where there is room.
    """

    name: str
    help: str = ""
    autocomplete: str = ""
    rows: int = 5
    icons: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    link: tuple[str, str] = ("", "")
    value: str = "yes"
    shares_row: bool = False


@dataclass(frozen=True)
class NextDialog:
    """A button of the result that opens another dialog: its text, the dialog, the dialog's form, and the fields to fill in there."""

    label: str
    dialog: str
    form: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """The result that replaces a sent form. Its text and steps appear only if the reply has the field named in `requires`, such as a link.

    `again_label` is the text of the button for another submission. `mail_step` announces the mail; it is hidden if no mail is sent, and
    empty if the text already mentions the mail.
    """

    title: str
    text: str
    steps: tuple[str, ...]
    again_label: str
    requires: str = ""
    next: NextDialog | None = None
    mail_step: str = field(default_factory=form_words.mail_step)


@dataclass(frozen=True)
class View:
    """`submit_label` is the button's text. `page` is the path of the form's page, if the form works without JavaScript.

    `optional_heading` opens the fields that may stay empty, in a form that has it.
    """

    title: str
    fields: tuple[ViewField, ...]
    submit_label: str
    result: Result
    page: str = ""
    optional_heading: str = ""
    success_message: str = field(default_factory=form_words.sent_message)
