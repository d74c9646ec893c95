"""The free times of the booking dialog as its state stores them, in the records that a page shows; and the list of time zones."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from site_app.contracts.free_times import SlotTime, slots_by_day, time_of
from site_app.contracts.meeting import Slot
from site_app.core.i18n import use
from site_app.core.i18n.clocks import zone_choices
from site_app.core.locales import BY_ID
from site_app.core.settings import settings

FreeSlot = tuple[str, int]  # the provider's id, and the start in seconds of Unix time: a month of slots takes 8 kB pickled
ZoneChoice = tuple[str, str]  # a zone's name and its label


class ZoneList(list[ZoneChoice]):
    """All zones with their labels on a day. Pickles as its three arguments instead of its 420 rows, to keep a visitor's state small."""

    def __init__(self, language: str, day: str, zone: str) -> None:
        with use(BY_ID[language]):
            super().__init__(zone_choices(datetime.fromisoformat(day).replace(tzinfo=UTC), zone))
        self.arguments = (language, day, zone)

    def __reduce__(self) -> tuple[Any, ...]:
        return ZoneList, self.arguments


def slots_of(rows: Iterable[FreeSlot]) -> list[Slot]:
    return [_slot(identity, start) for identity, start in rows]


def days_with_slots(rows: Iterable[FreeSlot], zone: str) -> list[date]:
    """Returns the days of the visitor's calendar that have free times, in order."""
    return [*slots_by_day(slots_of(rows), zone_info(zone))]


def first_day(rows: list[FreeSlot]) -> str:
    """Returns the day of the first free time, in UTC."""
    return datetime.fromtimestamp(rows[0][1], UTC).date().isoformat()


def slot_time(identity: str, start: int, *, zone: str, language: str) -> SlotTime:
    """Returns a time in words; all empty without an id."""
    if not identity:
        return SlotTime(id="", start=datetime.fromtimestamp(0, UTC), day="", visitor_time="", host_time="", clocks="")
    with use(BY_ID[language]):
        return time_of(_slot(identity, start), zone_info(zone), host_zone())


def zone_info(name: str) -> ZoneInfo:
    """Returns the named zone; the host's for an empty name."""
    return ZoneInfo(name or settings().booking_zone)


def host_zone() -> ZoneInfo:
    return ZoneInfo(settings().booking_zone)


def _slot(identity: str, start: int) -> Slot:
    moment = datetime.fromtimestamp(start, UTC)
    return Slot.model_construct(id=identity, start=moment, end=moment)  # the end is never shown
