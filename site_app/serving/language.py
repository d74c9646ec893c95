"""Which language a first visit gets: that of the address, else of the cookie, else English; and the cookie of a choice."""

import re
from collections.abc import Collection, Sequence

from site_app.core.http.cookies import cookie_value
from site_app.core.i18n import BY_ID, ENGLISH, Locale, split
from site_app.serving.headers import Header

_PAGE = re.compile(r"https?://([^/:]+)(?::\d+)?(/[^?#]*)")


def chosen_path(path: str, headers: Sequence[Header]) -> str | None:
    """The page in the language that a visitor chose before, where they ask for it in English; None to stay."""
    locale, page = split(path)
    if locale is not ENGLISH:
        return None
    chosen = BY_ID.get(cookie_value(headers, b"lang").decode("latin-1"))
    if chosen is None or chosen is ENGLISH:
        return None
    return (chosen.prefix + page).rstrip("/")


def is_language_choice(path: str, referer: bytes, hosts: Collection[str]) -> bool:
    """Whether an English page was asked for from the same page in another language, where only the language menu links to it."""
    found = _PAGE.match(referer.decode("latin-1"))
    if found is None or found[1].lower() not in hosts:
        return False
    locale, page = split(found[2])
    return locale is not ENGLISH and page == path


def language_cookie(chosen: Locale, *, secure: bool) -> Header:
    """The cookie of a choice, as language_choice.js writes it: choosing English deletes it."""
    end = "; Max-Age=0" if chosen is ENGLISH else ""
    return b"set-cookie", f"lang={chosen.id}; Path=/; SameSite=Lax{end}{'; Secure' if secure else ''}".encode()
