"""How days, times and numbers look in the language being written."""

from datetime import datetime
from zoneinfo import ZoneInfo

from babel import Locale as Cldr
from babel.dates import format_date, format_time, get_timezone_location

from site_app.i18n import current, t


def cldr() -> Cldr:
    """The Unicode consortium's data for it; the agency's English is British, day before month."""
    return Cldr("en", "GB") if current().id == "en" else Cldr.parse(current().tag, sep="-")


def long_day(instant: datetime) -> str:
    return format_date(instant, "long", locale=cldr())


def moment(starts_at: str, zone: str) -> str:
    """Weekday, day and time by this zone's clock; the weekday is always there, so a difference shows."""
    local = datetime.fromisoformat(starts_at).astimezone(ZoneInfo(zone))
    return t("{day} at {time}", day=format_date(local, "full", locale=cldr()), time=format_time(local, "HH:mm", locale=cldr()))


def place(zone: str) -> str:
    """The town a time zone is named after."""
    return get_timezone_location(zone, locale=cldr(), return_city=True)
