"""The page for choosing a time, for a new meeting and for moving one."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Protocol
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.core.http.languages import own_address
from site_app.core.http.limits import AppContext
from site_app.core.http.pages import NamedAddress, form_of, show
from site_app.core.i18n import href, t
from site_app.core.i18n.clocks import city, host_clock, zone_choices

_LONGEST_ID = 64  # characters, as in the contract
_DAYS_PER_PAGE = 5  # days on one page


class ShownTime(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def start(self) -> datetime: ...


class ShownDay(Protocol):
    """A day of free times, as contracts.days returns it."""

    @property
    def date(self) -> date: ...
    @property
    def times(self) -> Sequence[ShownTime]: ...


def times_page(
    context: AppContext,
    request: Request,
    title: str,
    days: Sequence[ShownDay],
    query: Mapping[str, str],
    *,
    zone: ZoneInfo,
    address: str,
    intro: tuple[str, ...],
    fault: str,
    status: int,
    submit: str,
    hold: str = "",
    attribution: str = "",
    carried: str = "",
    initials: str = "",
    languages: Mapping[str, str] | None = None,
    call_language: str = "",
    back: NamedAddress | None = None,
) -> Response:
    """Renders some of the days, in the visitor's `zone`.

    `hold` is the name under which the chosen time will be held, `attribution` is where the visitor came from, `carried` a query for
    links to the site; `initials` are those of
    the person one will talk to; `languages` are the names of those that the call can be in; `back` links to the page that leaves the time unchanged.
    """
    host = ZoneInfo(context.settings.booking_zone)
    at = _index_of(query.get("from", ""), days)
    page_days = days[at : at + _DAYS_PER_PAGE]
    first = page_days[0].times[0].start if page_days else context.clock()

    def leads_to(index: int) -> str:
        query = {"zone": zone.key, "from": days[index].date.isoformat(), "speak": call_language, "attribution": attribution}
        return f"{address}?{urlencode({name: text for name, text in query.items() if text})}"

    words = {
        "intro": intro,
        "errors": {"slot": fault} if fault else {},
        "zone": zone.key,
        "zones": zone_choices(first, zone.key),
        "clocks": t("All times are {place} time.", place=city(zone))
        if not host_clock(first, zone, host)
        else t("Large numbers: {place} time. Small numbers: {other} time.", place=city(zone), other=city(host)),
        "hold": hold,
        "attribution": attribution,
        "days": page_days,
        "open_day": _day_of(query.get("slot", ""), page_days),
        "chosen": query.get("slot", ""),
        "initials": initials,
        "call_languages": languages or {},
        "call_language": call_language,
        "earlier": leads_to(max(0, at - _DAYS_PER_PAGE)) if at else None,
        "later": leads_to(at + _DAYS_PER_PAGE) if at + _DAYS_PER_PAGE < len(days) else None,
        "submit": submit,
        "contact": href("/contact-us") + carried,
        "back": back,
    }
    return show(
        context, request, "times.html", title, form="slot" if page_days else "", status=status, carried=carried, **words
    )


async def keep_choice(_context: AppContext, request: Request) -> Response:
    """Redirects to the same times in the language of this address; keeps the chosen time without holding it."""
    slot = (await form_of(request)).get("slot", "")
    return RedirectResponse(own_address(request.scope, **({"slot": slot} if 0 < len(slot) <= _LONGEST_ID else {})), 303)


def _day_of(slot: str, days: Sequence[ShownDay]) -> ShownDay | None:
    """Returns the day of the chosen time, else the first one."""
    return next((day for day in days if any(time.id == slot for time in day.times)), days[0] if days else None)


def _index_of(text: str, days: Sequence[ShownDay]) -> int:
    """Returns the index of the first day to show; the start of the last page if all days are earlier."""
    try:
        first = date.fromisoformat(text)
    except ValueError:
        return 0
    return next((at for at, day in enumerate(days) if day.date >= first), max(0, len(days) - _DAYS_PER_PAGE))
