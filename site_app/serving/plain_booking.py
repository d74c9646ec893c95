"""/book: a call booked in plain HTML, a time first, then who calls; the site asks its provider, wherever that is.

A time is held where the provider can hold one. One that is gone brings the choice back, with everything that was typed.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.business import consultation_minutes
from site_app.client import ProviderError, provider
from site_app.content.form_words import network_error
from site_app.contracts.answer import FormToken, Refused, Taken
from site_app.contracts.meeting import (
    Booked,
    ExtendRequest,
    Held,
    HoldRequest,
    MeetingRequest,
    Slot,
    Slots,
    SlotsRequest,
    nearest,
)
from site_app.contracts.problems import problem, problems
from site_app.contracts.submission import is_key
from site_app.http.addresses import address_of
from site_app.http.context import AppContext
from site_app.http.languages import here
from site_app.http.pages import PlainPage, form_of, plain, routes_for, show
from site_app.http.pages.details import FIELDS, details_page
from site_app.http.pages.times import keep_choice, times_page, zone_of
from site_app.i18n import current, href, split, t
from site_app.i18n.clocks import moment_words
from site_app.routes import PLAIN_BOOKING
from site_app.serving.plain_forms import SPEAKABLE, is_plain_form, plain_forms
from site_app.settings import Settings

_DETAILS, _DONE = f"{PLAIN_BOOKING}/details", f"{PLAIN_BOOKING}/done"
_SENT = {*FIELDS, "key", "token", "until", "website_url", "slot", "do"}
_NEAR = 12
_SOON = "60"  # seconds; the message says how long it really is
_STATUS = {"too_many": 429, "call_exists": 409, "too_many_calls": 409}


def plain_pages(settings: Settings, state: State) -> Starlette:
    """Every plain page of the site itself, the contact form's and the booking's; `state` has the site's own context."""
    pages = plain_forms(settings)
    pages.router.routes += [
        *routes_for(PLAIN_BOOKING, choose_time, "GET", "POST"),
        *routes_for(_DETAILS, give_details, "GET", "POST"),
        *routes_for(_DONE, show_booked),
    ]
    pages.state = state
    return pages


def is_site_page(path: str, method: str) -> bool:
    """Whether the site itself answers it, with one of plain_pages."""
    return split(path)[1] in (PLAIN_BOOKING, _DETAILS, _DONE) or is_plain_form(path, method)


@plain(switched=keep_choice)
async def choose_time(context: AppContext, request: Request) -> Response:
    """GET shows free times; POST holds the chosen one, if it can be held now, and goes on to the form."""
    if request.method != "POST":
        gone = {"slot": problem("slot_gone", "slot")} if "gone" in request.query_params else {}
        return await _times(context, request, request.query_params, gone)
    sent = await form_of(request)
    if not sent.get("slot"):
        return await _times(context, request, sent, {"slot": t("Please choose a time")}, status=422)
    try:
        held = await provider().hold_slot(HoldRequest(slot=sent["slot"]), address=_address(context, request))
    except ValidationError:
        return await _times(context, request, sent, {"slot": problem("slot_gone", "slot")}, status=409)
    if isinstance(held, Refused):
        return await _times(context, request, sent, {"slot": held.error.message}, status=409)
    hold = {"hold": held.hold, "until": held.expires_at.isoformat()} if held else {}
    return _to(_DETAILS, context, sent, slot=sent["slot"], **hold)


async def _keep_words(context: AppContext, request: Request) -> Response:
    """The form as it was filled in, in the language of this address; nothing in it is judged yet."""
    return await _details(context, request, await _slots(context, request), await _typed(request), {})


@plain(switched=_keep_words)
async def give_details(context: AppContext, request: Request) -> Response:
    """The form for a chosen time; its buttons book the call, keep the hold or let it go."""
    asked, slots = request.query_params, await _slots(context, request)
    if request.method != "POST":
        if slots is None:
            return _not_loaded(context, request)
        if not any(slot.id == asked.get("slot") for slot in slots):
            return _to(PLAIN_BOOKING, context, asked, gone="1")
        token = await provider().form_token(address=_address(context, request))
        fresh = {"key": secrets.token_hex(16), "token": token.token if isinstance(token, FormToken) else ""}
        return await _details(context, request, slots, fresh | {name: asked.get(name, "") for name in ("slot", "until")}, {})
    sent = await _typed(request)
    do = sent.pop("do", "book")
    if do == "release":
        if hold := _hold(request):
            await provider().release_hold(hold, address=_address(context, request))
        return _to(PLAIN_BOOKING, context, asked)
    return await (_keep if do == "keep" else _book)(context, request, slots, sent)


async def _keep(context: AppContext, request: Request, slots: list[Slot] | None, sent: dict[str, str]) -> Response:
    hold = _hold(request)
    kept = await provider().extend_hold(hold, address=_address(context, request)) if hold else None
    if isinstance(kept, Held):
        return await _details(context, request, slots, sent | {"until": kept.expires_at.isoformat()}, {})
    lost = t("The time you chose is no longer held for you. Please choose again")
    return await _details(context, request, slots, sent | {"until": ""}, {"slot": lost}, status=409)


