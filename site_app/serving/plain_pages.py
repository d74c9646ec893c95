"""The app of the site's own plain pages: forms of leads, and booking. They reach the provider through the client, so it may be remote."""

from starlette.applications import Starlette
from starlette.datastructures import State

from site_app.serving.plain_booking import booking_routes, is_booking_page
from site_app.serving.plain_leads import is_plain_lead, plain_lead_routes


def plain_pages(state: State) -> Starlette:
    """Returns the app; `state` contains the site's context."""
    pages = Starlette(routes=[*plain_lead_routes(), *booking_routes()])
    pages.router.redirect_slashes = False  # it would redirect over http to the host in the Host header
    pages.state = state
    return pages


def is_plain_site_page(path: str, method: str) -> bool:
    """Returns True if one of these pages answers this request."""
    return is_booking_page(path) or is_plain_lead(path, method)
