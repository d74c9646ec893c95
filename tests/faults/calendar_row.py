"""Row 21: on the days clocks change, every instant is offered once, and calendar files say what the database says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import httpx
from sqlmodel import Session, select

from site_app.api.app import make_api, opened
from site_app.settings import Settings
from site_app.store.tables import Meeting
from tests.builders import meeting
from tests.faults.scorecard import Verdict
from tests.faults.trial import FREE, Trial
from tests.unit.booking.calendars import by_icalendar, by_vobject

ZONES = ("Europe/London", "Asia/Bangkok", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
_YEAR = 2027
_HALF, _DAY = timedelta(minutes=30), timedelta(days=1)
_EVERY_DAY = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass
class Tally:
    """What all the days together came to."""

    days: int = 0
    offered: int = 0
    double: int = 0
    missing: int = 0
    extra: int = 0
    booked: int = 0
    differing: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return self.double == self.missing == self.extra == 0 and not self.differing and self.booked > 0


async def calendar(trial: Trial) -> Verdict:
    """The host in each of the zones, open day and night; visitors of all six book, in the short form every twenty-fourth slot."""
    tally = Tally()
    visitors = cycle(ZONES)
    for number, zone in enumerate(ZONES):
        for day in _change_days(ZoneInfo(zone)) or _change_days(ZoneInfo("Europe/London")):
            room = trial.room / f"{number}-{day}"
            room.mkdir()
            await _try(tally, room, ZoneInfo(zone), day, visitors, every=24 if trial.short else 1)
    return Verdict(
        tally.is_right,
        f"{len(ZONES)} zones, {tally.days} days around the changes of clocks: of {tally.offered} slots {tally.double} double, "
        f"{tally.missing} missing, {tally.extra} beyond; {tally.booked} calls booked from {len(ZONES)} zones, calendar files that "
        f"differ from the database: {len(tally.differing)} {tally.differing[:3] or ''}".rstrip(),
    )


async def _try(tally: Tally, room: Path, zone: ZoneInfo, day: date, visitors: Iterator[str], *, every: int) -> None:
    now = datetime.combine(day, datetime.min.time(), zone).astimezone(UTC) - 2 * _DAY
    settings = Settings(
        var=room, limit_submissions=FREE, limit_reads=FREE, limit_calls=10**6, minimum_filling_time=timedelta(0), booking_zone=zone.key,
        booking_days=_EVERY_DAY, booking_hours=("00:00-24:00",), booking_buffer=timedelta(0), booking_notice=timedelta(0),
    )  # fmt: skip
    api = make_api(settings)
    transport = httpx.ASGITransport(api, client=("203.0.113.7", 50000))
    async with (
        opened(api, settings, lambda: now) as office,
        httpx.AsyncClient(transport=transport, base_url="http://api.test", headers={"X-API-Key": "website"}) as client,
    ):
        around = [day - _DAY, day, day + _DAY]
        asked = {"first": around[0].isoformat(), "last": around[-1].isoformat()}
        slots = [one["id"] for one in (await client.post("/v1.0/meetingSlots", json=asked)).json()["results"]]
        wanted = {f"{instant:%Y%m%dT%H%MZ}" for one in around for instant in _instants(one, zone)}
        tally.days += len(around)
        tally.offered += len(slots)
        tally.double += sum(times - 1 for times in Counter(slots).values())
        tally.missing += len(wanted - set(slots))
        tally.extra += len(set(slots) - wanted)
        token = office.tokens.form_token()
        for slot in slots[::every]:
            answer = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token, time_zone=next(visitors)))
            made = answer.raise_for_status().json()
            file = await client.get(urlsplit(made["calendar"]["ics"]).path)
            kept = await office.store.read(partial(_kept, reference=made["reference"]))
            tally.booked += 1
            instants = {kept, by_icalendar(file.content), by_vobject(file.content)}
            if len(instants) > 1 or f"{kept[0]:%Y%m%dT%H%MZ}" != slot:
                tally.differing.append(f"{zone.key} {slot}")


def _kept(session: Session, reference: str) -> tuple[datetime, datetime]:
    found = session.exec(select(Meeting).where(Meeting.reference == reference)).one()
    return found.starts_at, found.ends_at


def _change_days(zone: ZoneInfo) -> list[date]:
    """The local days of the year that are not twenty-four hours long."""
    midnights = [datetime(_YEAR, 1, 1, tzinfo=zone) + count * _DAY for count in range(366)]
    return [day.date() for day, following in pairwise(midnights) if following.astimezone(UTC) - day.astimezone(UTC) != _DAY]


def _instants(day: date, zone: ZoneInfo) -> list[datetime]:
    """Walked through minute by minute, not reckoned: when a clock there shows a full or half hour of that day."""
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC) - _DAY
    minutes = (moment + timedelta(minutes=count) for count in range(3 * 24 * 60))
    return [one for one in minutes if (local := one.astimezone(zone)).date() == day and local.minute in (0, 30)]
