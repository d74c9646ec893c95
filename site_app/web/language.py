"""Which language a first visit gets: the address, then the cookie, then English."""

import re

from site_app.i18n import BY_ID, ENGLISH, split

# Not http.cookies: in the Python of many a machine its time grows with the square of what somebody sends (CVE-2024-7592).
_CHOSEN = re.compile(rb'(?:^|;)[ \t]*lang="?([a-z]{2})"?[ \t]*(?=;|$)')


def better_path(path: str, cookie: bytes) -> str | None:
    """Where a visitor who once chose another language is sent from an English page; None to stay."""
    locale, page = split(path)
    if locale is not ENGLISH or not cookie:
        return None
    values = _CHOSEN.findall(cookie)
    chosen = BY_ID.get(values[-1].decode()) if values else None
    if chosen is None or chosen is ENGLISH:
        return None
    return (chosen.prefix + page).rstrip("/")
