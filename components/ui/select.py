"""Fields to choose from: one of many, several of a few, one box."""

import reflex as rx


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
