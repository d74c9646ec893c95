"""The host's CalDAV calendar (RFC 4791): requests to it, and the entries of meetings, written through the outbox and compared with what the host has made of them.

The library `caldav` brings an HTTP client of its own, which resolves host names itself. These requests go through PublicTransport, follow
no redirect, and trust no address that the server names. A write brings an entry in line with the meeting as it is at that moment, so a
write that is repeated or late does no harm.
"""

import asyncio
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

import httpx
import structlog
from sqlalchemy import exists
from sqlmodel import Session, col, delete, select

from site_app.core.http.bodies import reply_body
from site_app.core.http.limits import Clock
from site_app.core.settings import Settings
from site_app.core.settings.rules import is_loopback
from site_app.provider.booking.busy import BusyTimes, CalendarText, OwnEvent, read_calendars
from site_app.provider.booking.calendar_file import calendar_entry
from site_app.provider.leads.queries import find
from site_app.provider.outbox.mail import NotDelivered
from site_app.provider.outbox.public_addresses import PublicTransport
from site_app.provider.outbox.rows import CALENDAR_ENTRY, CALENDAR_REMOVAL, calendar_row
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.tables import CalendarEntry, EntryDifference, Meeting, MeetingStage, Outbox, OutboxKind

MAX_REPLY_BYTES = 16 * 1024 * 1024  # 10,000 ordinary entries take 6 MB
_TIMEOUT = httpx.Timeout(10.0, connect=3.0)
_TIME_FORMAT = "%Y%m%dT%H%M%SZ"
_XML_HEADERS = {"Content-Type": "application/xml; charset=utf-8", "Accept-Encoding": "identity"}
_QUERY = (
    '<?xml version="1.0" encoding="utf-8"?>'
    '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
    "<D:prop><D:getetag/><C:calendar-data/></D:prop>"
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">{filter}</C:comp-filter></C:comp-filter></C:filter>'
    "</C:calendar-query>"
)


class CalendarRefused(Exception):
    """The server answered, but not as expected. The message may be logged and shown to the owner."""


def transport_to(url: str) -> httpx.AsyncBaseTransport:
    """Returns the transport to a host of the settings: public addresses only, except a loopback address that the operator wrote as such."""
    if is_loopback(urlsplit(url).hostname or ""):
        return httpx.AsyncHTTPTransport(trust_env=False)
    return PublicTransport()


