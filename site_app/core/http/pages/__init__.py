"""Plain pages: server-rendered HTML that works without JavaScript, in one layout, with one stylesheet.

Each page takes its language from its address, has rate limits and headers, and shows refusals as pages. The stylesheet shares much with
the site's.
"""

from site_app.core.http.pages.assets import ASSET_ROUTES, COPY_SCRIPT, STYLESHEET, THEME, asset_route
from site_app.core.http.pages.endpoints import form_of, pairs_of, plain, routes_for
from site_app.core.http.pages.rendering import PAGE_HEADERS, TextAndAddress, notice, refused, show
