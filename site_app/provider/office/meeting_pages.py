"""Pages of meetings: a week or a day of the calendar in the agency's time zone, with blocked times; and moving a meeting."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import and_, exists, func, or_
from sqlmodel import Session, col, select
from starlette.responses import Response

from site_app.contracts.free_times import days_of
from site_app.core.public_holidays import holidays_of
from site_app.core.settings import Settings
from site_app.provider.booking.busy import BLOCKED, calendar_warnings
from site_app.provider.booking.calendar_entries import differences
from site_app.provider.booking.refusals import SlotTaken
from site_app.provider.booking.rules import booking_rules, is_day_off
from site_app.provider.booking.slots import Availability
from site_app.provider.office import actions, inbox, lead_pages
from site_app.provider.office.access import OfficeRequest
from site_app.provider.office.frame import redirect_in_office
from site_app.provider.office.typed_values import parse_day_and_time, parse_number
from site_app.provider.store.tables import BusyTime, Hold, Meeting, MeetingStage

_DAY = timedelta(days=1)
_LONGEST_MEETING = _DAY  # SITE_BOOKING_LENGTH allows a third of it
MOST_A_DAY = (
    20  # of a week; with more, the day links to a page of its own, so that a week costs the same for ten hosts as for one
)


@dataclass(frozen=True)
class WeekSpan:
    """A time span. `state` is that of a meeting, or held, blocked or busy; `number` is the id of a blocked time."""

    starts_at: datetime
    ends_at: datetime
    state: str
    label: str = ""
    reference: str = ""
    number: int = 0


@dataclass(frozen=True)
class OfficeDay:
    date: date
    is_today: bool
    spans: tuple[WeekSpan, ...]
    holiday: str = ""  # its name, on a day that is closed for it


async def week_page(request: OfficeRequest) -> Response:
    """GET shows a week, or one day whole; POST blocks a time, unblocks it, or has a call written into the host's calendar again."""
    context = request.context
    settings = context.settings
    zone = settings.booking_zone
    now = context.clock()
    today = settings.local_day(now)
    whole_day = _day_or_none(request.query_params.get("day", ""))
    monday = _monday_of(whole_day or _day_or_none(request.query_params.get("week", "")) or today)
    problem = ""
    if change := _CHANGES.get(request.form.get("do", "")):
        week = await change(request, monday)
        if week is not None:
            return redirect_in_office(f"/calls?week={week}&done={request.form['do']}")
        problem = "Choose a first day, and an end that is after the start."

    def read_rows(session: Session) -> dict[str, Any]:
        return {
            "days": days_from(session, monday, settings=settings, now=now),
            "clashing": _booked_in_closed_times(session, settings, now),
            "calendar_warnings": calendar_warnings(session, settings),
            "differences": differences(session, now=now),
        }

    rows = await context.store.read(read_rows)
    days = rows["days"]
    template_values = {
        **rows,
        "days": [day for day in days if whole_day in (None, day.date)],
        "is_whole_day": whole_day is not None,
        "most_a_day": None if whole_day else MOST_A_DAY,
        "monday": monday,
        "before": monday - timedelta(7),
        "after": monday + timedelta(7),
        "hours": _hours_in(zone),
        "problem": problem,
        "typed": request.form if problem else {},
    }
    return request.render("week.html", "Calls", status=422 if problem else 200, **template_values)


async def _unblock(request: OfficeRequest, monday: date) -> str:
    busy_time = parse_number(request.form.get("number", ""))
    await request.context.store.write(lambda session: actions.unblock(session, busy_time, request.actor))
    return str(monday)


async def _write_entry(request: OfficeRequest, monday: date) -> str:
    reference = request.form.get("reference", "")
    settings = request.context.settings
    await request.context.store.write(lambda session: actions.write_entry_again(session, reference, request.actor, settings))
    request.context.wake()
    return str(monday)


async def _block(request: OfficeRequest, monday: date) -> str | None:
    """Returns None, and blocks nothing, unless the form has a day or a time that ends after it begins."""
    form = request.form
    zone = request.context.settings.booking_zone
    begin = parse_day_and_time(form.get("from", ""), form.get("from_time", ""), zone)
    end = parse_day_and_time(form.get("to", "") or form.get("from", ""), form.get("to_time", ""), zone, is_end=True)
    if begin is None or end is None or end <= begin:
        return None
    note = form.get("why", "")[:200]
    await request.context.store.write(lambda session: actions.block(session, begin, end, request.actor, reason=note))
    return form["from"]


# By the button that was pressed. Each returns a day of the week to show next, or None if the form has a mistake.
_CHANGES: dict[str, Callable[[OfficeRequest, date], Awaitable[str | None]]] = {
    "unblock": _unblock,
    "write-entry": _write_entry,
    "block": _block,
}


