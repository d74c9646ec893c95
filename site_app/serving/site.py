"""ASGI in front of Reflex's backend: selects the app that answers a request, and its headers."""

import re
from collections.abc import Awaitable
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.content.routes import NOT_FOUND, REDIRECTS
from site_app.core.http.bodies import Bodies
from site_app.core.http.languages import chosen_language, own_url
from site_app.core.http.pages import STYLESHEET
from site_app.core.http.paths import HEALTH_PATHS, OFFICE, PROVIDER_FOLDERS, PROVIDER_PARTS, is_api, is_office, is_provider_page
from site_app.core.i18n import split_language
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.serving.headers import CROSS_ORIGIN, NOTHING_ALLOWED, POLICY, Header, common_headers, plain_response, redirect
from site_app.serving.language_choice import is_language_choice, language_cookie, preferred_language_path
from site_app.serving.pages import ServedPages
from site_app.serving.partner_links import partner_link_target, with_partner_query
from site_app.serving.plain_pages import is_plain_site_page
from site_app.serving.stored_files import ServedFile, StoredFile

_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})  # each app refuses those it does not support
_MAX_PATH_LENGTH = 1024  # ours are far shorter
_MAX_QUERY_LENGTH = 4096  # the same; each part of a query is parsed several times
_PING = "/ping"  # the only HTTP endpoint of Reflex that is served here
_UPLOAD = "/_upload"  # Reflex's endpoint, always 404 here, because only the browser checks its limits
_FOLDERS = (ASSETS, "cards", "flags", "fonts", "icons", "images", MANIFESTS, *PROVIDER_FOLDERS)
NON_PAGE_PATH = re.compile(
    rf"^/(_event|_upload|_health|\.well-known|v\d[\w.]*|{'|'.join(_FOLDERS)})(/|$)|\.[A-Za-z0-9]{{1,11}}$"
)
# First path segments that no page may use, because the site's own answers would hide the page.
RESERVED_PARTS = tuple(sorted({*_FOLDERS, *PROVIDER_PARTS, "404", "ping", "r"} | {locale.id for locale in LOCALES[1:]}))
_APP_MAY_OVERRIDE = frozenset({b"referrer-policy"})  # a page whose address is a secret sets a stricter policy than the site
_OFFICE_MAY_OVERRIDE = _APP_MAY_OVERRIDE | {b"x-frame-options"}  # it shows previews in a frame
_NO_STORE = {"cache-control": "no-store"}
_NOT_FOUND_RESPONSE = plain_response(404, "Not found\n")
# Lets pages of another host read the Date header, by which they time a hold, and keeps their beacons from failing.
_CROSS_ORIGIN_HEADERS: tuple[Header, ...] = ((b"access-control-expose-headers", b"date, retry-after"), CROSS_ORIGIN)