class CalDavCalendar:
    """A calendar of a CalDAV server. Its methods raise httpx.HTTPError, OSError or CalendarRefused; callers limit the time."""

    def __init__(self, url: str, settings: Settings, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = httpx.URL(url)
        self._transport = transport
        self._auth = (settings.caldav_user, settings.caldav_password) if settings.caldav_user else None

    async def events(self, first: datetime, last: datetime) -> str:
        """Returns the multistatus of all events that overlap this time. Recurring events are not expanded."""
        span = f'start="{first.astimezone(UTC):{_TIME_FORMAT}}" end="{last.astimezone(UTC):{_TIME_FORMAT}}"'
        return await self._report(f"<C:time-range {span}/>")

    async def events_with_uid(self, uid: str) -> str:
        """Returns the multistatus of the event with this UID, which may have any name in the calendar."""
        match = f'<C:text-match collation="i;octet">{escape(uid)}</C:text-match>'
        return await self._report(f'<C:prop-filter name="UID">{match}</C:prop-filter>')

    def href_for(self, uid: str) -> str:
        """Returns the path of a new entry in this calendar."""
        return f"{self._url.path}{quote(uid.partition('@')[0], safe='')}.ics"

    def own_path(self, href: str) -> str:
        """Returns the path of an address that the server named, or "" if it leads out of this calendar, whatever its host."""
        path = unquote(urlsplit(href).path)
        inside = path.startswith(self._url.path) and "/" not in path[len(self._url.path) :] and path != self._url.path
        return path if inside else ""

    async def put(self, href: str, ics: bytes, etag: str | None) -> tuple[int, str]:
        """Writes an entry and returns the status and the new ETag.

        Writes only if the entry still has this `etag`; with None, only if there is no entry; with "", always.
        """
        condition = {"If-None-Match": "*"} if etag is None else {"If-Match": etag} if etag else {}
        headers = {"Content-Type": "text/calendar; charset=utf-8", **condition}
        response = await self._request("PUT", href, headers, ics)
        return response.status_code, _strong(response.headers.get("ETag", ""))

    async def etag(self, href: str) -> str | None:
        """Returns the current ETag of an entry, "" if the server gives none, or None if there is no such entry."""
        response = await self._request("HEAD", href, {})
        if response.status_code in (404, 410):
            return None
        if response.status_code != 200:
            raise CalendarRefused(f"HTTP {response.status_code}")
        return _strong(response.headers.get("ETag", ""))

    async def delete(self, href: str) -> None:
        """Deletes an entry. Does nothing if it is gone already."""
        response = await self._request("DELETE", href, {})
        if response.status_code not in (200, 202, 204, 404, 410):
            raise CalendarRefused(f"HTTP {response.status_code}")

    async def _report(self, condition: str) -> str:
        content = _QUERY.format(filter=condition).encode()
        async with (
            self._client() as client,
            client.stream("REPORT", self._url, content=content, headers=_XML_HEADERS | {"Depth": "1"}) as response,
        ):
            if response.status_code != 207:
                raise CalendarRefused(f"it answered {response.status_code}")
            return (await reply_body(response, largest=MAX_REPLY_BYTES, refusal=CalendarRefused)).decode("utf-8", "replace")

    async def _request(self, method: str, href: str, headers: Mapping[str, str], content: bytes = b"") -> httpx.Response:
        """Returns status and headers; the body is not read."""
        url = self._url.copy_with(path=href)
        async with self._client() as client, client.stream(method, url, content=content, headers=dict(headers)) as response:
            return response

    def _client(self) -> httpx.AsyncClient:
        # Do not follow redirects: the server could lead us, with the password, to an address inside our own network.
        transport = self._transport or transport_to(str(self._url))
        return httpx.AsyncClient(transport=transport, auth=self._auth, timeout=_TIMEOUT, follow_redirects=False)


def _strong(etag: str) -> str:
    # A weak ETag matches nothing in If-Match (RFC 9110, 13.1.1), so it is treated as missing.
    return "" if etag.startswith("W/") else etag


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
    if settings.caldav_url and not meeting.host:
        insert_rows(session, Outbox, [calendar_row(CALENDAR_ENTRY, meeting.reference, now=now)])


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
                        await self._calendar.delete(href)
                else:
                    await self._deliver(self._calendar, row.reference)
        except CalendarRefused as error:
            raise NotDelivered(str(error)) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None

    async def _deliver(self, calendar: CalDavCalendar, reference: str) -> None:
        meeting, entry = await self._meeting(reference)
        if meeting is None:
            return  # erased since
        if meeting.state == MeetingStage.CANCELLED:
            await calendar.delete(_path(calendar, meeting, entry))
            removal = delete(CalendarEntry).where(col(CalendarEntry.uid) == meeting.uid)
            await self._store.write(lambda session: session.connection().execute(removal))
            return
        if meeting.state != MeetingStage.BOOKED or meeting.ends_at <= self._clock():
            return
        path = _path(calendar, meeting, entry)
        is_known = entry is not None and entry.href == path
        href, etag, meeting = await self._write(calendar, meeting, path, entry.etag if entry and is_known else None)
        new_entry = CalendarEntry(
            uid=meeting.uid,
            meeting_id=meeting.id or 0,
            href=href,
            etag=etag,
            sequence=meeting.sequence,
            written_at=self._clock(),
        )
        if not await self._store.write(lambda session: _store_written(session, new_entry)):
            raise NotDelivered("ChangedMeanwhile")  # the next attempt writes, or deletes, what the meeting has become

    async def _meeting(self, reference: str) -> tuple[Meeting | None, CalendarEntry | None]:
        def look(session: Session) -> tuple[Meeting | None, CalendarEntry | None]:
            meeting = find(session, Meeting, reference)
            return meeting, session.get(CalendarEntry, meeting.uid) if meeting else None

        return await self._store.read(look)

    async def _write(self, calendar: CalDavCalendar, meeting: Meeting, href: str, etag: str | None) -> tuple[str, str, Meeting]:
        """Writes the entry over whatever the host has made of it. Returns its path, ETag, and the meeting as it was written."""
        status = 0
        for _ in range(_TRIES):
            status, new_etag = await calendar.put(href, calendar_entry(meeting, self._settings), etag)
            if status in _SUCCESS_STATUSES:
                return href, new_etag, meeting
            if status in _UID_CONFLICT_STATUSES and (path := await self._path_of(calendar, meeting)):
                href = path  # the host has imported the calendar file of a mail, under another name
            elif status not in _CONFLICT_STATUSES:
                break
            etag = await calendar.etag(href)
            current, _ = await self._meeting(meeting.reference)
            if current is None or current.state != MeetingStage.BOOKED:
                raise NotDelivered("ChangedMeanwhile")  # the next attempt deletes it
            meeting = current
        raise NotDelivered(f"HTTP {status}")

    async def _path_of(self, calendar: CalDavCalendar, meeting: Meeting) -> str:
        """Returns the path of the event with the meeting's UID, or "" if the calendar has none."""
        text = CalendarText(await calendar.events_with_uid(meeting.uid), is_multistatus=True)
        options = {"first": meeting.starts_at, "last": meeting.ends_at, "own_ids": frozenset({meeting.uid})}
        zone = ZoneInfo(self._settings.booking_zone)
        [reading] = await read_calendars([text], zone=zone, seconds=_TOTAL_SECONDS / 2, **options)
        own_events = reading.own_events if isinstance(reading, BusyTimes) else ()
        return next((path for event in own_events if (path := calendar.own_path(event.href))), "")


def _store_written(session: Session, entry: CalendarEntry) -> bool:
    """Stores where the entry was written. Returns False if the meeting has been changed meanwhile."""
    meeting = session.get(Meeting, entry.meeting_id, with_for_update=True)
    if meeting is None:  # erased meanwhile: the entry must go as well
        row = calendar_row(CALENDAR_REMOVAL, f"removal-{secrets.token_hex(6)}", now=entry.written_at, href=entry.href)
        insert_rows(session, Outbox, [row])
        return True
    stored = session.get(CalendarEntry, entry.uid)
    if stored is None or stored.sequence <= entry.sequence:
        session.merge(entry)
    return (meeting.state, meeting.sequence) == (MeetingStage.BOOKED, entry.sequence)


def _path(calendar: CalDavCalendar, meeting: Meeting, entry: CalendarEntry | None) -> str:
    """Returns the path of the meeting's entry in this calendar: the one it was written to, unless that was another calendar."""
    return (calendar.own_path(entry.href) if entry else "") or calendar.href_for(meeting.uid)
