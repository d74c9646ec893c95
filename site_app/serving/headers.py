"""The headers of every answer, the content security policy of every page, and the language of a first visit."""

import base64
import hashlib
import re
from collections.abc import Collection, Sequence
from html import unescape

from starlette.responses import PlainTextResponse, RedirectResponse

from site_app.core.http.languages import cookie_value
from site_app.core.i18n import BY_ID, ENGLISH, Locale, split
from site_app.core.settings import Settings

Header = tuple[bytes, bytes]

PERMISSIONS = ("camera", "geolocation", "microphone", "payment")


def common_headers(settings: Settings) -> tuple[Header, ...]:
    """The headers of every answer: of pages, files and the API."""
    values = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
        "permissions-policy": ",".join(f"{name}=()" for name in PERMISSIONS),
    }
    if settings.url.startswith("https:"):
        values["strict-transport-security"] = "max-age=63072000; includeSubDomains"
    return tuple((name.encode(), value.encode()) for name, value in values.items())


# The others concern documents. Scripts, styles, fonts and pictures are none, and there are many of them.
OF_PARTS = frozenset({b"x-content-type-options", b"cross-origin-resource-policy", b"strict-transport-security"})
POLICY = b"content-security-policy"
_INLINE_SCRIPT, _INLINE_STYLE = (  # of another type it is a file, or data
    re.compile(rf'<{tag}(?: type="speculationrules"| data-[^>]*)?>(.*?)</{tag}>', re.DOTALL) for tag in ("script", "style")
)
_STYLE_ATTRIBUTE = re.compile(r'<[a-z][^<>]*? style="([^"]*)"')
_OWN_STYLE = " data-own-style>"  # of the script that static_first puts into a page
NOTHING_ALLOWED: Header = (POLICY, b"default-src 'none'; frame-ancestors 'none'")


def page_policy(html: str, settings: Settings) -> Header:
    """Allows our own files, and by its hash what is inline: the style, the theme, what asks for the page's script, speculation rules.

    A page with parts of Radix Themes may set styles: these parts write style elements of their own while they are used.
    """
    script, style = _hashes(_INLINE_SCRIPT, html), _hashes(_INLINE_STYLE, html)
    if attributes := _hashes(_STYLE_ATTRIBUTE, html):
        style += f" 'unsafe-hashes' {attributes}"
    if _OWN_STYLE in html:
        style = "'unsafe-inline'"
    elsewhere = f" {settings.backend_url}" if settings.backend_url else ""
    socket = settings.api_address.replace("http", "ws", 1)
    directives = {
        "default-src": "'none'",
        "script-src": f"'self' {script}",
        "style-src": f"'self' {style}",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": f"'self'{elsewhere} {socket}",
        "base-uri": "'none'",
        "form-action": f"'self'{elsewhere}",
        "frame-ancestors": "'none'",
    }
    return POLICY, ";".join(f"{name} {value}" for name, value in directives.items()).encode()


def _hashes(pattern: re.Pattern[str], html: str) -> str:
    texts = dict.fromkeys(map(unescape, pattern.findall(html)) if pattern is _STYLE_ATTRIBUTE else pattern.findall(html))
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)


def redirect(status: int, location: str, **headers: str) -> RedirectResponse:
    """Leads elsewhere on this site; a location that a browser would read as another host becomes the home page."""
    if not location.startswith("/") or location.startswith(("//", "/\\")):
        location = "/"
    return RedirectResponse(location, status, headers)


def text(status: int, words: str, **headers: str) -> PlainTextResponse:
    return PlainTextResponse(words, status, {"cache-control": "no-store", **headers})


_PAGE = re.compile(r"https?://([^/:]+)(?::\d+)?(/[^?#]*)")


def preferred_language_path(path: str, headers: Sequence[Header]) -> str | None:
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
    match = _PAGE.match(referer.decode("latin-1"))
    if match is None or match[1].lower() not in hosts:
        return False
    locale, page = split(match[2])
    return locale is not ENGLISH and page == path


def language_cookie(locale: Locale, *, secure: bool) -> Header:
    """The cookie of a choice, as language_choice.js writes it: choosing English deletes it."""
    end = "; Max-Age=0" if locale is ENGLISH else ""
    return b"set-cookie", f"lang={locale.id}; Path=/; SameSite=Lax{end}{'; Secure' if secure else ''}".encode()
