"""The layout of each language."""

from typing import Any, Self, cast

import reflex as rx
from reflex_base.utils.imports import ImportDict, ImportVar
from reflex_base.vars import VarData

_LAYOUTS_LIBRARY = "$/components/browser/layouts"


class InLayout(rx.Component):
    """Wraps its children in the layout that their page registered, or in the `english` one."""

    library = _LAYOUTS_LIBRARY
    tag = "InLayout"
    english: rx.Var[Any]


class RegisterLayout(rx.Fragment):
    """Renders nothing: makes the page's module register the layout of its language."""

    _language: str
    _layout: ImportVar
    _module: str

    @classmethod
    def of(cls, language: str, layout: rx.Component) -> Self:
        """Creates the component from a rendered layout memo, whatever its children."""
        component = cast(Self, cls.create())
        component._language = language
        component._module, component._layout = _place(layout)
        return component

    def add_imports(self) -> ImportDict:
        return {_LAYOUTS_LIBRARY: [ImportVar("registerLayout")], self._module: [self._layout]}

    def add_custom_code(self) -> list[str]:
        return [f'registerLayout("{self._language}", {self._layout.tag});']


def memo_itself(layout: rx.Component) -> rx.Var[Any]:
    """Returns the component of an element, to pass it as a prop."""
    module, imported = _place(layout)
    return rx.Var(str(imported.tag), _var_data=VarData(imports={module: [imported]}))


def _place(layout: rx.Component) -> tuple[str, ImportVar]:
    return str(layout.library), ImportVar(str(layout.tag))
