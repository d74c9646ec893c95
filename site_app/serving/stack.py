"""The server as a whole: combines API, pages, guard of the socket and metrics."""

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.registry import RegistrationContext
from starlette.applications import Starlette
from starlette.types import ASGIApp

from site_app.core.http.client_ip import client_ip, network_of
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
from site_app.serving.site import DevelopmentSite, Site
from site_app.serving.site_frame import site_frame


def stack(app: rx.App, backend: ASGIApp, *, api: Starlette, pages: ServedPages, settings: Settings) -> ASGIApp:
    """Returns the whole site around Reflex's backend; in development only the API and forms beside it, because Vite serves the pages."""
    provider_api = Relay(settings, api=api) if settings.provider_url else api
    api.state.site_frame = site_frame
    plain_site = plain_pages(api.state)
    guarded = guard(backend, settings, DisconnectedSessions(app), development=not is_prod_mode())
    if is_prod_mode():
        pages.load()
        site: ASGIApp = Site(backend=guarded, api=provider_api, pages=pages, settings=settings, plain_pages=plain_site)
    else:
        site = DevelopmentSite(backend=guarded, api=provider_api, plain_pages=plain_site, settings=settings)
    return RequestId(RequestMetrics(site) if settings.metrics_port else site)


def guard(
    backend: ASGIApp, settings: Settings, disconnected: DisconnectedSessions | None = None, *, development: bool = False
) -> SocketGuard:
    """Returns the guard of this site's socket. In development any port is allowed, and DevelopmentSite compares origin and host."""
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
        client_ip=lambda connection: client_ip(connection, settings),
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
