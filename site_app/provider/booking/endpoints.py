"""The calls of API v1.0 about meetings: free slots, holds, and booking. A booked meeting is changed only on its own page."""

import asyncio
from dataclasses import replace
from zoneinfo import ZoneInfo

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.meeting import (
    BOOKING_CALL,
    Booked,
    CalendarLinks,
    Held,
    HoldRequest,
    MeetingRequest,
    ReleaseRequest,
    Slots,
    SlotsRequest,
)
from site_app.contracts.reply import Done
from site_app.core.http.bodies import MAX_BODY_BYTES, whole_body
from site_app.core.i18n import use
from site_app.core.i18n.clocks import both_clocks, day_words
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.metrics import lead_acknowledged
from site_app.core.settings import Settings
from site_app.provider.booking import hold, meeting
from site_app.provider.booking.calendar_file import web_links
from site_app.provider.booking.meeting import ManagedMeeting, manage_url
from site_app.provider.booking.refusals import MeetingExists
from site_app.provider.booking.slots import Availability, slot_of
from site_app.provider.http.call import ApiContext, post
from site_app.provider.leads.endpoints import new_submission_context
from site_app.provider.store.tables import Hold


async def book_meeting(context: ApiContext, request: Request, payload: MeetingRequest) -> Booked:
    submission_context, _ = await asyncio.gather(new_submission_context(context, payload), context.refresh_day_of(payload.slot))
    submission_context = replace(submission_context, network_hash=context.network_hash(request))
    try:
        managed = await context.store.write(lambda session: meeting.book_meeting(session, payload, submission_context))
    except MeetingExists:  # the visitor may move that meeting to the held time, on a page that knows no hold
        if hold_id := payload.hold:
            await context.store.write(lambda session: hold.release_hold(session, hold_id))
        raise
    request.state.is_repeated = not managed.is_new
    context.wake()
    lead_acknowledged("meeting", quarantined=False)
    return _booked(managed, context.settings)


async def meeting_slots(context: ApiContext, request: Request, payload: SlotsRequest) -> Response:
    """Returns the free slots. Visitors without a hold share one result (`read_for_all`); it changes with bookings and every minute."""
    now = context.clock()

    def slots_as_json(session: Session) -> str:
        availability = Availability(session, context.settings, now, own_hold_id=payload.hold, language=payload.call_language)
        return Slots(results=availability.slots(payload.first, payload.last)).model_dump_json()

    key = payload, now.replace(second=0, microsecond=0)
    text = await (context.store.read(slots_as_json) if payload.hold else context.store.read_for_all(key, slots_as_json))
    return Response(text, media_type="application/json")


async def hold_slot(context: ApiContext, request: Request, payload: HoldRequest) -> Held:
    await context.refresh_day_of(payload.slot)
    options = {
        "settings": context.settings,
        "now": context.clock(),
        "hold_id": payload.hold,
        "network_hash": context.network_hash(request),
    }
    return _hold_reply(await context.store.write(lambda session: hold.hold_slot(session, payload.slot, **options)))


async def release_hold(context: ApiContext, request: Request, _: None) -> Done:
    """Deletes a hold. Accepts any content type and no API key, because the beacon of a closing page cannot set headers."""
    payload = ReleaseRequest.model_validate_json(await whole_body(request, MAX_BODY_BYTES))
    await context.store.write(lambda session: hold.release_hold(session, payload.hold))
    return Done()


def _hold_reply(row: Hold) -> Held:
    return Held(hold=row.id, slot=slot_of(row), expires_at=row.expires_at)


def _booked(managed: ManagedMeeting, settings: Settings) -> Booked:
    meeting_row = managed.meeting
    url = manage_url(managed, settings)
    zone = ZoneInfo(meeting_row.time_zone)
    with use(BY_ID.get(meeting_row.language, ENGLISH)):
        google, outlook = (url for _, url in web_links(meeting_row, settings))
        day = day_words(meeting_row.starts_at, zone)
        clocks = both_clocks(meeting_row.starts_at, zone, ZoneInfo(settings.booking_zone))
    return Booked(
        reference=meeting_row.reference,
        slot=slot_of(meeting_row),
        time_zone=meeting_row.time_zone,
        day=day,
        clocks=clocks,
        conferencing_url=meeting_row.conferencing_url,
        manage_url=url,
        calendar=CalendarLinks(ics=f"{url}/call.ics", google=google, outlook=outlook),
    )


_BOOK = "Book the free consultation call"
_LIST = "Free slots in UTC, in order"
_HOLD = "Keep a slot while the form is filled in, or keep it longer; the answer says until when"
_RELEASE = "Give a held slot back; any content type, as a beacon sends it"
MEETING_CALLS = (
    post(BOOKING_CALL, _BOOK, book_meeting, Booked, refuses=(415, 409, 404), takes=MeetingRequest, limit="submissions"),
    post("meetingSlots", _LIST, meeting_slots, Slots, refuses=(415,), takes=SlotsRequest),
    post("holdSlot", _HOLD, hold_slot, Held, refuses=(415, 409), takes=HoldRequest, limit="holds"),
    post("releaseHold", _RELEASE, release_hold, Done, takes=ReleaseRequest, keyed=False, streams=True),
)
