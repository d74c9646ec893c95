"""The host's calendars that the settings name: .ics files that are read, and CalDAV calendars, into the first of which meetings are written."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from site_app.core.settings import Settings


@dataclass(frozen=True)
class CalendarSource:
    """A calendar of the host. `number` counts from 1 in the order of the settings."""

    url: str
    number: int
    is_caldav: bool = False

    @property
    def key(self) -> str:
        """Names the calendar in the database. A hash, because an address may be a secret."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """Names the calendar for the owner, without what may be secret in its address."""
        return f"calendar {self.number} ({urlsplit(self.url).hostname})"


@lru_cache(maxsize=64)
def sources_of(settings: Settings) -> tuple[CalendarSource, ...]:
    """Returns all calendars to read, those of CalDAV first."""
    addresses = [*((url, True) for url in settings.caldav_url), *((url, False) for url in settings.booking_busy_url)]
    return tuple(CalendarSource(url, number, is_caldav) for number, (url, is_caldav) in enumerate(addresses, 1))


def host_addresses(settings: Settings) -> list[str]:
    """Returns the mail addresses by which invitations name the host, in small letters."""
    named = (settings.brand_email, settings.mail_team, settings.caldav_user)
    return [*dict.fromkeys(address.lower() for address in named if "@" in address)]
