"""bookMeeting, meetingSlots, holds, and what a manage link can do."""

from collections.abc import Awaitable, Callable
from functools import lru_cache, wraps
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.api.call import LARGEST_BODY, whole_body
from site_app.api.errors import refusal
from site_app.api.office import Office
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
from site_app.contracts.problems import problem
from site_app.i18n import BY_ID, ENGLISH, t, use
from site_app.metrics import took_lead
from site_app.services.booking import holds, meetings, slots
from site_app.services.booking.calendar_files import web_links
from site_app.services.booking.cells import offered
from site_app.services.booking.manage_links import Managed, manage_url, meeting_of
from site_app.services.booking.refusals import CallClosed, HoldLost, LooksAutomatic, SlotTaken
from site_app.settings import Settings
from site_app.store.tables import Hold

Handler = Callable[[Office, Request, Any], Awaitable[BaseModel | Response]]


def refusing(handler: Handler) -> Handler:
    """The handler, with what booking says no to as an answer."""

    @wraps(handler)
    async def answer(office: Office, request: Request, said: Any) -> BaseModel | Response:
        try:
            return await handler(office, request, said)
        except SlotTaken as error:
            return slot_refused(error)
        except (HoldLost, CallClosed, LooksAutomatic) as error:
            status, code, say = _REFUSED[type(error)]
            return refusal(status, code, say())

    return answer


def slot_refused(error: SlotTaken) -> JSONResponse:
    answer = {"code": "slot_taken", "message": problem("slot_gone", "slot"), "fields": {"slot": problem("slot_gone", "slot")}}
    nearest = [slot_answer(one).model_dump(mode="json") for one in error.nearest]
    return JSONResponse({"error": answer, "results": nearest}, 409)


@refusing
async def book_meeting(office: Office, request: Request, said: MeetingRequest) -> Booked:
    desk = await office.desk_for(said)
    call = await office.store.write(lambda session: meetings.book_meeting(session, said, desk))
    office.wake()
    took_lead("meeting", quarantined=False)
    return Booked(**_details(call, office.settings))


async def meeting_slots(office: Office, request: Request, said: SlotsRequest) -> Slots:
    now = office.clock()

    def listed(session: Session) -> list[slots.Slot]:
        own = meeting_of(session, said.token) if said.token else None
        return offered(
            session,
            office.settings,
            now=now,
            own_hold=said.hold,
            own_call=own.id if own else None,
            first=said.first,
            last=said.last,
        )

    return Slots(results=[slot_answer(one) for one in await office.store.read(listed)])


@refusing
async def hold_slot(office: Office, request: Request, said: HoldRequest) -> Held:
    now = office.clock()
    row = await office.store.write(
        lambda session: holds.hold_slot(session, said.slot, settings=office.settings, now=now, hold=said.hold)
    )
    return _held(row)


@refusing
async def extend_hold(office: Office, request: Request, said: ExtendRequest) -> Held:
    now = office.clock()
    row = await office.store.write(lambda session: holds.extend_hold(session, said.hold, settings=office.settings, now=now))
    return _held(row)


async def release_hold(office: Office, request: Request, _: None) -> Done:
    """Takes any content type and no key: a page that closes can send no headers with its beacon."""
    said = ExtendRequest.model_validate_json(await whole_body(request, LARGEST_BODY))
    await office.store.write(lambda session: holds.release_hold(session, said.hold))
    return Done()


async def show_meeting(office: Office, request: Request, said: ManageRequest) -> MeetingDetails:
    call = await office.store.read(lambda session: meetings.call_of(session, said.token))
    return MeetingDetails(**_details(call, office.settings))


@refusing
async def move_meeting(office: Office, request: Request, said: MoveRequest) -> MeetingDetails:
    now = office.clock()
    call = await office.store.write(
        lambda session: meetings.move_meeting(session, said.token, said.slot, settings=office.settings, now=now)
    )
    office.wake()
    return MeetingDetails(**_details(call, office.settings))


@refusing
async def cancel_meeting(office: Office, request: Request, said: ManageRequest) -> MeetingDetails:
    now = office.clock()
    call = await office.store.write(
        lambda session: meetings.cancel_meeting(session, said.token, settings=office.settings, now=now)
    )
    office.wake()
    return MeetingDetails(**_details(call, office.settings))


@lru_cache(maxsize=2048)
def slot_answer(slot: slots.Slot) -> Slot:
    return Slot(id=slot.id, start=slot.start, end=slot.end)


def _held(row: Hold) -> Held:
    return Held(hold=row.id, slot=slot_answer(slots.Slot(row.starts_at)), expires_at=row.expires_at)


def _details(call: Managed, settings: Settings) -> dict[str, Any]:
    meeting, url = call.meeting, manage_url(call, settings)
    with use(BY_ID.get(meeting.language, ENGLISH)):
        links = dict(web_links(meeting, settings))
    return {
        "reference": meeting.reference,
        "state": meeting.state,
        "slot": slot_answer(slots.Slot(meeting.starts_at)),
        "time_zone": meeting.time_zone,
        "moved_from": meeting.moved_from,
        "conferencing_url": meeting.conferencing_url,
        "manage_url": url,
        "calendar": CalendarLinks(ics=f"{url}/call.ics", google=links["Google Calendar"], outlook=links["Outlook"]),
    }


_REFUSED: dict[type[Exception], tuple[int, str, Callable[[], str]]] = {
    HoldLost: (409, "hold_lost", lambda: t("The time you chose is no longer held for you. Please choose again")),
    CallClosed: (409, "call_closed", lambda: t("This call is over or cancelled and can no longer be changed")),
    LooksAutomatic: (
        422,
        "looks_automatic",
        lambda: t("We could not tell that a person sent this. Please send it again in a few seconds"),
    ),
}
