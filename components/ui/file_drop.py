"""Files to send along: dropped or chosen, each with its progress."""

import reflex as rx

from components.art.icon import path_of


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
