"""The office's own style and script, under addresses that change with them, and how its pages write moments."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app import colors

_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable", "X-Robots-Tag": "noindex"}


def _route(name: str, media_type: str, *, after: str = "") -> Route:
    content = ((Path(__file__).parent / name).read_text(encoding="utf-8") + after).encode()

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=_FOREVER)

    return Route(f"/office/{hashlib.sha256(content).hexdigest()[:12]}{Path(name).suffix}", serve)


_COLORS = "".join(f"--color-{name}:{value};" for name, value in colors.dark().items())
_DARK = "@media (prefers-color-scheme:dark){:root{color-scheme:dark;" + _COLORS + "}}"
STYLE_ROUTE, SCRIPT_ROUTE = _route("office.css", "text/css", after=_DARK), _route("office.js", "text/javascript")
ASSET_ROUTES = (STYLE_ROUTE, SCRIPT_ROUTE)
STYLE, SCRIPT = STYLE_ROUTE.path, SCRIPT_ROUTE.path


def clock_words(zone: str, now: datetime) -> Callable[[datetime], str]:
    """Writes moments on the agency's clock: the time alone of today's, without the year of this year's."""
    here = ZoneInfo(zone)
    today = now.astimezone(here).date()

    def written(moment: datetime) -> str:
        local = moment.astimezone(here)
        if local.date() == today:
            return f"{local:%H:%M}"
        return f"{local:%a} {local.day} {local:%b}{'' if local.year == today.year else f' {local.year}'}, {local:%H:%M}"

    return written
