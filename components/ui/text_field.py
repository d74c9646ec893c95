"""Fields for text: one line, and many."""

import reflex as rx


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
    """Nothing is cut off: `words` are `left` and `over`, with a {count}, and the language's `tag`."""

    library = "$/components/ui/field"
    tag = "TextArea"
    name: rx.Var[str]
    label: rx.Var[str]
    optional: rx.Var[str]
    help: rx.Var[str]
    required: rx.Var[bool]
    min_length: rx.Var[int]
    max_length: rx.Var[int]
    rows: rx.Var[int]
    words: rx.Var[dict[str, str]]
