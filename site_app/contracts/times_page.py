"""The plain page of free times, where visitors choose one: to book a meeting on the site, to move it at the provider."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.contracts.days import Day
from site_app.core.http.languages import own_address
from site_app.core.http.limits import AppContext
from site_app.core.http.pages import TextAndAddress, form_of, show
from site_app.core.i18n import href, t
from site_app.core.i18n.clocks import city, host_clock, zone_choices

_DAYS_PER_PAGE = 5
_LONGEST_ID = 64  # characters, as in the contract


@dataclass(frozen=True, kw_only=True)
class TimesPage:
    """A page with some of the days, in the visitor's `zone`."""

    title: str
    intro: tuple[str, ...]
    days: Sequence[Day]  # all of them, in order
    zone: ZoneInfo
    address: str  # of this page, without its query
    query: Mapping[str, str]  # `from` is the first day to show, `slot` the chosen time
    submit: str
    back: TextAndAddress | None = None  # leaves the time as it is
    fault: str = ""  # of the chosen time
    hold: str = ""  # the name under which the chosen time will be held
    initials: str = ""  # of the person whom one will talk to
    call_languages: Mapping[str, str] = field(default_factory=dict)  # names of the languages to choose from
    call_language: str = ""
    attribution: str = ""  # where the visitor came from
    carried: str = ""  # a query for links to the site

    def response(self, context: AppContext, request: Request, *, status: int = 200) -> Response:
        """Renders the page."""
        first_index = self._first_index()
        next_index = first_index + _DAYS_PER_PAGE
        page_days = self.days[first_index:next_index]
        chosen = self.query.get("slot", "")
        first_time = page_days[0].times[0].start if page_days else context.clock()
        values = {
            "intro": self.intro,
            "errors": {"slot": self.fault} if self.fault else {},
            "zone": self.zone.key,
            "zones": zone_choices(first_time, self.zone.key),
            "clocks": self._clocks(first_time, ZoneInfo(context.settings.booking_zone)),
            "hold": self.hold,
            "attribution": self.attribution,
            "days": page_days,
            "open_day": _day_of(chosen, page_days),
            "chosen": chosen,
            "initials": self.initials,
            "call_languages": self.call_languages,
            "call_language": self.call_language,
            "earlier": self._address_from(max(0, first_index - _DAYS_PER_PAGE)) if first_index else None,
            "later": self._address_from(next_index) if next_index < len(self.days) else None,
            "submit": self.submit,
            "contact": href("/contact-us") + self.carried,
            "back": self.back,
        }
        form = "slot" if page_days else ""
        return show(context, request, "times.html", self.title, form=form, status=status, carried=self.carried, **values)

    def _first_index(self) -> int:
        """Returns the index of the first day to show; the start of the last page if all days are earlier."""
        try:
            first_day = date.fromisoformat(self.query.get("from", ""))
        except ValueError:
            return 0
        indexes = (index for index, day in enumerate(self.days) if day.date >= first_day)
        return next(indexes, max(0, len(self.days) - _DAYS_PER_PAGE))

    def _address_from(self, index: int) -> str:
        """Returns the address of this page with the days from this one on."""
        query = {
            "zone": self.zone.key,
            "from": self.days[index].date.isoformat(),
            "speak": self.call_language,
            "attribution": self.attribution,
        }
        return f"{self.address}?{urlencode({name: text for name, text in query.items() if text})}"

    def _clocks(self, moment: datetime, host: ZoneInfo) -> str:
        """Returns the sentence that says whose clocks the times follow."""
        if not host_clock(moment, self.zone, host):
            return t("All times are {place} time.", place=city(self.zone))
        return t("Large numbers: {place} time. Small numbers: {other} time.", place=city(self.zone), other=city(host))


async def keep_choice(_context: AppContext, request: Request) -> Response:
    """Redirects to the same times in the language of this address; keeps the chosen time without holding it."""
    slot = (await form_of(request)).get("slot", "")
    return RedirectResponse(own_address(request.scope, **({"slot": slot} if 0 < len(slot) <= _LONGEST_ID else {})), 303)


def _day_of(slot: str, days: Sequence[Day]) -> Day | None:
    """Returns the day of the chosen time, else the first one."""
    return next((day for day in days if any(time.id == slot for time in day.times)), days[0] if days else None)
