"""The fields of a ReliableForm, its button with the errors, and the result that takes its place once it is sent."""

from typing import Any

import reflex as rx

from components.art.icons import path_of
from components.phone_input.phone_input import PhoneInput


class TextField(rx.Component):
    """Inside a ReliableForm, which knows what is wrong with it."""

    library = "$/components/ui/field"
    tag = "TextField"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]  # the word that marks it so
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
    """Many lines."""

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
    """`rows` are a server's [code, name]; until they are there the browser names the `codes`, of the kind region or currency.

    On top stand the visitor's own country, as their browser names it, and the codes in `first`.

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
    """A choice that a state holds, outside of a form; `rows` are [code, name]. `words`: search, list, none."""

    library = "$/components/ui/searchable_select"
    tag = "SearchableSelect"
    name: rx.Var[str]
    label: rx.Var[str]
    rows: rx.Var[list[tuple[str, str]]]
    value: rx.Var[str]
    words: rx.Var[dict[str, str]]
    on_choose: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class MultiSelect(rx.Component):
    """`options` are {value, label} and perhaps an icon, as path data."""

    library = "$/components/ui/field"
    tag = "MultiSelect"
    name: rx.Var[str]
    label: rx.Var[str]
    help: rx.Var[str]
    options: rx.Var[list[dict[str, str]]]


class CheckBox(rx.Component):
    """Its children are its label."""

    library = "$/components/ui/field"
    tag = "CheckBox"
    name: rx.Var[str]
    value: rx.Var[str]  # what is sent when it is ticked
    required: rx.Var[bool]


class PhoneField(PhoneInput):
    """Takes what phone_input takes; its error and its earlier country come from the ReliableForm around it."""

    library = "$/components/ui/phone_field"
    tag = "PhoneField"
    optional: rx.Var[str]


class FileDrop(rx.Component):
    """Inside a ReliableForm, which sends them ahead. `words`: drop, choose, list, sent, missing, cancel, again, addAgain, remove,
    the refusals kind, large, empty and many, with a {name}, and the language's tag.
    """

    library = "$/components/ui/file_drop"
    tag = "FileDrop"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]
    help: rx.Var[str]
    types: rx.Var[list[str]]  # endings, without a dot
    most: rx.Var[int]
    largest: rx.Var[int]  # bytes
    words: rx.Var[dict[str, str]]
    icon: rx.Var[str]

    @classmethod
    def create(cls, *children, **props) -> "FileDrop":
        return super().create(*children, icon=path_of("upload"), **props)


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
