"""Plain pages: server-rendered HTML that works without JavaScript, in one layout, with one stylesheet."""

from site_app.http.pages.page import PAGE_HEADERS, PlainPage, form_of, pairs_of, plain, refused, routes_for, show
from site_app.http.pages.stylesheet import ASSET_ROUTES

__all__ = [
    "ASSET_ROUTES",
    "PAGE_HEADERS",
    "PlainPage",
    "form_of",
    "pairs_of",
    "plain",
    "refused",
    "routes_for",
    "show",
]
