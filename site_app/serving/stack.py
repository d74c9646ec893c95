"""The server as a whole: combines API, pages, guard of the socket and metrics, and ends connections that a client stopped reading."""

import socket
from collections.abc import Iterable
from pathlib import Path

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.registry import RegistrationContext
from starlette.applications import Starlette
from starlette.types import ASGIApp

from components.art.icons import path_of
from components.records import Link
from site_app.content.navigation import footer_words, navigation_words
from site_app.content.publications import CASES
from site_app.core.http.addresses import address_of, network_of
from site_app.core.http.pages import SiteFrame, TextAndAddress
from site_app.core.i18n import href
from site_app.core.logs import RequestId
from site_app.core.metrics import socket_closed, socket_opened
from site_app.core.metrics.requests import RequestMetrics
from site_app.core.settings import Settings
from site_app.plugins.socket_guard import DisconnectedSessions, EventTable, GuardObserver, SocketGuard, SocketLimits
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.serving.failures import ThrottledLog
from site_app.serving.pages import ServedPages
from site_app.serving.plain_pages import plain_pages
from site_app.serving.relay import Relay
from site_app.serving.site import Development, Site

UNREAD_SECONDS = 15  # a connection ends after the client has read no byte of its response for so long


def stack(app: rx.App, backend: ASGIApp, *, api: Starlette, pages: ServedPages, settings: Settings) -> ASGIApp:
    """Returns the whole site around Reflex's backend; in development only the API and forms beside it, because Vite serves the pages."""
    answering = Relay(settings, api=api) if settings.provider_url else api
    api.state.site_frame = site_frame
    plain_site = plain_pages(api.state)
    guarded = guard(backend, settings, DisconnectedSessions(app), development=not is_prod_mode())
    if is_prod_mode():
        pages.load()
        site: ASGIApp = Site(backend=guarded, api=answering, pages=pages, settings=settings, plain_pages=plain_site)
    else:
        site = Development(backend=guarded, api=answering, plain_pages=plain_site, settings=settings)
    return RequestId(RequestMetrics(site) if settings.metrics_port else site)


_PAGES_IN_HEAD = ("/company/about-us", CASES.path, "/company/prices")


def site_frame() -> SiteFrame:
    """Returns the links around the site's own pages, in the current language, for its plain pages."""
    navigation, words = navigation_words(), footer_words()
    in_head = [link for link in navigation.company_links if link.href in {href(path) for path in _PAGES_IN_HEAD}]
    services = Link(navigation.services, navigation.groups[0].offers[0].href)
    contact = tuple(("\n".join(detail.values), detail.href) for detail in words.details)
    return SiteFrame(
        label=navigation.label,
        links=_pairs((services, *in_head, *navigation.links)),
        headline=words.headline,
        groups=(*((group.title, _pairs(group.links)) for group in words.groups), (words.contact_title, contact)),
        policies_label=words.policies_title,
        policies=_pairs(words.policies),
        social_label=words.social_title,
        social=tuple((profile.name, profile.link) for profile in words.social),
        small_print=words.small_print,
        themes=(
            ("light", navigation.dark_theme, path_of("moon-waning-crescent")),
            ("dark", navigation.light_theme, path_of("white-balance-sunny")),
        ),
    )


def _pairs(links: Iterable[Link]) -> tuple[TextAndAddress, ...]:
    return tuple((link.text, link.href) for link in links)


def guard(
    backend: ASGIApp, settings: Settings, disconnected: DisconnectedSessions | None = None, *, development: bool = False
) -> SocketGuard:
    """Returns the guard of this site's socket. In development any port is allowed, and the class Development compares origin and host."""
    return SocketGuard(
        backend,
        events=EventTable(BoundEvents(), RegistrationContext.get().event_handlers),
        origins=None if development else settings.origins,
        reports=development,
        limits=SocketLimits(
            sockets=settings.limit_sockets,
            all_sockets=settings.limit_all_sockets,
            arrivals=settings.limit_arrivals,
            events=settings.limit_events,
        ),
        address_of=lambda connection: address_of(connection, settings),
        network_of=network_of,
        observer=_SocketMetrics(),
        disconnected=disconnected,
    )


class _SocketMetrics(GuardObserver):
    """Counts sockets and refusals."""

    def __init__(self) -> None:
        self._log = ThrottledLog("socket.refused")

    def refused(self, problem: str) -> None:
        self._log.count(problem)

    def socket_opened(self) -> None:
        socket_opened()

    def socket_closed(self) -> None:
        socket_closed()


def set_user_timeout(seconds: int = UNREAD_SECONDS) -> int:
    """Sets the kernel's timeout on this process's listening sockets, from which connections inherit it; returns their number.

    A response that the client does not read stays in memory until its connection ends, and the server has no setting for that.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return 0
    return sum(_set_timeout(int(file.name), seconds) for file in Path("/proc/self/fd").iterdir())


def _set_timeout(descriptor: int, seconds: int) -> bool:
    """Returns False if the descriptor is not a listening TCP socket."""
    try:
        listener = socket.socket(fileno=descriptor)
    except OSError:
        return False
    try:
        if listener.family == socket.AF_UNIX or not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return False
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)
        return True
    except OSError:
        return False
    finally:
        listener.detach()  # leaves the descriptor open: it belongs to the code that opened it
