"""Passes this project's check of its events to static_first."""

from site_app.plugins.socket_guard import check_handlers
from site_app.plugins.static_first.site import StaticSite


def static_site() -> StaticSite:
    return StaticSite(check_events=check_handlers)
