"""The calls of API v1.0 about the consultation call: its slots, holds on them, booking, and what a manage link can do."""

from typing import Any

from sqlmodel import Session
from starlette.requests import Request

from site_app.api.call import Call
from site_app.api.office import Office
from site_app.booking import hold, meeting
from site_app.booking.availability import Availability
from site_app.booking.calendar_file import web_links
from site_app.booking.invitation import ManagedCall, manage_url, meeting_of
from site_app.booking.slots import slot_at
from site_app.contracts.answer import Done
from site_app.contracts.meeting import (
    Booked,
    CalendarLinks,
    ExtendRequest,
    Held,
    HoldRequest,
    ManageRequest,
    MeetingDetails,
    MeetingRequest,
    MoveRequest,
    Slot,
    Slots,
    SlotsRequest,
)
from site_app.http.bodies import LARGEST_BODY, whole_body
from site_app.i18n import BY_ID, ENGLISH, use
from site_app.metrics import took_lead
from site_app.settings import Settings
from site_app.store.tables import Hold


async def book_meeting(office: Office, request: Request, said: MeetingRequest) -> Booked:
    context = await office.context_of(said, request)
    call = await office.store.write(lambda session: meeting.book_meeting(session, said, context))
    office.wake()
    took_lead("meeting", quarantined=False)
    return Booked(**_details(call, office.settings))


async def meeting_slots(office: Office, request: Request, said: SlotsRequest) -> Slots:
    now = office.clock()

    def listed(session: Session) -> list[Slot]:
        own = meeting_of(session, said.token) if said.token else None
        availability = Availability(session, office.settings, now, own_hold=said.hold, own_call=own.id if own else None)
        return availability.slots(said.first, said.last)

    return Slots(results=await office.store.read(listed))


async def hold_slot(office: Office, request: Request, said: HoldRequest) -> Held:
    options = {"settings": office.settings, "now": office.clock(), "hold": said.hold, "network": office.network(request)}
    return _held(await office.store.write(lambda session: hold.hold_slot(session, said.slot, **options)))


async def extend_hold(office: Office, request: Request, said: ExtendRequest) -> Held:
    now = office.clock()
    return _held(
        await office.store.write(lambda session: hold.extend_hold(session, said.hold, settings=office.settings, now=now))
    )


async def release_hold(office: Office, request: Request, _: None) -> Done:
    """Takes any content type and no key: a page that closes can send no headers with its beacon."""
    said = ExtendRequest.model_validate_json(await whole_body(request, LARGEST_BODY))
    await office.store.write(lambda session: hold.release_hold(session, said.hold))
    return Done()


async def show_meeting(office: Office, request: Request, said: ManageRequest) -> MeetingDetails:
    call = await office.store.read(lambda session: meeting.call_of(session, said.token))
    return MeetingDetails(**_details(call, office.settings))


async def move_meeting(office: Office, request: Request, said: MoveRequest) -> MeetingDetails:
    now = office.clock()
    call = await office.store.write(
        lambda session: meeting.move_meeting(session, said.token, said.slot, settings=office.settings, now=now)
    )
    office.wake()
    return MeetingDetails(**_details(call, office.settings))


async def cancel_meeting(office: Office, request: Request, said: ManageRequest) -> MeetingDetails:
    now = office.clock()
    call = await office.store.write(
        lambda session: meeting.cancel_meeting(session, said.token, settings=office.settings, now=now)
    )
    office.wake()
    return MeetingDetails(**_details(call, office.settings))


def _held(row: Hold) -> Held:
    return Held(hold=row.id, slot=slot_at(row.starts_at), expires_at=row.expires_at)


def _details(call: ManagedCall, settings: Settings) -> dict[str, Any]:
    kept, url = call.meeting, manage_url(call, settings)
    with use(BY_ID.get(kept.language, ENGLISH)):
        links = dict(web_links(kept, settings))
    return {
        "reference": kept.reference,
        "state": kept.state,
        "slot": slot_at(kept.starts_at),
        "time_zone": kept.time_zone,
        "moved_from": kept.moved_from,
        "conferencing_url": kept.conferencing_url,
        "manage_url": url,
        "calendar": CalendarLinks(ics=f"{url}/call.ics", google=links["Google Calendar"], outlook=links["Outlook"]),
    }


_READS = (400, 413, 415, 422, 503)
_FINDS = (*_READS, 404)
_HOLDS = (*_READS, 409)
_CHANGES = (*_READS, 404, 409)


def _post(name: str, summary: str, handler: Any, answers: Any, takes: Any, refuses: tuple[int, ...], **more: Any) -> Call:
    return Call("POST", f"/v1.0/{name}", name, summary, handler, answers, takes=takes, refuses=refuses, **more)


MEETING_CALLS = (
    _post(
        "bookMeeting",
        "Book the free consultation call",
        book_meeting,
        Booked,
        MeetingRequest,
        _CHANGES,
        limit="submissions",
    ),
    _post("meetingSlots", "Free slots in UTC, in order", meeting_slots, Slots, SlotsRequest, _READS),
    _post(
        "holdSlot",
        "Keep a slot while the form is filled in; the answer says until when",
        hold_slot,
        Held,
        HoldRequest,
        _HOLDS,
        limit="holds",
    ),
    _post("extendHold", "Keep it longer: its time begins anew", extend_hold, Held, ExtendRequest, _HOLDS, limit="holds"),
    _post(
        "releaseHold",
        "Give a held slot back; any content type, as a beacon sends it",
        release_hold,
        Done,
        ExtendRequest,
        (400, 413, 422, 503),
        keyed=False,
        streams=True,
    ),
    _post(
        "showMeeting", "The call a manage link leads to, as it stands now", show_meeting, MeetingDetails, ManageRequest, _FINDS
    ),
    _post(
        "moveMeeting",
        "Move the call to another free slot",
        move_meeting,
        MeetingDetails,
        MoveRequest,
        _CHANGES,
        limit="submissions",
    ),
    _post("cancelMeeting", "Call it off", cancel_meeting, MeetingDetails, ManageRequest, _CHANGES, limit="submissions"),
)
