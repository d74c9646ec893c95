"""The page on which a time is chosen, for a new call and for one that moves."""

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.contracts.codes import time_zones
from site_app.contracts.meeting import Slot
from site_app.http.context import AppContext
from site_app.http.languages import here
from site_app.http.pages import form_of
from site_app.http.pages.days import days_of, leaf
from site_app.i18n import current, href, t
from site_app.i18n.clocks import city, host_clock
from site_app.i18n.places import zone_choices

_LONGEST_ID = 64  # characters, by the contract


def times_page(
    context: AppContext, slots: list[Slot], zone: ZoneInfo, asked: Mapping[str, str], *, address: str, errors: dict[str, str]
) -> dict[str, object]:
    """The words of a page on which a time is chosen."""
    host, now = ZoneInfo(context.settings.booking_zone), context.clock()
    shown = leaf(days_of(slots, zone, host), _day(asked.get("from", "")))
    first = shown.days[0].first if shown.days else now

    def leads_to(first: date | None) -> str | None:
        return f"{address}?{urlencode({'zone': zone.key, 'from': first.isoformat()})}" if first else None

    return {
        "intro": (),
        "errors": errors,
        "zone": zone.key,
        "zones": zone_choices(first, zone.key),
        "days": shown.days,
        "chosen": asked.get("slot", ""),
        "earlier": leads_to(shown.earlier),
        "later": leads_to(shown.later),
        "contact": href("/contact-us"),
        "back": None,
        "words": {
            "check": t("Please check this:"),
            "zone": t("Time zone"),
            "show": t("Show times in this time zone"),
            "clocks": t("All times are {place} time.", place=city(zone))
            if not host_clock(first, zone, host)
            else t("Large numbers: {place} time. Small numbers: {other} time.", place=city(zone), other=city(host)),
            "more": t("More days"),
            "earlier": t("Earlier days"),
            "later": t("Later days"),
            "submit": t("Continue with this time"),
            "none": t("All times in the coming weeks are taken."),
            "write": t("Send us a message and we’ll find a time together"),
        },
    }


async def keep_choice(_context: AppContext, request: Request) -> Response:
    """On to the same times in the language of this address; the time that was chosen still is, and held for nobody."""
    slot = (await form_of(request)).get("slot", "")
    return RedirectResponse(here(request.scope, **({"slot": slot} if 0 < len(slot) <= _LONGEST_ID else {})), 303)


def zone_of(asked: Mapping[str, str], context: AppContext) -> ZoneInfo:
    """The zone asked for, else the one where most who read this language live."""
    name = asked.get("zone", "")
    return ZoneInfo(name if name in time_zones() else current().zone or context.settings.booking_zone)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
