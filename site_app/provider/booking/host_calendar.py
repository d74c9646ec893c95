"""The host's feed of meetings at a secret URL, and the tasks that look at meetings each minute."""

import asyncio
import hmac
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.core.http.limits import Clock
from site_app.core.settings import Settings
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.calendar_file import feed
from site_app.provider.booking.entries import write_missing_entries
from site_app.provider.booking.meeting import upcoming_meetings, write_reminders
from site_app.provider.endpoints.call import api_context_of
from site_app.provider.store import Store
from site_app.provider.store.tables import BusyTime

REMINDED_EVERY = timedelta(minutes=1)
_KEPT_IN_FEED = timedelta(days=30)


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
    """Adds due reminders, and writes of meetings that the host's calendar lacks, to the outbox every minute, until cancelled."""
    while True:
        now = clock()
        if await store.write(lambda session, now=now: _write_due(session, settings, now)):
            wake()
        await asyncio.sleep(REMINDED_EVERY.total_seconds())


def _write_due(session: Session, settings: Settings, now: datetime) -> int:
    return write_reminders(session, settings=settings, now=now) + write_missing_entries(session, settings=settings, now=now)


FEED_ROUTE = Route("/calendar/{key}.ics", show_feed)
