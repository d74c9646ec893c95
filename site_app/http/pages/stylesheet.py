"""The one stylesheet of all plain pages and the script that knows the chosen theme, under addresses that change with them."""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app import colors


def _route(name: str, media_type: str, *, before: str = "") -> Route:
    content = (before + (Path(__file__).parent / name).read_text(encoding="utf-8")).encode()

    async def serve(request: Request) -> Response:
        return Response(content, media_type=media_type, headers={"Cache-Control": "public, max-age=31536000, immutable"})

    return Route(f"/plain/{hashlib.sha256(content).hexdigest()[:12]}{Path(name).suffix}", serve)


STYLESHEET_ROUTE = _route("plain.css", "text/css", before=colors.stylesheet())
THEME_ROUTE = _route("theme.js", "text/javascript")
ASSET_ROUTES = (STYLESHEET_ROUTE, THEME_ROUTE)
STYLESHEET, THEME = STYLESHEET_ROUTE.path, THEME_ROUTE.path
