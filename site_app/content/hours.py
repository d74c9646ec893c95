"""When the team works, on the clocks of the places its clients are in; from the time zone database."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from components.words import Hours, PlaceHours, Span
from site_app.core import business
from site_app.core.i18n import t
from site_app.core.i18n.clocks import city
from site_app.core.settings import settings

ZONES = ("Asia/Bangkok", "Asia/Shanghai")  # beside the host's own
_WINTER, _SUMMER = date(2026, 1, 15), date(2026, 7, 15)  # no clock of the build's: the same sources make the same page


def hours() -> Hours:
    host, (opens, closes) = ZoneInfo(settings().booking_zone), business.TEAM_HOURS
    return Hours(
        heading=t("Working hours and languages"),
        lead=t(
            "Our team works Monday to Friday, {opens} to {closes} {place} time. We start early so that our morning overlaps with the afternoon in Bangkok and Beijing. Calls, emails and contracts are in English, Thai or Chinese.",
            opens=_clock(_hour(opens)),
            closes=_clock(_hour(closes)),
            place=city(host),
        ),
        heads=(t("City"), t("Hours on your clock"), t("Both at work in winter"), t("Both at work in summer")),
        legend=(
            ("office", t("Your office hours, {span}", span=_words(_office()))),
            ("ours", t("Our working hours")),
            ("shared", t("Both at work")),
            ("summer", t("Only in summer")),
        ),
        office=_office(),
        items=tuple(place_hours(ZoneInfo(zone), host) for zone in dict.fromkeys((host.key, *ZONES))),
    )


def place_hours(zone: ZoneInfo, host: ZoneInfo) -> PlaceHours:
    winter, summer = _ours(zone, host, _WINTER), _ours(zone, host, _SUMMER)
    shared = (_overlap(winter), _overlap(summer))
    return PlaceHours(_place(zone), winter, shared, (_words(shared[0]), _words(shared[1])))


def _ours(zone: ZoneInfo, host: ZoneInfo, day: date) -> Span:
    midnight = datetime.combine(day, time(), zone)
    opens, closes = ((datetime.combine(day, at, host) - midnight) / timedelta(hours=1) for at in business.TEAM_HOURS)
    return opens, closes


def _overlap(ours: Span) -> Span:
    opens, closes = _office()
    return max(opens, ours[0]), max(opens, ours[0], min(closes, ours[1]))


def _office() -> Span:
    opens, closes = business.CLIENT_HOURS
    return _hour(opens), _hour(closes)


def _hour(at: time) -> float:
    return at.hour + at.minute / 60


def _words(span: Span) -> str:
    return f"{_clock(span[0])}–{_clock(span[1])}" if span[0] < span[1] else "–"


def _clock(hour: float) -> str:
    return f"{int(hour) % 24:02}:{round(hour % 1 * 60):02}"


def _place(zone: ZoneInfo) -> str:
    return t("Beijing") if zone.key == "Asia/Shanghai" else city(zone)