async def _book(context: AppContext, request: Request, slots: list[Slot] | None, sent: dict[str, str]) -> Response:
    asked, zone = request.query_params, zone_of(request.query_params, context)
    sent = sent | {"slot": sent.get("slot") or asked.get("slot", "")}
    if not is_key(sent.get("key", "")):
        sent["key"] = secrets.token_hex(16)
    about = {"hold": asked.get("hold"), "time_zone": zone.key, "language": current().id, "page": href(PLAIN_BOOKING)}
    said = {name: text for name, text in sent.items() if text and name != "until"} | about
    try:
        MeetingRequest.model_validate(said)
    except ValidationError as error:
        return await _details(context, request, slots, sent, problems(error), status=422)
    try:
        answer = await provider().submit("bookMeeting", said, address=_address(context, request))
    except ProviderError:
        trouble = t("{error}: nothing is lost, please press the button again.", error=network_error())
        return await _details(context, request, slots, sent, {"": trouble}, status=503)
    if isinstance(answer, Taken):
        start = next((slot.start.isoformat() for slot in slots or () if slot.id == sent["slot"]), "")
        return _booked(context, asked, answer, start)
    return await _refused(context, request, answer, slots, sent)


def _booked(context: AppContext, asked: Mapping[str, str], answer: Taken, start: str) -> Response:
    """The page of the call where it is on this site; another provider's mail has the way to its own."""
    if isinstance(answer, Booked) and answer.manage_url.startswith(f"{context.settings.api_address}/"):
        return RedirectResponse(answer.manage_url.removeprefix(context.settings.api_address) + "?done=booked", 303)
    return _to(_DONE, context, asked, reference=answer.reference, start=start)


async def _refused(
    context: AppContext, request: Request, answer: Refused, slots: list[Slot] | None, sent: dict[str, str]
) -> Response:
    if answer.error.code == "key_reused":  # the token stays: its age counts from the first time the form was opened
        sent["key"] = secrets.token_hex(16)
    faults = {name: text for name, text in answer.error.fields.items() if name in (*FIELDS, "slot")}
    if "slot" in faults:
        slots = await _slots(context, request)
    status = 409 if "slot" in faults else _STATUS.get(answer.error.code, 422)
    page = await _details(context, request, slots, sent, faults or {"": answer.error.message or network_error()}, status=status)
    if status == 429:
        page.headers["Retry-After"] = _SOON
    return page


@plain()
async def show_booked(context: AppContext, request: Request) -> Response:
    """That a call is booked, at a provider whose answer leads to no page of its own."""
    asked, zone, host = request.query_params, zone_of(request.query_params, context), ZoneInfo(context.settings.booking_zone)
    start, reference = _moment(asked.get("start", "")), asked.get("reference", "")
    said = [moment_words(start, zone, host)] if start else []
    if SPEAKABLE.fullmatch(reference):
        said.append(t("Your reference is {reference}.", reference=reference))
    words = {"text": " · ".join(said), "action": (t("Go to our website"), href("/"))}
    return show(context, request, PlainPage("notice.html", t("Your call is booked"), words))


async def _slots(context: AppContext, request: Request) -> list[Slot] | None:
    """What the provider has free, the time held for this visitor included; None where it cannot be reached."""
    hold = _hold(request)
    try:
        answer = await provider().meeting_slots(SlotsRequest(hold=hold and hold.hold), address=_address(context, request))
    except ProviderError:
        return None
    return sorted(answer.results, key=lambda slot: slot.start) if isinstance(answer, Slots) else None


async def _times(
    context: AppContext, request: Request, asked: Mapping[str, str], errors: dict[str, str], *, status: int = 200
) -> Response:
    slots = await _slots(context, request)
    if slots is None:
        return _not_loaded(context, request)
    words = times_page(context, slots, zone_of(asked, context), asked, address=href(PLAIN_BOOKING), errors=errors)
    words["intro"] = (
        t("Choose a time to talk with {name}, Founder & CEO.", name=context.settings.brand_founder),
        t("Web-conferencing details are given on confirmation."),
    )
    return show(context, request, PlainPage("times.html", _title(), words, "slot" if words["days"] else ""), status=status)


async def _details(
    context: AppContext,
    request: Request,
    slots: list[Slot] | None,
    values: Mapping[str, str],
    errors: dict[str, str],
    *,
    status: int = 200,
) -> Response:
    chosen = next((slot for slot in slots or () if slot.id == values.get("slot")), None)
    free = nearest(slots or (), chosen.start if chosen else context.clock(), count=_NEAR)
    until = _moment(values.get("until", "")) if chosen else None
    zone = zone_of(request.query_params, context)
    return show(context, request, details_page(context, _title(), chosen, until, free, values, zone, errors), status=status)


def _not_loaded(context: AppContext, request: Request) -> Response:
    text = t("The available times could not be loaded. Check your connection, then try again.")
    page = PlainPage("notice.html", _title(), {"text": text, "action": (t("Try again"), here(request.scope))})
    return show(context, request, page, status=503)


def _to(path: str, context: AppContext, asked: Mapping[str, str], **more: str) -> Response:
    query = {"zone": zone_of(asked, context).key} | {name: text for name, text in more.items() if text}
    return RedirectResponse(f"{href(path)}?{urlencode(query)}", 303)


async def _typed(request: Request) -> dict[str, str]:
    return {name: text for name, text in (await form_of(request)).items() if name in _SENT}


def _hold(request: Request) -> ExtendRequest | None:
    try:
        return ExtendRequest(hold=request.query_params.get("hold", ""))
    except ValidationError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    # Far from our time a zone's clock overflows.
    return found if found.tzinfo and 2000 <= found.year < 3000 else None


def _address(context: AppContext, request: Request) -> str:
    return address_of(request, context.settings)


def _title() -> str:
    return t("Free Consultation Call: {minutes} min", minutes=consultation_minutes())
