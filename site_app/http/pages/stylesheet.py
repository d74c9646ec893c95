"""The one stylesheet of all plain pages and the script that knows the chosen theme, under addresses that change with them."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app import colors

_PUBLIC = {"Cache-Control": "public, max-age=31536000, immutable"}
_HERE = Path(__file__).parent


def asset_route(
    under: str, file: Path, media_type: str, *, before: str = "", after: str = "", headers: Mapping[str, str] = _PUBLIC
) -> Route:
    """Serves the file, with what stands before and after it, at an address that changes with its content."""
    content = (before + file.read_text(encoding="utf-8") + after).encode()

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=headers)

    return Route(f"{under}/{hashlib.sha256(content).hexdigest()[:12]}{file.suffix}", serve)


STYLESHEET_ROUTE = asset_route("/plain", _HERE / "plain.css", "text/css", before=colors.stylesheet())
THEME_ROUTE = asset_route("/plain", _HERE / "theme.js", "text/javascript")
ASSET_ROUTES = (STYLESHEET_ROUTE, THEME_ROUTE)
STYLESHEET, THEME = STYLESHEET_ROUTE.path, THEME_ROUTE.path
