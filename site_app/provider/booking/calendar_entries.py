"""The entries of meetings in the host's CalDAV calendar: written through the outbox, and compared with what the host has made of them.

A write brings an entry in line with the meeting as it is at that moment, so a write that is repeated or late does no harm.
"""

import asyncio
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import httpx
import structlog
from sqlalchemy import exists
from sqlmodel import Session, col, delete, select

from site_app.core.http.context import Clock
from site_app.core.settings import Settings
from site_app.provider.booking.busy import CalendarText, OwnEvent, ParsedCalendar, parse_calendars
from site_app.provider.booking.caldav import CalDavCalendar, CalendarRefused
from site_app.provider.booking.calendar_file import calendar_entry
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.outbox.rows import CALENDAR_CORRECTION, CALENDAR_ENTRY, CALENDAR_REMOVAL, calendar_row
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.tables import CalendarEntry, EntryDifference, Meeting, MeetingStage, Outbox, OutboxKind

_TOTAL_SECONDS = 20.0
_SUCCESS_STATUSES = (200, 201, 204)
_CONFLICT_STATUSES = (404, 409, 410, 412)
_UID_CONFLICT_STATUSES = (403, 409)
_TRIES = 4  # of one delivery: the host or another process may change the entry between two requests

log = structlog.get_logger()


@dataclass(frozen=True)
class Difference:
    """A booked meeting whose entry the host has deleted or moved."""

    meeting: Meeting
    entry: CalendarEntry


def write_entry(session: Session, meeting: Meeting, *, settings: Settings, now: datetime) -> None:
    """Adds a write of the meeting's entry to the outbox, if there is a calendar to write to. It is the founder's."""
    _add_write(session, CALENDAR_ENTRY, meeting, settings=settings, now=now)


def correct_entry(session: Session, meeting: Meeting, *, settings: Settings, now: datetime) -> None:
    """Adds a write that changes what the entry says. If the host has deleted or moved the entry, it stays so, and the office still asks."""
    _add_write(session, CALENDAR_CORRECTION, meeting, settings=settings, now=now)


def _add_write(session: Session, template: str, meeting: Meeting, *, settings: Settings, now: datetime) -> None:
    if settings.caldav_url and not meeting.host:
        insert_rows(session, Outbox, [calendar_row(template, meeting.reference, now=now)])


def write_missing_entries(session: Session, *, settings: Settings, now: datetime) -> int:
    """Adds a write for each upcoming meeting that was never written, such as those booked before the calendar was named."""
    has_entry = exists().where(col(CalendarEntry.meeting_id) == Meeting.id)
    is_waiting = exists().where(col(Outbox.reference) == Meeting.reference, col(Outbox.kind) == OutboxKind.CALENDAR_WRITE)
    to_come = Meeting.state == MeetingStage.BOOKED, Meeting.host == "", col(Meeting.starts_at) > now
    meetings = session.exec(select(Meeting).where(*to_come, ~has_entry, ~is_waiting)).all() if settings.caldav_url else []
    for meeting in meetings:
        write_entry(session, meeting, settings=settings, now=now)
    return len(meetings)


def is_in_calendar(session: Session, meeting: Meeting) -> bool:
    """Returns True if the host's calendar has the meeting as it is now, as far as we know."""
    entry = session.get(CalendarEntry, meeting.uid)
    return entry is not None and entry.sequence == meeting.sequence and not entry.difference


def differences(session: Session, *, now: datetime) -> list[Difference]:
    """Returns the upcoming meetings that the host has deleted or moved in the calendar, in the order of their start."""
    changed = col(CalendarEntry.difference) != "", Meeting.state == MeetingStage.BOOKED, col(Meeting.starts_at) > now
    statement = select(Meeting, CalendarEntry).join(CalendarEntry).where(*changed, CalendarEntry.sequence == Meeting.sequence)
    return [Difference(meeting, entry) for meeting, entry in session.exec(statement.order_by(col(Meeting.starts_at)))]


def write_again(session: Session, meeting: Meeting, *, settings: Settings, now: datetime) -> None:
    """Adds a write of the entry to the outbox, and clears its difference, so that the office no longer asks about it."""
    if entry := session.get(CalendarEntry, meeting.uid):
        entry.difference = ""
        entry.host_starts_at = None
        session.add(entry)
    write_entry(session, meeting, settings=settings, now=now)


