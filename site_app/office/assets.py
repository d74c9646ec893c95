"""The office's own style and script, under addresses that change with them, and how its pages write moments."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from site_app import colors
from site_app.http.pages.stylesheet import asset_route

_HERE = Path(__file__).parent
_PRIVATE = {"Cache-Control": "private, max-age=31536000, immutable", "X-Robots-Tag": "noindex"}
_COLORS = "".join(f"--color-{name}:{value};" for name, value in colors.dark().items())
_DARK = "@media (prefers-color-scheme:dark){:root{color-scheme:dark;" + _COLORS + "}}"
STYLE_ROUTE = asset_route("/office", _HERE / "office.css", "text/css", after=_DARK, headers=_PRIVATE)
SCRIPT_ROUTE = asset_route("/office", _HERE / "office.js", "text/javascript", headers=_PRIVATE)
ASSET_ROUTES = (STYLE_ROUTE, SCRIPT_ROUTE)
STYLE, SCRIPT = STYLE_ROUTE.path, SCRIPT_ROUTE.path


def clock_words(zone: str, now: datetime) -> Callable[[datetime], str]:
    """A function that writes moments on the agency's clock: today's as the time alone, this year's without the year."""
    here = ZoneInfo(zone)
    today = now.astimezone(here).date()

    def written(moment: datetime) -> str:
        local = moment.astimezone(here)
        if local.date() == today:
            return f"{local:%H:%M}"
        return f"{local:%a} {local.day} {local:%b}{'' if local.year == today.year else f' {local.year}'}, {local:%H:%M}"

    return written
