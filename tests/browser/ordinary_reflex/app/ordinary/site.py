"""What this project hands to static_first: the check of its events."""

from site_app.plugins.socket_guard import check_handlers
from site_app.plugins.static_first.site import StaticSite


def static_site() -> StaticSite:
    return StaticSite(check_events=check_handlers)
