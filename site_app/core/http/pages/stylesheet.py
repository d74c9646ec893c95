"""The stylesheet of all plain pages, which shares much with the site's, and their scripts; the addresses contain a content hash."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.core import colors

_PUBLIC = {"Cache-Control": "public, max-age=31536000, immutable"}
_FOLDER, _COMPONENTS = Path(__file__).parent, colors.THEME.parent
_SHARED = (
    "base.css",
    "art/font.css",
    "layout/skip.css",
    "ui/button.css",
    "ui/fields.css",
    "booking/slots.css",
)  # with the site's own pages


def asset_route(
    under: str, file: Path, media_type: str, *, prefix: str = "", suffix: str = "", headers: Mapping[str, str] = _PUBLIC
) -> Route:
    """Returns a route that serves the file, between `prefix` and `suffix`, at an address with its content hash."""
    content = (prefix + file.read_text(encoding="utf-8") + suffix).encode()

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=headers)

    return Route(f"{under}/{hashlib.sha256(content).hexdigest()[:12]}{file.suffix}", serve)


def _of_the_site() -> str:
    """Returns the styles that plain pages share with the site: tokens, plain elements, the headlines' face, buttons, fields, times."""
    reset, *shared = ((_COMPONENTS / name).read_text(encoding="utf-8") for name in ("reset.css", *_SHARED))
    return colors.stylesheet() + f"@layer reset{{{reset}}}" + "".join(shared)


STYLESHEET_ROUTE = asset_route("/plain", _FOLDER / "plain.css", "text/css", prefix=_of_the_site())
THEME_ROUTE = asset_route("/plain", _FOLDER / "theme.js", "text/javascript")
COPY_ROUTE = asset_route("/plain", _FOLDER / "copy.js", "text/javascript")
MARK = (_COMPONENTS / "art/figures/mark.svg").read_text(encoding="utf-8").strip()  # as on the site's own pages
ASSET_ROUTES = (STYLESHEET_ROUTE, THEME_ROUTE, COPY_ROUTE)
STYLESHEET, THEME, COPY_SCRIPT = STYLESHEET_ROUTE.path, THEME_ROUTE.path, COPY_ROUTE.path
