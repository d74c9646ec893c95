"""How days and numbers look in the language being written."""

from datetime import datetime

from babel import Locale as Cldr
from babel.dates import format_date

from site_app.i18n import current


def cldr() -> Cldr:
    """The Unicode consortium's data for it; the agency's English is British, day before month."""
    return Cldr("en", "GB") if current().id == "en" else Cldr.parse(current().tag, sep="-")


def long_day(instant: datetime) -> str:
    return format_date(instant, "long", locale=cldr())
