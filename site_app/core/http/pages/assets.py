"""The stylesheet and scripts of plain pages, at addresses that contain a hash of their content."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.core import colors

_IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
_FOLDER = Path(__file__).parent
_COMPONENTS = colors.THEME.parent
_SHARED_STYLES = (  # with the site's own pages
    "base.css",
    "art/font.css",
    "layout/skip.css",
    "ui/button.css",
    "ui/fields.css",
    "booking/slots.css",
)


def asset_route(
    under: str, file: Path, media_type: str, *, prefix: str = "", suffix: str = "", headers: Mapping[str, str] = _IMMUTABLE
) -> Route:
    """Returns a route that serves the file, between `prefix` and `suffix`, at an address with its content hash."""
    content = (prefix + file.read_text(encoding="utf-8") + suffix).encode()

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=headers)

    return Route(f"{under}/{hashlib.sha256(content).hexdigest()[:12]}{file.suffix}", serve)


def _styles_of_site() -> str:
    """Returns the styles that plain pages share with the site: tokens, plain elements, the headlines' face, buttons, fields, times."""
    reset, *shared = ((_COMPONENTS / name).read_text(encoding="utf-8") for name in ("reset.css", *_SHARED_STYLES))
    return colors.stylesheet() + f"@layer reset{{{reset}}}" + "".join(shared)


_STYLESHEET_ROUTE = asset_route("/plain", _FOLDER / "plain.css", "text/css", prefix=_styles_of_site())
_THEME_ROUTE = asset_route("/plain", _FOLDER / "theme.js", "text/javascript")
_COPY_ROUTE = asset_route("/plain", _FOLDER / "copy.js", "text/javascript")
MARK = (_COMPONENTS / "art/drawings/mark.svg").read_text(encoding="utf-8").strip()  # as on the site's own pages
ASSET_ROUTES = (_STYLESHEET_ROUTE, _THEME_ROUTE, _COPY_ROUTE)
STYLESHEET = _STYLESHEET_ROUTE.path
THEME = _THEME_ROUTE.path
COPY_SCRIPT = _COPY_ROUTE.path
