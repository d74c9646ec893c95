"""The fields of a ReliableForm, its button with the errors, and the result that replaces it once it is sent."""

from typing import Any

import reflex as rx

from components.art.icons import path_of
from components.phone_input import PhoneInput


class TextField(rx.Component):
    """A single-line field inside a ReliableForm, which provides its error."""

    library = "$/components/ui/field"
    tag = "TextField"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]  # the text that marks the field as optional
    help: rx.Var[str]
    type: rx.Var[str]
    required: rx.Var[bool]
    min_length: rx.Var[int]
    max_length: rx.Var[int]
    min: rx.Var[int]
    max: rx.Var[int]
    auto_complete: rx.Var[str]
    input_mode: rx.Var[str]


class TextArea(rx.Component):
    """A multi-line field."""

    library = "$/components/ui/field"
    tag = "TextArea"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]
    help: rx.Var[str]
    required: rx.Var[bool]
    min_length: rx.Var[int]
    rows: rx.Var[int]


class Select(rx.Component):
    """A select of `rows`, the server's [code, name]. Until they arrive, the browser names the `codes`, whose kind is region or currency.

    The visitor's own country, from the browser's language, and the codes in `first` are at the top.

    `words`: choose, search, list, none.
    """

    library = "$/components/ui/select"
    tag = "Select"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]
    help: rx.Var[str]
    required: rx.Var[bool]
    auto_complete: rx.Var[str]
    rows: rx.Var[list[tuple[str, str]]]
    codes: rx.Var[list[str]]
    first: rx.Var[list[str]]
    kind: rx.Var[str]
    lang_tag: rx.Var[str]
    words: rx.Var[dict[str, str]]


class SearchableSelect(rx.Component):
    """A select whose value is in a state, outside of a form; `rows` are [code, name]. `words`: search, list, none."""

    library = "$/components/ui/searchable_select"
    tag = "SearchableSelect"
    name: rx.Var[str]
    label: rx.Var[str]
    rows: rx.Var[list[tuple[str, str]]]
    value: rx.Var[str]
    words: rx.Var[dict[str, str]]
    on_choose: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class MultiSelect(rx.Component):
    """A group of check boxes; `options` are {value, label} and optionally an icon, as path data."""

    library = "$/components/ui/field"
    tag = "MultiSelect"
    name: rx.Var[str]
    label: rx.Var[str]
    help: rx.Var[str]
    options: rx.Var[list[dict[str, str]]]


class CheckBox(rx.Component):
    """A check box; its children are its label."""

    library = "$/components/ui/field"
    tag = "CheckBox"
    name: rx.Var[str]
    value: rx.Var[str]  # sent when the box is ticked
    required: rx.Var[bool]


class PhoneField(PhoneInput):
    """Has the props of phone_input; its error and its restored country come from the ReliableForm around it."""

    library = "$/components/ui/phone_field"
    tag = "PhoneField"
    optional: rx.Var[str]


class FileDrop(rx.Component):
    """A file field inside a ReliableForm, which uploads the files first.

    `words`: drop, choose, list, sent, missing, cancel, again, addAgain, remove, the refusals kind, large, empty and many, with a {name},
    and the language's tag.
    """

    library = "$/components/ui/file_drop"
    tag = "FileDrop"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]
    help: rx.Var[str]
    types: rx.Var[list[str]]  # file name extensions, without a dot
    max_files: rx.Var[int]
    max_bytes: rx.Var[int]
    words: rx.Var[dict[str, str]]
    icon: rx.Var[str]

    @classmethod
    def create(cls, *children, **props) -> "FileDrop":
        return super().create(*children, icon=path_of("upload"), **props)


class SubmitRow(rx.Component):
    """The end of a form; its children are above the button. `words`: send, sending, still, again, kept, clear."""

    library = "$/components/ui/submit_row"
    tag = "SubmitRow"
    words: rx.Var[dict[str, str]]


class FormResult(rx.Component):
    """The result of a form. `words`: title, text, reference, next, again, and the texts about the sender's mail: `mailed`, or `unmailed`
    without a mail; for a quarantined submission `check` and `confirm`, or `noMail` instead of `check` without a mail.

    Its children are below the reference. The text and the steps may mention parts of a complete reply, such as a link: if the reply lacks the
    field named in `requires`, they are left out. `next` leads to another dialog: its label, dialog, form, and the fields to fill in there.
    `on_another` handles the button for another submission.
    """

    library = "$/components/ui/form_result"
    tag = "FormResult"
    words: rx.Var[dict[str, str]]
    steps: rx.Var[list[str]]
    requires: rx.Var[str]
    next: rx.Var[dict[str, Any]]
    icon: rx.Var[str]
    on_another: rx.EventHandler[rx.event.no_args_event_spec]

    @classmethod
    def create(cls, *children, **props) -> "FormResult":
        return super().create(*children, icon=path_of("check-circle-outline"), **props)