def note_differences(session: Session, own_events: Collection[OwnEvent], *, now: datetime, last: datetime) -> int:
    """Notes for each upcoming meeting until `last` if its entry is among these, at its time. Returns the number of differences.

    Nothing is cancelled or moved. `now` is the time at which the reading began: entries written since are left alone.
    """
    times: dict[str, set[tuple[datetime, datetime]]] = {}
    for event in own_events:
        times.setdefault(event.uid, set()).add((event.start, event.end))
    read = col(Meeting.starts_at) > now, col(Meeting.ends_at) <= last, Meeting.state == MeetingStage.BOOKED
    settled = CalendarEntry.sequence == Meeting.sequence, col(CalendarEntry.written_at) <= now
    count = 0
    for meeting, entry in session.exec(select(Meeting, CalendarEntry).join(CalendarEntry).where(*read, *settled)):
        in_calendar = times.get(meeting.uid, set())
        is_same = (meeting.starts_at, meeting.ends_at) in in_calendar
        difference = "" if is_same else EntryDifference.MOVED if in_calendar else EntryDifference.DELETED
        start = min(in_calendar)[0] if difference == EntryDifference.MOVED else None
        if (difference, start) != (entry.difference, entry.host_starts_at):
            entry.difference = difference
            entry.host_starts_at = start
            session.add(entry)
            if difference:
                log.warning("calendar.entry_changed_by_host", reference=meeting.reference, kind=difference)
        count += bool(difference)
    return count


