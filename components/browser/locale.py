"""The language in the page's path."""

from typing import Any, cast

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars import VarData

_LOCALE_LIBRARY = "$/components/browser/locale"


def from_path(expression: str) -> rx.Var[str]:
    """Returns a var with the result of a locale.js function for the current `pathname`."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar(expression.partition("(")[0])]}
    hooks = {"const pathname = useLocation().pathname": None}
    return rx.Var(expression, _var_data=VarData(imports=imports, hooks=hooks)).to(str)


def current_page(href: str) -> dict[str, rx.Var]:
    """Returns the attributes of a link in the layout, which mark it when its page is the current one."""
    return {"aria-current": from_path(f"ariaCurrent(pathname, {href!r})")}


def html_lang() -> rx.Var[str]:
    """Returns the lang attribute for <html> as an expression, because Reflex allows no hooks there."""
    imports = {"react-router": [ImportVar("useLocation")], _LOCALE_LIBRARY: [ImportVar("htmlLang")]}
    return rx.Var("htmlLang(useLocation().pathname)", _var_data=VarData(imports=imports))


def by_locale(variants: dict[str, Any]) -> rx.Component:
    """Returns the variant in the page's language; English is the default and must be the first."""
    english, *translated = variants.items()
    return cast(rx.Component, rx.match(from_path("localeOf(pathname)"), *translated, english[1]))
