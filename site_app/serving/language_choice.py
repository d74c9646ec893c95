"""The language that a visitor chose: its cookie, and the redirect of an English page on a later visit."""

import re
from collections.abc import Collection, Sequence

from site_app.core.http.languages import cookie_value
from site_app.core.i18n import split_language
from site_app.core.locales import BY_ID, ENGLISH, Locale
from site_app.serving.headers import Header

_PAGE = re.compile(r"https?://([^/:]+)(?::\d+)?(/[^?#]*)")


def preferred_language_path(path: str, headers: Sequence[Header]) -> str | None:
    """Returns the path of an English page in the language that the visitor chose before, or None if no redirect is needed."""
    locale, page = split_language(path)
    if locale is not ENGLISH:
        return None
    locale_of_cookie = BY_ID.get(cookie_value(headers, b"lang").decode("latin-1"))
    if locale_of_cookie is None or locale_of_cookie is ENGLISH:
        return None
    return (locale_of_cookie.prefix + page).rstrip("/")


def is_language_choice(path: str, referer: bytes, hosts: Collection[str]) -> bool:
    """Returns True if the referer is the same page in another language: there only the language menu links to the English page."""
    match = _PAGE.match(referer.decode("latin-1"))
    if match is None or match[1].lower() not in hosts:
        return False
    locale, page = split_language(match[2])
    return locale is not ENGLISH and page == path


def language_cookie(locale: Locale, *, secure: bool) -> Header:
    """Returns the cookie of a language choice, as components/browser/reader/languages.js writes it: choosing English deletes it."""
    end = "; Max-Age=0" if locale is ENGLISH else ""
    return b"set-cookie", f"lang={locale.id}; Path=/; SameSite=Lax{end}{'; Secure' if secure else ''}".encode()
