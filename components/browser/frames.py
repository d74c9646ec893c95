"""Frames around a page, one per language, of which a browser loads those it shows."""

from typing import Any, Self, cast

import reflex as rx
from reflex_base.utils.imports import ImportDict, ImportVar
from reflex_base.vars import VarData

_LIBRARY = "$/components/browser/frames"


class Framed(rx.Component):
    """Its children in the frame that their page has brought along, or in the `english` one."""

    library = _LIBRARY
    tag = "Framed"
    english: rx.Var[Any]


class KeepsFrame(rx.Fragment):
    """Nothing to see: makes the page's module bring along the frame of its language."""

    _language: str
    _frame: ImportVar
    _module: str

    @classmethod
    def of(cls, language: str, frame: rx.Component) -> Self:
        """For a memo of a frame, with anything inside."""
        made = cast(Self, cls.create())
        made._language, made._module, made._frame = language, *_place(frame)
        return made

    def add_imports(self) -> ImportDict:
        return {_LIBRARY: [ImportVar("keepFrame")], self._module: [self._frame]}

    def add_custom_code(self) -> list[str]:
        return [f'keepFrame("{self._language}", {self._frame.tag});']


def memo_itself(frame: rx.Component) -> rx.Var[Any]:
    """The component behind an element, to be handed on as a prop."""
    module, imported = _place(frame)
    return rx.Var(str(imported.tag), _var_data=VarData(imports={module: [imported]}))


def _place(frame: rx.Component) -> tuple[str, ImportVar]:
    return str(frame.library), ImportVar(str(frame.tag))
