"""The languages in the head of a plain page: each is the same address in it, with a query that asks to remember the choice."""

from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.types import Scope

from site_app.i18n import LOCALES, Locale, split

_ASKED = "language"


def languages(scope: Scope) -> list[tuple[Locale, str]]:
    """Every language with the address in it; whatever else the address says stays."""
    page = split(scope["path"])[1]
    return [(one, _address(one.prefix + page, _rest(scope) | {_ASKED: one.id})) for one in LOCALES]


def chosen(scope: Scope) -> Locale | None:
    """The language that was chosen by asking for this address; one that the address is not in says nothing."""
    if not scope["query_string"]:
        return None
    locale = split(scope["path"])[0]
    return locale if QueryParams(scope["query_string"]).get(_ASKED) == locale.id else None


def here(scope: Scope, **more: str) -> str:
    """The address without the choice, for the page itself and its forms."""
    return _address(scope["path"], _rest(scope) | more)


def _rest(scope: Scope) -> dict[str, str]:
    return {name: text for name, text in QueryParams(scope["query_string"]).items() if name != _ASKED}


def _address(path: str, query: dict[str, str]) -> str:
    return quote(path) + (f"?{urlencode(query)}" if query else "")
