"""The headers of every response, and the content security policy of every page."""

import re

from starlette.responses import PlainTextResponse, RedirectResponse

from site_app.core.http.policy import hashes, inline_style_hashes
from site_app.core.settings import Settings

Header = tuple[bytes, bytes]

PERMISSIONS = ("camera", "geolocation", "microphone", "payment")


def common_headers(settings: Settings) -> tuple[Header, ...]:
    """Returns the headers of every response: pages, files and the API."""
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


RESOURCE_POLICY = b"cross-origin-resource-policy"
CROSS_ORIGIN: Header = (RESOURCE_POLICY, b"cross-origin")  # other sites may show a picture, pages of another host call the API
# The headers of scripts, styles, fonts and pictures. The other headers only concern documents.
ASSET_HEADERS = frozenset({b"x-content-type-options", RESOURCE_POLICY, b"strict-transport-security"})
POLICY = b"content-security-policy"
# Scripts with other attributes are files or data.
_INLINE_SCRIPT = re.compile(r'<script(?: type="speculationrules"| data-[^>]*)?>(.*?)</script>', re.DOTALL)
_OWN_STYLE = re.compile(r"<script data-boot[^>]* data-own-style[ >]")  # the script that static_first adds to a page
UNFRAMED = "frame-ancestors 'none'"
NOTHING_ALLOWED: Header = (POLICY, f"default-src 'none'; {UNFRAMED}".encode())


def page_policy(html: str, settings: Settings) -> Header:
    return POLICY, f"{allowed_content(html, settings)};{UNFRAMED}".encode()


def allowed_content(html: str, settings: Settings) -> str:
    """Returns the policy for what a page contains, loads and sends. Allows our own files, and inline elements by hash.

    A page with parts of packages allows all inline styles, because these parts add style elements while they are used, and fonts that
    are embedded in their stylesheets.
    """
    script = hashes(match[1] for match in _INLINE_SCRIPT.finditer(html))
    has_own_style = _OWN_STYLE.search(html)
    style = "'unsafe-inline'" if has_own_style else inline_style_hashes(html)
    elsewhere = f" {settings.backend_url}" if settings.backend_url else ""
    socket = settings.api_url.replace("http", "ws", 1)
    directives = {
        "default-src": "'none'",
        "script-src": f"'self' {script}",
        "style-src": f"'self' {style}",
        "img-src": "'self' data:",
        "font-src": "'self' data:" if has_own_style else "'self'",
        "media-src": "'self' data:",
        "connect-src": f"'self'{elsewhere} {socket}",
        "base-uri": "'none'",
        "form-action": f"'self'{elsewhere}",
    }
    return ";".join(f"{name} {value}" for name, value in directives.items())


def redirect(status: int, location: str, **headers: str) -> RedirectResponse:
    """Returns a redirect within this site; replaces a location that a browser would read as another host with the home page."""
    if not location.startswith("/") or location.startswith(("//", "/\\")):
        location = "/"
    return RedirectResponse(location, status, headers)


def plain_response(status: int, content: str, **headers: str) -> PlainTextResponse:
    return PlainTextResponse(content, status, {"cache-control": "no-store", **headers})
