"""A week of the calendar: meetings, holds, blocked and busy times, in the agency's time zone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from site_app.core.settings import Settings
from site_app.core.working_days import holidays_of
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.store.tables import BusyTime, Hold, Meeting, MeetingStage

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Span:
    """A time span. `state` is that of a meeting, or held, blocked or busy; `number` is the id of a blocked time."""

    starts_at: datetime
    ends_at: datetime
    state: str
    label: str = ""
    reference: str = ""
    number: int = 0


@dataclass(frozen=True)
class CalendarDay:
    date: date
    is_today: bool
    spans: tuple[Span, ...]
    holiday: str = ""  # its name, on a day that is closed for it


def monday_of(text: str, today: date) -> date:
    """Returns the Monday of the week of this day, or of the current week if the text is no date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = today
    day = min(max(day, date(2000, 1, 3)), date(2199, 12, 30))
    return day - timedelta(days=day.weekday())


def days_from(session: Session, monday: date, *, settings: Settings, now: datetime) -> list[CalendarDay]:
    """Returns the seven days from `monday` with all their time spans."""
    zone = ZoneInfo(settings.booking_zone)
    starts = [datetime.combine(monday + count * _DAY, time(), zone).astimezone(UTC) for count in range(8)]
    spans = sorted(_spans(session, starts[0], starts[-1], now), key=lambda span: (span.starts_at, span.state))
    today = now.astimezone(zone).date()
    return [
        CalendarDay(
            day,
            day == today,
            tuple(span for span in spans if span.starts_at < end and span.ends_at > begin),
            holidays_of(settings.booking_holidays, day.year).get(day, ""),
        )
        for begin, end in pairwise(starts)
        for day in (begin.astimezone(zone).date(),)
    ]


def hours_in(zone: str) -> Callable[[Span, date], str]:
    """Returns a function that formats the hours of a day that a span takes."""
    clock = ZoneInfo(zone)

    def hours_words(span: Span, day: date) -> str:
        begin, end = span.starts_at.astimezone(clock), span.ends_at.astimezone(clock)
        first = f"{begin:%H:%M}" if begin.date() == day else "00:00"
        last = f"{end:%H:%M}" if end.date() == day else "24:00"
        return "all day" if (first, last) == ("00:00", "24:00") else f"{first}–{last}"

    return hours_words


def moment(day: str, hour: str, zone: str, *, is_end: bool = False) -> datetime | None:
    """Parses a day and an optional time in the agency's time zone, or returns None. An end without a time is the end of that day."""
    try:
        typed = datetime.combine(date.fromisoformat(day), time.fromisoformat(hour or "00:00"), ZoneInfo(zone))
        return (typed + _DAY if is_end and not hour else typed).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _spans(session: Session, first: datetime, last: datetime, now: datetime) -> Iterator[Span]:
    for meeting in session.exec(select(Meeting).where(col(Meeting.starts_at) < last, col(Meeting.ends_at) > first)):
        label = f"{meeting.full_name}, with {meeting.host}" if meeting.host else meeting.full_name
        yield Span(meeting.starts_at, meeting.ends_at, meeting.state, label, meeting.reference)
    holds = select(Hold).where(col(Hold.starts_at) < last, col(Hold.ends_at) > first, col(Hold.expires_at) > now)
    for hold in session.exec(holds):
        yield Span(hold.starts_at, hold.ends_at, "held", "by a visitor who fills in the form")
    for busy in session.exec(select(BusyTime).where(col(BusyTime.starts_at) < last, col(BusyTime.ends_at) > first)):
        if busy.source == BLOCKED:
            yield Span(busy.starts_at, busy.ends_at, "blocked", busy.note, number=busy.id or 0)
        else:
            yield Span(busy.starts_at, busy.ends_at, "busy", "in the calendar")


def booked_in_blocked_times(days: list[CalendarDay], now: datetime) -> list[Span]:
    """Returns booked meetings that are not over and overlap a blocked time."""
    spans = {span for day in days for span in day.spans if span.ends_at > now}
    blocked = [span for span in spans if span.state == "blocked"]
    booked = sorted((span for span in spans if span.state == MeetingStage.BOOKED), key=lambda span: span.starts_at)
    return [
        meeting
        for meeting in booked
        if any(meeting.starts_at < span.ends_at and meeting.ends_at > span.starts_at for span in blocked)
    ]
