"""Vars made from the path in the browser: its language, and the same page in another one."""

from typing import Any, cast

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars import VarData

_LIBRARY = "$/components/browser/locale"


def from_path(expression: str) -> rx.Var[str]:
    """What a function of locale.js says about the current `pathname`."""
    imports = {"react-router": [ImportVar("useLocation")], _LIBRARY: [ImportVar(expression.partition("(")[0])]}
    hooks = {"const pathname = useLocation().pathname": None}
    return rx.Var(expression, _var_data=VarData(imports=imports, hooks=hooks)).to(str)


def current_page(href: str) -> dict[str, rx.Var]:
    """The attributes of a link in the layout: it says so when its page is the one shown."""
    return {"aria-current": from_path(f"current(pathname, {href!r})")}


def html_lang() -> rx.Var[str]:
    """For <html>, where Reflex allows no hook lines: the call stands in the attribute."""
    imports = {"react-router": [ImportVar("useLocation")], _LIBRARY: [ImportVar("htmlLang")]}
    return rx.Var("htmlLang(useLocation().pathname)", _var_data=VarData(imports=imports))


def by_locale(variants: dict[str, Any]) -> rx.Component:
    """Of a part built once per language, the one of the page's language; English is the first and the default."""
    english, *others = variants.items()
    return cast(rx.Component, rx.match(from_path("localeOf(pathname)"), *others, english[1]))