class Site:
    """Serves pages and files, most of them from memory, redirects moved pages, and passes the rest to the API or to Reflex."""

    def __init__(
        self, *, backend: ASGIApp, api: ASGIApp, pages: ServedPages, settings: Settings, plain_pages: ASGIApp | None = None
    ) -> None:
        bodies = Bodies(settings)
        self._backend = backend
        self._api = bodies.wrap(api)
        self._plain_pages = bodies.wrap(plain_pages or api)
        self._pages = pages
        self._settings = settings
        self._hosts = settings.host_names | settings.office_hosts
        self._headers = common_headers(settings)
        self._header_names = {name for name, _ in self._headers}
        self._cross_origin = _CROSS_ORIGIN_HEADERS if settings.backend_url else ()
        self._is_secure = settings.url.startswith("https:")

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "lifespan":
            return self._backend(scope, receive, send)
        if sum(name == b"host" for name, _ in scope["headers"]) > 1:  # a proxy in front may have used the other one
            return self._refuse(scope, receive, send, 400, "A request has one Host header\n")
        if host_name(scope) not in self._hosts and scope["path"] not in HEALTH_PATHS:
            return self._refuse(scope, receive, send, 421, "This site does not answer to that host name\n")
        if problem := _wrong_request(scope):
            return self._refuse(scope, receive, send, *problem)
        if scope["type"] == "websocket":
            return self._backend(scope, receive, send)
        return self._respond(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        host = host_name(scope)
        is_read = scope["method"] in ("GET", "HEAD")
        language_choice = self._language_choice(scope)
        extra_headers: tuple[Header, ...] = ()
        overridable = _APP_MAY_OVERRIDE
        if is_office(path, host, self._settings) or (host == self._settings.office_host and path == STYLESHEET):
            responder = self._api
            overridable = _OFFICE_MAY_OVERRIDE
        elif host == self._settings.office_host and path not in HEALTH_PATHS:
            responder = redirect(303, OFFICE, **_NO_STORE) if path == "/" else _NOT_FOUND_RESPONSE
        elif path == "/healthz":
            responder = plain_response(200, "alive\n")
        elif language_choice and is_read:
            responder = redirect(303, own_url(scope), **_NO_STORE)
            extra_headers = language_choice
        elif is_plain_site_page(path, scope["method"]):
            responder = self._plain_pages
            extra_headers = (*self._cross_origin, *language_choice)
        elif is_api(path) and path not in self._pages.files:
            responder = self._api
            extra_headers = (*self._cross_origin, *language_choice)
        elif path == _PING:
            responder = self._backend
        elif not is_read:
            responder = (
                _NOT_FOUND_RESPONSE
                if path.startswith(_UPLOAD)
                else plain_response(405, "Method not allowed\n", allow="GET, HEAD")
            )
        elif (file := self._pages.files.get(path)) is not None:
            if isinstance(file, StoredFile) and file.is_page:
                file = with_partner_query(file, scope["query_string"], self._is_any_page)
            await self._send_file(file, scope, receive, send)
            return
        else:
            responder = self._redirect_or_not_found(scope)
        await responder(scope, receive, self._with_headers(send, extra_headers, overridable))

    def _language_choice(self, scope: Scope) -> tuple[Header, ...]:
        """Returns the cookie of the language that a link or button of a plain page chose; scripts write the cookie themselves."""
        locale = chosen_language(scope)
        return (self._language_cookie(locale),) if locale and self._is_any_page(scope["path"]) else ()

    def _language_cookie(self, locale: Locale) -> Header:
        return language_cookie(locale, secure=self._is_secure)

    def _is_any_page(self, path: str) -> bool:
        """Returns True for built pages and for those that are written for each request."""
        return self._is_built_page(path) or is_provider_page(path) or is_plain_site_page(path, "GET")

    def _is_built_page(self, path: str) -> bool:
        file = self._pages.files.get(path)
        return file is not None and file.is_page

    async def _send_file(self, file: ServedFile, scope: Scope, receive: Receive, send: Send) -> None:
        redirect_to = preferred_language_path(scope["path"], scope["headers"]) if file.is_page else None
        if redirect_to is None:
            await file(scope, receive, send)
        elif is_language_choice(scope["path"], _header(scope, b"referer"), self._hosts):  # chosen before the page's scripts ran
            no_store = (b"cache-control", b"no-store")
            await file(scope, receive, self._with_headers(send, (no_store, self._language_cookie(ENGLISH))))
        else:
            responder = redirect(302, redirect_to + _query(scope), vary="cookie", **_NO_STORE)
            await responder(scope, receive, self._with_headers(send))

    def _redirect_or_not_found(self, scope: Scope) -> ASGIApp:
        """Returns a redirect for partners' links, moved pages and trailing slashes, 404 for a missing file, else a redirect to the home page."""
        path = scope["path"]
        if link := partner_link_target(path, scope["query_string"].decode("latin-1"), self._is_built_page):
            return redirect(302, quote(link, safe="/?&=%+"), **_NO_STORE)
        locale, page = split_language(path.rstrip("/") or "/")
        target = REDIRECTS.get(page)
        if target is None and (path.rstrip("/") in self._pages.files or is_api(path.rstrip("/"))):
            target = page
        if target is not None:
            location = quote((locale.prefix + target).rstrip("/") or "/")
            return redirect(308, location + _query(scope))
        if NON_PAGE_PATH.search(path):
            return _NOT_FOUND_RESPONSE
        return redirect(302, (locale.prefix or "/") + NOT_FOUND, **_NO_STORE)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await plain_response(status, sentence)(scope, receive, self._with_headers(send))

    def _with_headers(
        self, send: Send, extra_headers: tuple[Header, ...] = (), overridable: frozenset[bytes] = _APP_MAY_OVERRIDE
    ) -> Send:
        """Adds our headers to another app's response; without its own policy a response may load nothing."""
        extra_names = {name for name, _ in extra_headers}
        common = (header for header in (*self._headers, NOTHING_ALLOWED) if header[0] not in extra_names)
        own_headers = (*extra_headers, *common)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                app_headers = [
                    header for header in message["headers"] if header[0].lower() not in self._header_names - overridable
                ]
                overridden = (overridable | {POLICY}) & {name.lower() for name, _ in app_headers}
                message = {
                    **message,
                    "headers": [*app_headers, *(header for header in own_headers if header[0] not in overridden)],
                }
            await send(message)

        return send_with_headers


def _wrong_request(scope: Scope) -> tuple[int, str] | None:
    """Returns status and text for a request to refuse at once: an unknown method, a long address or an invalid path; else None."""
    path = scope["path"]
    if scope["type"] == "http" and scope["method"] not in _METHODS:
        return 501, "This method is not known here\n"
    if len(path) > _MAX_PATH_LENGTH or len(scope["query_string"]) > _MAX_QUERY_LENGTH:
        return 414, "This address is too long\n"
    if not path.startswith("/"):
        return 400, "This is not an address of this site\n"
    return None


def host_name(scope: Scope) -> str:
    """Returns the request's host name in lower case, without its port."""
    return re.sub(r":\d+$", "", _header(scope, b"host").decode("latin-1")).lower()


def _header(scope: Scope, wanted_name: bytes) -> bytes:
    return next((value for name, value in scope["headers"] if name == wanted_name), b"")


def _query(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return f"?{query}" if query else ""


class DevelopmentSite:
    """The backend in development: Vite serves the pages and proxies API requests and the socket.

    The origin of a socket must equal its Host header, on any port: otherwise other sites' pages could read what a visitor does.
    """

    def __init__(self, *, backend: ASGIApp, api: ASGIApp, plain_pages: ASGIApp, settings: Settings) -> None:
        self._backend = backend
        self._api = api
        self._plain_pages = plain_pages
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        path = scope.get("path", "")
        if kind == "websocket" and _is_of_another_origin(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif kind == "http" and is_plain_site_page(path, scope["method"]):
            await self._plain_pages(scope, receive, send)
        elif kind == "http" and (is_api(path) or is_office(path, host_name(scope), self._settings)):
            await self._api(scope, receive, send)
        else:
            await self._backend(scope, receive, send)


def _is_of_another_origin(scope: Scope) -> bool:
    """Returns True if the browser names an origin other than the host that it asks."""
    origin = _header(scope, b"origin").decode("latin-1")
    return bool(origin) and origin.partition("://")[2] != _header(scope, b"host").decode("latin-1")
