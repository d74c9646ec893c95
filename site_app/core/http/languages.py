"""The language of a response, links to the same page in other languages, and reading single cookies in linear time.

http.cookies, and so request.cookies, takes quadratic time in the length of a quoted value before Python 3.11.10 and 3.12.6
(CVE-2024-7592).
"""

from collections.abc import Iterable
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection
from starlette.types import Scope

from site_app.core.i18n import split_language
from site_app.core.locales import ENGLISH, LOCALES, Locale

MAX_COOKIE_BYTES = 16 * 1024  # of all cookies of a request; browsers allow some 4 KB for each
_LANGUAGE_PARAMETER = "language"
_MAX_LANGUAGES = 20  # read from Accept-Language


def language_of(request: HTTPConnection) -> Locale:
    """Returns the first language in Accept-Language that the site has, if need be in another variant, else English."""
    for language_range in request.headers.get("Accept-Language", "").split(",", _MAX_LANGUAGES)[:_MAX_LANGUAGES]:
        tag = language_range.partition(";")[0].strip().lower()
        exact = [locale for locale in LOCALES if tag in (locale.id, locale.tag.lower())]
        related = [locale for locale in LOCALES if tag.split("-")[0] == locale.tag.split("-")[0]]
        if exact or related:
            return (exact or related)[0]
    return ENGLISH


def language_links(scope: Scope) -> list[tuple[Locale, str]]:
    """Returns every language with this address in that language; keeps the rest of the query."""
    page = split_language(scope["path"])[1]
    return [
        (locale, _url(locale.prefix + page, _other_parameters(scope) | {_LANGUAGE_PARAMETER: locale.id})) for locale in LOCALES
    ]


def chosen_language(scope: Scope) -> Locale | None:
    """Returns the language that this address asks to store as the visitor's choice, or None if it is missing or not the page's language."""
    if not scope["query_string"]:
        return None
    locale = split_language(scope["path"])[0]
    return locale if QueryParams(scope["query_string"]).get(_LANGUAGE_PARAMETER) == locale.id else None


def own_url(scope: Scope, **parameters: str) -> str:
    """Returns the request's address without the language parameter, for the page's own links and forms."""
    return _url(scope["path"], _other_parameters(scope) | parameters)


def _other_parameters(scope: Scope) -> dict[str, str]:
    return {name: text for name, text in QueryParams(scope["query_string"]).items() if name != _LANGUAGE_PARAMETER}


def _url(path: str, query: dict[str, str]) -> str:
    return quote(path) + (f"?{urlencode(query)}" if query else "")


def cookie_value(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """Returns the value of the last cookie of this name, without quotes; b"" if there is none or the cookies are too long."""
    value = b""
    size = 0
    for _, line in (header for header in headers if header[0] == b"cookie"):
        size += len(line)
        if size > MAX_COOKIE_BYTES:
            return b""
        for pair in line.split(b";"):
            key, _, text = pair.partition(b"=")
            if key.strip() == name:
                value = _unquoted(text.strip())
    return value


def _unquoted(text: bytes) -> bytes:
    is_quoted = len(text) > 1 and text.startswith(b'"') and text.endswith(b'"')
    return text[1:-1] if is_quoted else text
