"""The host's calendar in both directions: serves our feed at a secret URL, and reads the host's busy times."""

import asyncio
import hmac
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import httpx
import structlog
from sqlmodel import Session, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.core.http.limits import Clock
from site_app.core.settings import Settings
from site_app.provider.booking.busy import (
    BLOCKED,
    UnreadableCalendar,
    claim_reading,
    note_failure,
    own_event_ids,
    read_busy_spans,
    store_busy_times,
)
from site_app.provider.booking.calendar_file import feed
from site_app.provider.booking.meeting import upcoming_meetings, write_reminders
from site_app.provider.endpoints.call import api_context_of
from site_app.provider.store import Store
from site_app.provider.store.tables import BusyTime

REMINDED_EVERY = timedelta(minutes=1)
_STARTED_TOGETHER = timedelta(seconds=30)
_LONGEST_WAIT = 10.0
_LARGEST = 5 * 1024 * 1024
_KEPT_IN_FEED = timedelta(days=30)

log = structlog.get_logger()


async def show_feed(request: Request) -> Response:
    """Serves upcoming meetings and those of the last 30 days. The key in the URL is the permission."""
    context = api_context_of(request)
    key = context.settings.booking_feed_key
    if not key or not hmac.compare_digest(request.path_params["key"].encode(), key.encode()):
        raise HTTPException(404)
    now = context.clock()

    def feed_file(session: Session) -> bytes:
        meetings = upcoming_meetings(session, now=now, back=_KEPT_IN_FEED)
        blocked = session.exec(select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now - _KEPT_IN_FEED))
        return feed(meetings, blocked, context.settings)

    content = await context.store.read(feed_file)
    return Response(content, media_type="text/calendar", headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex"})


async def write_reminders_forever(store: Store, settings: Settings, clock: Clock, wake: Callable[[], None]) -> None:
    """Adds due reminders to the outbox every minute, until cancelled."""
    while True:
        now = clock()
        if await store.write(lambda session, now=now: write_reminders(session, settings=settings, now=now)):
            wake()
        await asyncio.sleep(REMINDED_EVERY.total_seconds())


async def read_calendar_forever(
    store: Store, settings: Settings, clock: Clock, *, transport: httpx.AsyncBaseTransport | None = None
) -> None:
    """Reads the host's calendar regularly, if the settings name one. Of several processes, only one reads it each time."""
    pause = _STARTED_TOGETHER  # short, so that the calendar is read right after a start
    while settings.booking_busy_url:
        now = clock()
        if await store.write(lambda session, now=now, pause=pause: claim_reading(session, now=now, pause=pause)):
            await read_calendar(store, settings, now, transport=transport)
        pause = settings.booking_busy_every
        await asyncio.sleep(pause.total_seconds())


async def read_calendar(
    store: Store, settings: Settings, now: datetime, *, transport: httpx.AsyncBaseTransport | None = None
) -> None:
    """Reads the calendar once. On failure the known times stay, and `doctor` reports the reason."""
    own_ids = await store.read(own_event_ids)
    zone, last = ZoneInfo(settings.booking_zone), now + settings.booking_horizon + timedelta(days=2)
    try:
        async with asyncio.timeout(_LONGEST_WAIT):
            text = await _fetched(settings.booking_busy_url, transport)
        busy = await read_busy_spans(text, zone=zone, first=now, last=last, own_ids=own_ids)
    except (httpx.HTTPError, httpx.InvalidURL, UnreadableCalendar, OSError) as error:
        problem = str(error) if isinstance(error, UnreadableCalendar) else type(error).__name__
        log.warning("calendar.not_read", error=problem)
        await store.write(lambda session: note_failure(session, problem, now=now))
    else:
        if busy.skipped:
            log.warning("calendar.events_skipped", count=busy.skipped)
        await store.write(lambda session: store_busy_times(session, busy.spans, now=now, skipped=busy.skipped))


async def _fetched(url: str, transport: httpx.AsyncBaseTransport | None) -> str:
    # Do not follow redirects: the calendar's host could lead us to an address inside our own network.
    async with (
        httpx.AsyncClient(transport=transport, timeout=_LONGEST_WAIT, follow_redirects=False) as client,
        client.stream("GET", url, headers={"Accept": "text/calendar", "Accept-Encoding": "identity"}) as answer,
    ):
        if answer.status_code != 200:
            raise UnreadableCalendar(f"it answered {answer.status_code}")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise UnreadableCalendar("it is compressed")  # a few kilobytes could expand to gigabytes
        body = bytearray()
        async for chunk in answer.aiter_bytes():
            body += chunk
            if len(body) > _LARGEST:
                raise UnreadableCalendar("it is larger than 5 MB")
    return body.decode("utf-8", "replace")


FEED_ROUTE = Route("/calendar/{key}.ics", show_feed)
