"""Plain pages: server-rendered HTML that works without JavaScript, in one layout, with one stylesheet."""

from site_app.core.http.pages.plain_page import (
    ASSET_ROUTES,
    PAGE_HEADERS,
    STYLESHEET,
    THEME,
    FormPairs,
    SiteFrame,
    TextAndUrl,
    asset_route,
    form_of,
    pairs_of,
    plain_endpoint,
    render_notice,
    render_page,
    render_refusal,
    routes_for,
)
