"""Layouts around a page, one per language, of which a browser loads those it shows."""

from typing import Any, Self, cast

import reflex as rx
from reflex_base.utils.imports import ImportDict, ImportVar
from reflex_base.vars import VarData

_LIBRARY = "$/components/browser/layouts"


class InLayout(rx.Component):
    """Its children in the layout that their page has brought along, or in the `english` one."""

    library = _LIBRARY
    tag = "InLayout"
    english: rx.Var[Any]


class KeepsLayout(rx.Fragment):
    """Nothing to see: makes the page's module bring along the layout of its language."""

    _language: str
    _layout: ImportVar
    _module: str

    @classmethod
    def of(cls, language: str, layout: rx.Component) -> Self:
        """For a memo of a layout, with anything inside."""
        made = cast(Self, cls.create())
        made._language, made._module, made._layout = language, *_place(layout)
        return made

    def add_imports(self) -> ImportDict:
        return {_LIBRARY: [ImportVar("keepLayout")], self._module: [self._layout]}

    def add_custom_code(self) -> list[str]:
        return [f'keepLayout("{self._language}", {self._layout.tag});']


def memo_itself(layout: rx.Component) -> rx.Var[Any]:
    """The component behind an element, to be handed on as a prop."""
    module, imported = _place(layout)
    return rx.Var(str(imported.tag), _var_data=VarData(imports={module: [imported]}))


def _place(layout: rx.Component) -> tuple[str, ImportVar]:
    return str(layout.library), ImportVar(str(layout.tag))
