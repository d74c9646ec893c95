"""Which language a first visit gets: the address, then the cookie, then English."""

from http.cookies import CookieError, SimpleCookie

from site_app.i18n import BY_ID, ENGLISH, split

COOKIE = "lang"


def better_path(path: str, cookie: bytes) -> str | None:
    """Where a visitor who once chose another language is sent from an English page; None to stay."""
    locale, page = split(path)
    if locale is not ENGLISH or not cookie:
        return None
    chosen = BY_ID.get(_value(cookie))
    if chosen is None or chosen is ENGLISH:
        return None
    return (chosen.prefix + page).rstrip("/")


def _value(cookie: bytes) -> str:
    try:
        morsel = SimpleCookie(cookie.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""