class EntryWriter:
    """Delivers the outbox's writes to the first CalDAV calendar of the settings."""

    def __init__(
        self, store: Store, settings: Settings, clock: Clock, *, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        url = next(iter(settings.caldav_url), "")
        self._calendar = CalDavCalendar(url, settings, transport=transport) if url else None

    async def deliver(self, row: Outbox) -> None:
        """Writes or deletes the entry of the row's meeting. Raises NotDelivered if the calendar does not confirm it."""
        if self._calendar is None:  # removed from the settings after the row was written
            raise NotDelivered("NoCalendar")
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                if row.template == CALENDAR_REMOVAL:
                    if href := self._calendar.own_path(str(row.payload.get("href", ""))):
                        await self._delete(self._calendar, href, str(row.payload.get("uid", "")))
                else:
                    await self._deliver(self._calendar, row.reference, is_correction=row.template == CALENDAR_CORRECTION)
        except CalendarRefused as error:
            raise NotDelivered(str(error)) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None

    async def _deliver(self, calendar: CalDavCalendar, reference: str, *, is_correction: bool) -> None:
        meeting, entry = await self._meeting(reference)
        if meeting is None:
            return  # erased since
        if meeting.state == MeetingStage.CANCELLED:
            await self._delete(calendar, _path(calendar, meeting, entry), meeting.uid)
            removal = delete(CalendarEntry).where(col(CalendarEntry.uid) == meeting.uid)
            await self._store.write(lambda session: session.connection().execute(removal))
            return
        path = _path(calendar, meeting, entry)
        known_etag = entry.etag if entry and entry.href == path else None
        is_over = meeting.state != MeetingStage.BOOKED or meeting.ends_at <= self._clock()
        # A difference of an earlier sequence is about a time that no longer counts.
        keeps_difference = entry is not None and entry.sequence == meeting.sequence and (is_correction or is_over)
        if entry and keeps_difference and entry.difference == EntryDifference.DELETED:
            return
        corrects = is_over or keeps_difference
        if corrects and not known_etag:  # corrected, not created: a guest may have been removed
            known_etag = await calendar.etag(path) if known_etag == "" else None
            if known_etag is None:
                return
        host_starts_at = entry.host_starts_at if entry and keeps_difference else None
        written_entry = await self._write(
            calendar, meeting, path, known_etag, creates=not corrects, host_starts_at=host_starts_at
        )
        if written_entry is None:
            return
        href, etag, meeting = written_entry
        new_entry = CalendarEntry(
            uid=meeting.uid,
            meeting_id=meeting.id or 0,
            href=href,
            etag=etag,
            sequence=meeting.sequence,
            written_at=self._clock(),
        )
        if entry and keeps_difference:
            new_entry.difference, new_entry.host_starts_at = entry.difference, entry.host_starts_at
        if not await self._store.write(lambda session: _store_written(session, new_entry)):
            raise NotDelivered("ChangedMeanwhile")  # the next attempt writes, or deletes, what the meeting has become

    async def _meeting(self, reference: str) -> tuple[Meeting | None, CalendarEntry | None]:
        def read_rows(session: Session) -> tuple[Meeting | None, CalendarEntry | None]:
            meeting = find_by_reference(session, Meeting, reference)
            return meeting, session.get(CalendarEntry, meeting.uid) if meeting else None

        return await self._store.read(read_rows)

    async def _write(
        self,
        calendar: CalDavCalendar,
        meeting: Meeting,
        href: str,
        etag: str | None,
        *,
        creates: bool,
        host_starts_at: datetime | None,
    ) -> tuple[str, str, Meeting] | None:
        """Writes the entry over whatever the host has made of it, but leaves it at the time to which the host has moved it, if given.

        Returns its path, ETag, and the meeting as it was written.
        Without `creates`, writes and returns nothing if the host has deleted the entry.
        """
        status = 0
        for _ in range(_TRIES):
            content = calendar_entry(meeting, self._settings, host_starts_at=host_starts_at)
            status, new_etag = await calendar.put(href, content, etag)
            if status in _SUCCESS_STATUSES:
                return href, new_etag, meeting
            if status in _UID_CONFLICT_STATUSES and (path := await self._path_of(calendar, meeting.uid)):
                href = path  # the host has imported the calendar file of a mail, under another name
            elif status not in _CONFLICT_STATUSES:
                break
            etag = await calendar.etag(href)
            if etag is None and not creates:
                return None
            current, _ = await self._meeting(meeting.reference)
            was_moved = current is not None and current.sequence != meeting.sequence
            if current is None or current.state == MeetingStage.CANCELLED or (was_moved and not creates):
                raise NotDelivered("ChangedMeanwhile")  # the next attempt deletes it, or writes it at its new time
            meeting = current
        raise NotDelivered(f"HTTP {status}")

    async def _delete(self, calendar: CalDavCalendar, path: str, uid: str) -> None:
        """Deletes an entry, also if it has another name: the host may have moved it to another calendar and back."""
        if not await calendar.delete(path) and uid and (path := await self._path_of(calendar, uid)):
            await calendar.delete(path)

    async def _path_of(self, calendar: CalDavCalendar, uid: str) -> str:
        """Returns the path of the event with this UID, or "" if the calendar has none."""
        text = CalendarText(await calendar.events_with_uid(uid), is_multistatus=True)
        now = self._clock()
        options = {"first": now, "last": now, "own_ids": frozenset({uid})}
        zone = ZoneInfo(self._settings.booking_zone)
        [reading] = await parse_calendars([text], zone=zone, seconds=_TOTAL_SECONDS / 2, **options)
        own_events = reading.own_events if isinstance(reading, ParsedCalendar) else ()
        return next((path for event in own_events if (path := calendar.own_path(event.href))), "")


def _store_written(session: Session, entry: CalendarEntry) -> bool:
    """Stores where the entry was written. Returns False if the meeting has been changed meanwhile."""
    meeting = session.get(Meeting, entry.meeting_id, with_for_update={"key_share": True})
    if meeting is None:  # erased meanwhile: the entry must go as well
        row = calendar_row(CALENDAR_REMOVAL, f"removal-{secrets.token_hex(6)}", now=entry.written_at, entry=entry)
        insert_rows(session, Outbox, [row])
        return True
    stored = session.get(CalendarEntry, entry.uid)
    if stored is None or stored.sequence <= entry.sequence:
        session.merge(entry)
    return meeting.state != MeetingStage.CANCELLED and meeting.sequence == entry.sequence


def _path(calendar: CalDavCalendar, meeting: Meeting, entry: CalendarEntry | None) -> str:
    """Returns the path of the meeting's entry in this calendar: the one it was written to, unless that was another calendar."""
    return (calendar.own_path(entry.href) if entry else "") or calendar.href_for(meeting.uid)
