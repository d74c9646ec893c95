"""The times at which meetings can start, by the founder's working hours in local time, and the refusals of booking.

ProviderRefusal
 ├── SlotTaken         the slot was taken, or is not offered (any more); has the nearest free slots
 ├── MeetingClosed     the meeting is over or cancelled and cannot be changed
 ├── MeetingExists     the mailbox has an upcoming meeting already, which can be moved
 ├── MailedLinkNeeded  the meeting was moved too often without a mailed link, which proves access to the mailbox
 ├── TooManyMeetings   the network has reached its limit of upcoming meetings, or the mailbox its limit of the day
 ├── TooManyHolds      the network has reached its limit of holds; slots can still be booked without a hold
 └── LooksAutomatic    the sender may be a program: a person is asked to send it again
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from site_app.contracts.meeting import Slot
from site_app.contracts.problems import problem
from site_app.core.i18n import ENGLISH, t
from site_app.core.public_holidays import holidays_of
from site_app.core.settings import Settings
from site_app.core.settings.rules import WEEK, dates_of, spans_of_days
from site_app.provider.http.refusals import ProviderRefusal, RefusalReply

QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class Rules:
    """The rules from which slots are computed.

    `hours` are pairs of start and end in minutes since local midnight; `hours_of_weekday` are those of weekdays with hours of their own.
    """

    zone: ZoneInfo
    weekdays: frozenset[int]
    hours: tuple[tuple[int, int], ...]
    days_off: frozenset[date]
    length: timedelta
    buffer: timedelta
    notice: timedelta
    horizon: timedelta
    hours_of_weekday: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()  # a dict cannot be hashed
    holidays: str = ""  # the region whose public holidays are closed
    language: str = ENGLISH.id  # of the calls

    def hours_on(self, day: date) -> tuple[tuple[int, int], ...]:
        """Returns the hours of this local day if its weekday is open."""
        return dict(self.hours_of_weekday).get(day.weekday(), self.hours)


@lru_cache(maxsize=64)
def rules_of(settings: Settings, language: str = ENGLISH.id) -> Rules:
    """Returns the rules of calls in this language. A language that the settings no longer name has the hours of all others."""
    spans = spans_of_days(settings.meeting_hours.get(language, settings.booking_hours))
    return Rules(
        zone=ZoneInfo(settings.booking_zone),
        weekdays=frozenset(WEEK.index(name.lower()) for name in settings.booking_days),
        hours=spans.pop("", ()),
        hours_of_weekday=tuple((WEEK.index(day), hours) for day, hours in spans.items()),
        holidays=settings.booking_holidays,
        days_off=frozenset(day for text in settings.booking_days_off for day in dates_of(text)),
        length=settings.booking_length,
        buffer=settings.booking_buffer,
        notice=settings.booking_notice,
        horizon=settings.booking_horizon,
        language=language,
    )


def starts_on(rules: Rules, day: date) -> tuple[datetime, ...]:
    """Returns the possible starts on a local day, in UTC. Local times skipped by a clock change are left out, repeated ones occur twice."""
    if day.weekday() not in rules.weekdays or day in rules.days_off or day in holidays_of(rules.holidays, day.year):
        return ()
    return tuple(
        sorted(
            start
            for opens, closes in rules.hours_on(day)
            for minutes in range(opens, closes, rules.length // timedelta(minutes=1))
            for start in _instants(day, minutes, rules.zone)
            if _is_inside(rules, start, day, opens, closes)
        )
    )


def quarter_hours(start: datetime, end: datetime) -> Iterator[datetime]:
    """Yields the quarter hours that overlap the time from `start` to `end`, in order."""
    quarter = start - timedelta(minutes=start.minute % 15, seconds=start.second, microseconds=start.microsecond)
    while quarter < end:
        yield quarter
        quarter += QUARTER


def _instants(day: date, minutes: int, zone: ZoneInfo) -> set[datetime]:
    """Returns the instants at which the zone's clocks show this time: usually one, two if clocks go back, none if they go forward."""
    wall = datetime.combine(day, time(minutes // 60, minutes % 60))
    instants = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {instant for instant in instants if instant.astimezone(zone).replace(tzinfo=None) == wall}


def _is_inside(rules: Rules, start: datetime, day: date, opens: int, closes: int) -> bool:
    # Check each quarter hour, because clocks may change during a meeting.
    for quarter in quarter_hours(start, start + rules.length):
        local = quarter.astimezone(rules.zone)
        if local.date() != day or not opens <= local.hour * 60 + local.minute < closes:
            return False
    return True


class SlotTaken(ProviderRefusal):
    def __init__(self, nearest: list[Slot]) -> None:
        super().__init__([slot.id for slot in nearest])
        self.nearest = nearest

    def reply(self) -> RefusalReply:
        message = problem("slot_gone", "slot")
        return RefusalReply(409, "slot_taken", message, {"slot": message}, results=self.nearest)


class MeetingClosed(ProviderRefusal):
    pass


class MeetingExists(ProviderRefusal):
    def reply(self) -> RefusalReply:
        message = t(
            "You already have a call booked with this email address. To change its time, use the link in your confirmation email."
        )
        return RefusalReply(409, "call_exists", message, {"email": message})


class MailedLinkNeeded(ProviderRefusal):
    pass


class TooManyMeetings(ProviderRefusal):
    """`write_to` is our mail address. `for_mailbox` is True if the mailbox has reached its limit of the day, False for the network's limit."""

    def __init__(self, write_to: str, *, for_mailbox: bool = False) -> None:
        super().__init__()
        self.write_to = write_to
        self.for_mailbox = for_mailbox

    def reply(self) -> RefusalReply:
        if self.for_mailbox:
            message = t(
                "Several calls were booked with this email address today. Please email {email} and we’ll arrange yours.",
                email=self.write_to,
            )
        else:
            message = t(
                "Several calls are already booked from your network. Please email {email} and we’ll arrange yours.",
                email=self.write_to,
            )
        return RefusalReply(409, "too_many_calls", message)


class TooManyHolds(ProviderRefusal):
    """`wait` is the time until the network's next hold expires."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait

    def reply(self) -> RefusalReply:
        seconds = max(1, math.ceil(self.wait.total_seconds()))
        return RefusalReply(
            429, "too_many", t("We can’t hold this time for you right now, but you can still book it"), retry_after=seconds
        )


class LooksAutomatic(ProviderRefusal):
    def reply(self) -> RefusalReply:
        message = t("Our spam check didn’t let this through. Please wait a few seconds and send it again.")
        return RefusalReply(422, "looks_automatic", message)
