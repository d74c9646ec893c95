"""/book: the consultation call booked in plain HTML, a time first, then who calls."""

import uuid
from collections.abc import Mapping
from urllib.parse import urlencode

import structlog
from pydantic import ValidationError
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.api.office import Office
from site_app.api.pages import PlainPage, form_of, plain, routes_for, show
from site_app.api.pages.details import FIELDS, details_page
from site_app.api.pages.times import keep_choice, times_page, zone_of
from site_app.constants import consultation_minutes
from site_app.contracts.meeting import MeetingRequest
from site_app.contracts.problems import problem, problems
from site_app.i18n import current, href, t
from site_app.metrics import took_lead
from site_app.services.booking import holds, meetings
from site_app.services.booking.cells import offered
from site_app.services.booking.refusals import HoldLost, LooksAutomatic, SlotTaken
from site_app.services.booking.slots import Slot, nearest, slot_of
from site_app.services.refusals import FieldRefused, KeyReused, NotFound
from site_app.store import StoreUnavailable
from site_app.store.tables import Hold

log = structlog.get_logger()

_SENT = {*FIELDS, "key", "token", "website_url", "slot", "do"}
_NEAR = 12


@plain("holds", switched=keep_choice)
async def choose_time(office: Office, request: Request) -> Response:
    """GET shows free times, POST holds the chosen one and goes on to the form."""
    if request.method != "POST":
        lapsed = {"": t("The time you chose is no longer held for you. Please choose again")}
        return await _times(office, request, request.query_params, lapsed if "lapsed" in request.query_params else {})
    sent = await form_of(request)
    if not sent.get("slot"):
        return await _times(office, request, sent, {"slot": t("Please choose a time")}, status=422)
    now = office.clock()
    try:
        row = await office.store.write(
            lambda session: holds.hold_slot(session, sent["slot"], settings=office.settings, now=now)
        )
    except SlotTaken:
        return await _times(office, request, sent, {"slot": problem("slot_gone", "slot")}, status=409)
    query = urlencode({"zone": zone_of(sent, office).key})
    return RedirectResponse(href(f"/book/{row.id}") + f"?{query}", 303)


async def _keep_words(office: Office, request: Request) -> Response:
    """The form as it was filled in, in the language of this address; nothing in it is judged yet."""
    row = await _hold(office, request.path_params["hold"])
    return await _details(office, request, row, await _typed(request), {})


@plain("submissions", switched=_keep_words)
async def give_details(office: Office, request: Request) -> Response:
    """The form for a held time; its buttons book the call, keep the hold or let it go."""
    hold, zone = request.path_params["hold"], zone_of(request.query_params, office)
    if request.method != "POST":
        row = await _hold(office, hold)
        if row is None or row.expires_at <= office.clock():
            return RedirectResponse(href("/book") + "?" + urlencode({"zone": zone.key, "lapsed": 1}), 303)
        fresh = {"key": str(uuid.uuid4()), "token": office.tokens.form_token(), "slot": Slot(row.starts_at).id}
        return await _details(office, request, row, fresh, {})
    sent = await _typed(request)
    do = sent.pop("do", "book")
    if do == "release":
        await office.store.write(lambda session: holds.release_hold(session, hold))
        return RedirectResponse(href("/book") + "?" + urlencode({"zone": zone.key}), 303)
    if do == "keep":
        return await _keep(office, request, sent)
    return await _book(office, request, sent)


async def _keep(office: Office, request: Request, sent: dict[str, str]) -> Response:
    hold, now = request.path_params["hold"], office.clock()
    try:
        row = await office.store.write(lambda session: holds.extend_hold(session, hold, settings=office.settings, now=now))
    except HoldLost:
        lost = t("The time you chose is no longer held for you. Please choose again")
        return await _details(office, request, None, sent, {"slot": lost}, status=409)
    return await _details(office, request, row, sent, {})


async def _book(office: Office, request: Request, sent: dict[str, str]) -> Response:
    hold, zone = request.path_params["hold"], zone_of(request.query_params, office)
    try:
        said = MeetingRequest.model_validate(
            sent | {"hold": hold, "time_zone": zone.key, "language": current().id, "page": href("/book")}
        )
        desk = await office.desk_for(said)
        call = await office.store.write(lambda session: meetings.book_meeting(session, said, desk))
    except (ValidationError, FieldRefused, SlotTaken, LooksAutomatic, KeyReused, NotFound, StoreUnavailable) as error:
        status, errors = _errors(error)
        # A key belongs to what was said with it, a token to the form that was opened: a page shown anew gets its own.
        renewed = {"key": str(uuid.uuid4())} if isinstance(error, KeyReused) else {}
        renewed |= {"token": office.tokens.form_token()} if isinstance(error, LooksAutomatic) else {}
        return await _details(office, request, await _hold(office, hold), sent | renewed, errors, status=status)
    office.wake()
    took_lead("meeting", quarantined=False)
    return RedirectResponse(href(f"/meetings/{call.token}") + "?done=booked", 303)


def _errors(error: Exception) -> tuple[int, dict[str, str]]:
    match error:
        case ValidationError():
            return 422, problems(error)
        case FieldRefused():
            return 422, {error.field: problem(error.kind, error.field)}
        case SlotTaken():
            return 409, {"slot": problem("slot_gone", "slot")}
        case LooksAutomatic():
            return 422, {"": t("We could not tell that a person sent this. Please send it again in a few seconds")}
        case StoreUnavailable():
            log.warning("store.unavailable")
            return 503, {"": t("We cannot take this right now. Please try again")}
    return 422, {"": t("This was sent before. Please check it and send it again")}


async def _times(
    office: Office, request: Request, asked: Mapping[str, str], errors: dict[str, str], *, status: int = 200
) -> Response:
    now, zone = office.clock(), zone_of(asked, office)
    slots = await office.store.read(lambda session: offered(session, office.settings, now=now))
    words = times_page(office, slots, zone, asked, address=href("/book"), errors=errors)
    words["intro"] = (
        t("Choose a time to talk with {name}, Founder & CEO.", name=office.settings.brand_founder),
        t("Web-conferencing details are given on confirmation."),
    )
    title = t("Free Consultation Call: {minutes} min", minutes=consultation_minutes())
    return show(office, request, PlainPage("times.html", title, words, "slot" if words["days"] else ""), status=status)


async def _details(
    office: Office,
    request: Request,
    row: Hold | None,
    values: Mapping[str, str],
    errors: dict[str, str],
    *,
    status: int = 200,
) -> Response:
    now, settings, zone = office.clock(), office.settings, zone_of(request.query_params, office)
    slot = slot_of(values.get("slot", ""))
    wanted = slot.start if slot else row.starts_at if row else now
    try:
        free = await office.store.read(
            lambda session: nearest(offered(session, settings, now=now, own_hold=row.id if row else None), wanted, count=_NEAR)
        )
    except StoreUnavailable:
        free = []
    page = details_page(office, row, free, values, zone, errors)
    return show(office, request, page, status=status)


async def _typed(request: Request) -> dict[str, str]:
    return {name: text for name, text in (await form_of(request)).items() if name in _SENT}


async def _hold(office: Office, hold: str) -> Hold | None:
    def found(session: Session) -> Hold | None:
        return session.get(Hold, hold)

    return await office.store.read(found)


BOOKING_ROUTES = [
    *routes_for("/book", choose_time, "GET", "POST"),
    *routes_for("/book/{hold}", give_details, "GET", "POST"),
]
