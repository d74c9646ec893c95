"""Renders the page of free times, and continues it in another language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.contracts.attribution import MARKS, shorten_for_address
from site_app.contracts.free_times import day_of, day_parts, sheet_index, sheets_of, slots_by_day
from site_app.contracts.meeting import MAX_SLOT_ID_LENGTH, Slot
from site_app.core.http.context import AppContext
from site_app.core.http.languages import own_url
from site_app.core.http.pages import TextAndUrl, asset_route, form_of, render_page
from site_app.core.i18n import href, t, tn
from site_app.core.i18n.clocks import city, weekday_names, zone_choices
from site_app.core.settings import Settings

TIMES_SCRIPT_ROUTE = asset_route("/plain", Path(__file__).with_name("times.js"), "text/javascript")
_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class TimesPage:
    """The page with a calendar of the free days, and the times of one of them, in the visitor's `zone`."""

    title: str
    intro: tuple[str, ...]
    slots: Sequence[Slot]
    zone: ZoneInfo
    path: str  # of this page
    query: Mapping[str, str]  # `day` is the day to show, `slot` the chosen time
    submit: str
    back: TextAndUrl | None = None  # leaves the time as it is
    fault: str = ""  # of the chosen time
    hold_id: str = ""  # of the hold that will be made of the chosen time
    initials: str = ""  # of the host
    call_languages: Mapping[str, str] = field(default_factory=dict)  # names of the languages to choose from
    call_language: str = ""
    attribution: str | None = None  # where the visitor came from; None if the choice is sent without it
    partner_query: str = ""  # of links to the site: the partner's code
    carried: Mapping[str, str] = field(default_factory=dict)  # fields that each form posts on; days are then buttons, not links

    def response(self, context: AppContext, request: Request, *, status: int = 200) -> Response:
        """Renders the page."""
        values = {
            "intro": self.intro,
            "errors": {"slot": self.fault} if self.fault else {},
            "zone": self.zone.key,
            "zones": zone_choices(self.slots[0].start if self.slots else context.clock(), self.zone.key),
            "hold": self.hold_id,
            "attribution": self.attribution,
            "carried": self.carried,
            "chosen": self.query.get("slot", ""),
            "initials": self.initials,
            "call_languages": self.call_languages,
            "call_language": self.call_language,
            "submit": self.submit,
            "times_script": TIMES_SCRIPT_ROUTE.path,
            "contact": href("/contact-us") + self.partner_query,
            "back": self.back,
            "day": None,
        } | (self._calendar(context.settings) if self.slots else {})
        form = "slot" if self.slots or self.carried else ""
        return render_page(
            context,
            request,
            "times.html",
            self.title,
            package="site_app.times_page",
            form=form,
            status=status,
            partner_query=self.partner_query,
            **values,
        )

    def _calendar(self, settings: Settings) -> dict[str, Any]:
        """Returns the values for the calendar and for the shown day; there must be free times."""
        host_zone = ZoneInfo(settings.booking_zone)
        by_day = slots_by_day(self.slots, self.zone)
        shown_day = self._shown_day(by_day)
        sheet = sheets_of(self.slots, self.zone)[sheet_index([*by_day], shown_day)]
        first, last = sheet.weeks[0][0].date, sheet.weeks[-1][-1].date
        return {
            "day": (day := day_of(by_day[shown_day], self.zone, host_zone)),
            "heading": t("{day}, {place} time", day=day.words, place=city(self.zone)),
            "day_parts": day_parts(day.times, self.zone),
            "sheet": sheet,
            "horizon": tn(
                "You can book up to a day ahead.", "You can book up to {count} days ahead.", settings.booking_horizon // _DAY
            ),
            "weekdays": weekday_names(),
            "day_url": self._day_url,
            "earlier": max((day for day in by_day if day < first), default=None),
            "later": min((day for day in by_day if day > last), default=None),
        }

    def _shown_day(self, by_day: Mapping[date, Sequence[Slot]]) -> date:
        """Returns the day of the chosen time, else the day of the query or the next free one after it, else the last one."""
        chosen_id = self.query.get("slot", "")
        with_chosen = (day for day, same_day in by_day.items() if any(free.id == chosen_id for free in same_day))
        try:
            first_day = date.fromisoformat(self.query.get("day", ""))
        except ValueError:
            first_day = date.min
        return next(with_chosen, None) or next((day for day in by_day if day >= first_day), [*by_day][-1])

    def _day_url(self, day: date) -> str:
        """Returns the URL of this page with the times of this day."""
        query = {
            "zone": self.zone.key,
            "day": day.isoformat(),
            "speak": self.call_language,
            "attribution": self.attribution,
        }
        return f"{self.path}?{urlencode({name: text for name, text in query.items() if text})}#day"


async def keep_choice(_context: AppContext, request: Request) -> Response:
    """Redirects to the same times in the language of this address; keeps the form's input without holding the chosen time."""
    return redirect_with_choice(request, await form_of(request))


def redirect_with_choice(request: Request, sent: Mapping[str, str]) -> Response:
    """Redirects to the page of times at the request's address, with this input of its form."""
    choice = {name: sent.get(name, "") for name in ("zone", "day", "speak", "slot")}
    parameters = {name: text for name, text in choice.items() if 0 < len(text) <= MAX_SLOT_ID_LENGTH}  # zones are shorter
    attribution = shorten_for_address(sent.get("attribution", ""))
    if attribution and request.query_params.keys().isdisjoint(MARKS):  # otherwise the address says it already
        parameters["attribution"] = attribution
    return RedirectResponse(own_url(request.scope, **parameters), 303)