async def move(request: OfficeRequest) -> Response:
    """GET lists free times, POST moves the meeting to the chosen time."""
    context = request.context
    reference = request.reference
    zone = ZoneInfo(context.settings.booking_zone)
    now = context.clock()
    problem = ""
    if slot := request.form.get("slot"):
        await context.refresh_day_of(slot)
        try:
            await context.store.write(lambda session: actions.move(session, reference, slot, request.actor, context.settings))
        except SlotTaken:
            problem = "That time has just been taken. Choose another one."
        else:
            context.wake()
            return redirect_in_office(lead_pages.lead_path(request, reference, done="move"))

    def read_rows(session: Session) -> tuple[Any, Any]:
        meeting = actions.upcoming_meeting(session, reference, now=now, lock=False)
        free = Availability(session, context.settings, now, own_meeting=meeting).slots()
        return meeting, [slot for slot in free if slot.start != meeting.starts_at]

    meeting, slots = await context.store.read(read_rows)
    days = days_of(slots, zone, ZoneInfo(meeting.time_zone))
    day_text = request.query_params.get("day", "")
    template_values = {
        "list": inbox.list_of(request.query_params),
        "lead_path": lead_pages.lead_path(request, reference),
        "days": [(day.date.isoformat(), day.words) for day in days],
        "day": next((day for day in days if day.date.isoformat() >= day_text), days[-1] if days else None),
    }
    status = 409 if problem else 200
    return request.render("move.html", f"Move {reference}", status=status, meeting=meeting, problem=problem, **template_values)


def _day_or_none(text: str) -> date | None:
    """Returns the day, between the years 2000 and 2199, or None if the text is no date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return min(max(day, date(2000, 1, 3)), date(2199, 12, 30))


def _monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def days_from(session: Session, monday: date, *, settings: Settings, now: datetime) -> list[OfficeDay]:
    """Returns the seven days from `monday` with all their time spans."""
    zone = ZoneInfo(settings.booking_zone)
    starts = [datetime.combine(monday + count * _DAY, time(), zone).astimezone(UTC) for count in range(8)]
    spans = sorted(_spans(session, starts[0], starts[-1], now), key=lambda span: (span.starts_at, span.state))
    today = now.astimezone(zone).date()
    return [
        OfficeDay(
            day,
            day == today,
            tuple(span for span in spans if span.starts_at < end and span.ends_at > begin),
            holidays_of(settings.booking_holidays, day.year).get(day, ""),
        )
        for begin, end in pairwise(starts)
        for day in (begin.astimezone(zone).date(),)
    ]


def _hours_in(zone: str) -> Callable[[WeekSpan, date], str]:
    """Returns a function that formats the hours of a day that a span takes."""
    clock = ZoneInfo(zone)

    def hours_words(span: WeekSpan, day: date) -> str:
        begin, end = span.starts_at.astimezone(clock), span.ends_at.astimezone(clock)
        first = f"{begin:%H:%M}" if begin.date() == day else "00:00"
        last = f"{end:%H:%M}" if end.date() == day else "24:00"
        return "all day" if (first, last) == ("00:00", "24:00") else f"{first}–{last}"

    return hours_words


def _spans(session: Session, first: datetime, last: datetime, now: datetime) -> Iterator[WeekSpan]:
    # The earliest start lets the index skip the meetings of years.
    overlapping = col(Meeting.starts_at) > first - _LONGEST_MEETING, col(Meeting.starts_at) < last, col(Meeting.ends_at) > first
    # Columns, not rows: at ten hosts a week has hundreds of meetings, and building one object for each takes most of the time.
    columns = Meeting.starts_at, Meeting.ends_at, Meeting.state, Meeting.reference, Meeting.full_name, Meeting.host
    meetings = select(*columns).where(*overlapping)  # pyright: ignore[reportCallIssue]  SQLModel has types for four columns at most
    for starts_at, ends_at, state, reference, full_name, host in session.exec(meetings):
        yield WeekSpan(starts_at, ends_at, state, f"{full_name}, with {host}" if host else full_name, reference)
    holds = select(Hold).where(col(Hold.starts_at) < last, col(Hold.ends_at) > first, col(Hold.expires_at) > now)
    for hold in session.exec(holds):
        yield WeekSpan(hold.starts_at, hold.ends_at, "held", "by a visitor filling in the form")
    for busy in session.exec(select(BusyTime).where(col(BusyTime.starts_at) < last, col(BusyTime.ends_at) > first)):
        if busy.source == BLOCKED:
            yield WeekSpan(busy.starts_at, busy.ends_at, "blocked", busy.note, number=busy.id or 0)
        else:
            yield WeekSpan(busy.starts_at, busy.ends_at, "busy", "in the calendar")


def _booked_in_closed_times(session: Session, settings: Settings, now: datetime) -> list[Meeting]:
    """Returns the booked meetings that are not over and on a day off or in a blocked time, in the order of their start."""
    is_blocked = exists().where(
        col(BusyTime.source) == BLOCKED,
        col(BusyTime.starts_at) < col(Meeting.ends_at),
        col(BusyTime.ends_at) > col(Meeting.starts_at),
    )
    is_booked = Meeting.state == MeetingStage.BOOKED
    last = session.exec(select(func.max(col(Meeting.starts_at))).where(is_booked)).one()
    if last is None:
        return []
    earliest, rules, zone = now - _LONGEST_MEETING, booking_rules(settings), ZoneInfo(settings.booking_zone)
    first_day, last_day = settings.local_day(earliest), settings.local_day(last)
    days = (first_day + count * _DAY for count in range((last_day - first_day).days + 1))
    # The database chooses: at ten hosts, building one object for each call to come takes most of the time.
    is_on_day_off = (
        and_(
            col(Meeting.starts_at) >= datetime.combine(day, time(), zone),
            col(Meeting.starts_at) < datetime.combine(day + _DAY, time(), zone),
        )
        for day in days
        if is_day_off(rules, day)
    )
    # The earliest start lets the index skip the meetings of years.
    to_come = col(Meeting.starts_at) > earliest, col(Meeting.ends_at) > now, is_booked
    return list(session.exec(select(Meeting).where(*to_come, or_(is_blocked, *is_on_day_off)).order_by(col(Meeting.starts_at))))
