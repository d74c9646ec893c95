"""Fields of a ReliableForm, which knows what is wrong with them: text, choices, a phone number, files."""

import reflex as rx

from components.art.icon import path_of
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
