"""/book: booking a meeting in plain HTML: first a time, then the visitor's details. Works with a local or remote provider.

If the provider supports holds, the chosen time is held by an id that the page creates, so that the hold belongs to the visitor even
if the reply came too late. If the time is gone, the visitor chooses again and keeps everything typed. Without a socket, the booking
dialog leads here and passes on the chosen time and the typed text.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from site_app.client import ProviderError, provider
from site_app.content.form_words import call_language_for, call_languages
from site_app.content.people import FOUNDER, people, person
from site_app.content.records import PLAIN_BOOKING
from site_app.contracts.attribution import MARKS, partner_query_of, shorten_for_address
from site_app.contracts.free_times import days_of, visitor_zone
from site_app.contracts.meeting import (
    BOOKING_CALL,
    Booked,
    HoldRequest,
    MeetingRequest,
    ReleaseRequest,
    Slot,
    Slots,
    SlotsRequest,
    nearest,
    slot_language,
)
from site_app.contracts.phones import example_of
from site_app.contracts.problems import problem, problems
from site_app.contracts.reply import Refused
from site_app.contracts.submission import is_key
from site_app.core.business import consultation_minutes
from site_app.core.http.client_ip import client_ip
from site_app.core.http.context import AppContext
from site_app.core.http.languages import own_url
from site_app.core.http.pages import form_of, plain_endpoint, render_notice, render_page, routes_for
from site_app.core.i18n import current, href, split_language, t
from site_app.core.i18n.clocks import both_clocks, city, day_words, moment_words, time_words
from site_app.core.locales import ENGLISH
from site_app.forms.form import view_of
from site_app.forms.views.consultation import CONSULTATION
from site_app.serving.headers import redirect
from site_app.serving.plain_form import (
    REFERENCE_PATTERN,
    attribution_of,
    field_names,
    form_values,
    fresh_key_and_token,
    new_key,
    press_again,
    refusal_errors,
    refusal_status,
    typed_values,
)
from site_app.times_page import TimesPage, redirect_with_choice

_DETAILS, _BOOKED = (f"{PLAIN_BOOKING}/{last}" for last in ("details", "done"))
_HIDDEN_FIELDS = {"key", "token", "until", "phone_country", "website_url", "slot", "hold", "attribution", "do"}
_CARRIED_FIELDS = ["key", "token", "phone_country"]  # with the typed ones, from the details to the times and back
_NEARBY_SLOTS = 12  # times offered close to the chosen one


def is_booking_page(path: str) -> bool:
    return split_language(path)[1] in (PLAIN_BOOKING, _DETAILS, _BOOKED)


def booking_routes() -> list[Route]:
    """Returns the routes of the times, the details and the confirmation in every language."""
    return [
        *routes_for(PLAIN_BOOKING, choose_time, "GET", "POST"),
        *routes_for(_DETAILS, give_details, "GET", "POST"),
        *routes_for(_BOOKED, show_booked),
    ]


@dataclass(frozen=True)
class _BookingRequest:
    """A request with its input: `fields` are those of the URL's query or of the sent form."""

    context: AppContext
    request: Request
    fields: Mapping[str, str]

    @property
    def zone(self) -> ZoneInfo:
        return visitor_zone(self.fields.get("zone", ""), self.host_zone)

    @property
    def call_language(self) -> str:
        """The language of the call, empty if there is only one: that of the chosen slot, else the one chosen or most likely."""
        if not call_languages():
            return ""
        slot = self.fields.get("slot", "")
        return call_language_for(slot_language(slot) if slot else self.fields.get("speak", ""))

    @property
    def attribution(self) -> str:
        """Where the visitor came from, as a query string; each page of the booking hands it on, in its address or its form."""
        return self.fields.get("attribution", "") or attribution_of(self.request)

    @property
    def host_zone(self) -> ZoneInfo:
        return ZoneInfo(self.context.settings.booking_zone)

    @property
    def client_ip(self) -> str:
        return client_ip(self.request, self.context.settings)

    @property
    def sent_hold_id(self) -> str | None:
        """The id of this visitor's hold, or None without a valid one."""
        try:
            return ReleaseRequest(hold=self.fields.get("hold", "")).hold
        except ValidationError:
            return None

    @property
    def hold_id(self) -> str:
        """The id of this visitor's hold, or a new id if none was sent."""
        return self.sent_hold_id or secrets.token_urlsafe()

    async def slots(self) -> list[Slot] | None:
        """Returns the provider's free slots, including this visitor's held one, or None if the call fails."""
        return await self._slots_for(self.sent_hold_id)

    async def _slots_for(self, hold_id: str | None) -> list[Slot] | None:
        try:
            payload = SlotsRequest(hold=hold_id, call_language=self.call_language or ENGLISH.id)
            reply = await provider().meeting_slots(payload, client_ip=self.client_ip)
        except ProviderError:
            return None
        return reply.results if isinstance(reply, Slots) else None

    @property
    def details(self) -> dict[str, str]:
        """What was typed before the visitor went back to the times: a posted page of times carries it in its forms."""
        if self.request.method != "POST":
            return {}
        return {name: text for name in _CARRIED_FIELDS + field_names(view_of(CONSULTATION)) if (text := self.fields.get(name))}

    def redirect_to(self, path: str, *, status: int = 303, **parameters: str) -> Response:
        parameters |= {} if path == _BOOKED else {"attribution": shorten_for_address(self.attribution)}
        parameters |= {"speak": self.call_language} if path == PLAIN_BOOKING else {}
        query = {"zone": self.zone.key} | {name: text for name, text in parameters.items() if text}
        return RedirectResponse(f"{href(path)}?{urlencode(query)}", status)

    async def times_response(self, fault: str = "", *, status: int = 200) -> Response:
        """Returns the page of times, with the problem of the chosen one if there is one."""
        slots = await self.slots()
        if slots is None:
            return self.not_loaded()
        host_name = self.context.settings.call_languages.get(self.call_language, "")
        on_one_line = (host_name or self.context.settings.brand_founder).replace(" ", "\u00a0")
        intro = (
            t("Choose a time to talk with {name}.", name=on_one_line)
            if host_name
            else t("Choose a time to talk with {name}, Founder & CEO.", name=on_one_line),
            t("You’ll get the video-call link with your confirmation."),
        )
        host_person = next((person for person in people() if person.name == host_name), None) if host_name else person(FOUNDER)
        carried = self.details and self.details | {"hold": self.hold_id, "do": "show"}
        page = TimesPage(
            title=view_of(CONSULTATION).title,
            intro=intro,
            slots=slots,
            zone=self.zone,
            path=href(PLAIN_BOOKING),
            query=self.fields,
            submit=t("Continue with this time"),
            fault=fault,
            hold_id="" if carried else self.hold_id,
            initials=host_person.initials if host_person else "",
            call_languages=call_languages(),
            call_language=self.call_language,
            attribution=shorten_for_address(self.attribution),
            partner_query=partner_query_of(self.attribution),
            carried=carried,
        )
        return page.response(self.context, self.request, status=status)

    async def details_response(
        self, values: Mapping[str, str], errors: dict[str, str] | None = None, *, status: int = 200
    ) -> Response:
        """Returns the form for the chosen time, filled in with `values`, and other times close to it."""
        slots = await self.slots() or []
        errors = errors or {}
        view = view_of(CONSULTATION)
        slot_of_form = next((slot for slot in slots if slot.id == values.get("slot")), None)
        nearby = nearest(slots, slot_of_form.start if slot_of_form else self.context.clock(), count=_NEARBY_SLOTS)
        phone = t("With the country code, such as {number}", number=example_of(current().country))
        fields = [replace(field, help=phone) if field.name == "phone" else field for field in view.fields]
        minutes = self.context.settings.booking_hold // timedelta(minutes=1)
        template_values = form_values(CONSULTATION, view, fields, values, errors, self.attribution)
        template_values |= {
            "facts": self._facts(slot_of_form if "slot" not in errors else None),
            "check": t("Please check the marked fields") if any(errors) else t("This has not been sent yet"),
            "held": await self._held_until(slot_of_form, _parse_instant(values.get("until", ""))) if slot_of_form else "",
            "keep": t("Hold it for {minutes} more minutes", minutes=minutes),
            "hidden": {name: values.get(name, "") for name in ("key", "token", "until")}
            | {"phone_country": values.get("phone_country") or current().country}
            | {"hold": self.sent_hold_id or "", "attribution": self.attribution},
            "days": days_of(nearby, self.zone, self.host_zone),
            "chosen": values.get("slot", ""),
        }
        return render_page(
            self.context,
            self.request,
            "booking.html",
            view.title,
            package="site_app.serving",
            form="call",
            status=status,
            **template_values,
        )

    def _facts(self, slot: Slot | None) -> list[tuple[str, str, str]]:
        facts = [(t("Duration"), "", t("{minutes} minutes, by video, free of charge", minutes=consultation_minutes()))]
        if self.call_language:
            facts += [(t("Language of the call"), "", call_languages()[self.call_language])]
        if slot:
            facts.insert(0, (t("When"), day_words(slot.start, self.zone), both_clocks(slot.start, self.zone, self.host_zone)))
        return facts

    async def _held_until(self, slot: Slot, until: datetime | None) -> str:
        """Returns the end of the hold in words, or "" if the slot is free for others: the hold may be gone, or on another slot."""
        if not until or until <= self.context.clock() or slot in (await self._slots_for(None) or ()):
            return ""
        return t("Held for you until {time}, {place} time.", time=time_words(until, self.zone), place=city(self.zone))

    def not_loaded(self) -> Response:
        """Returns a page with a way to ask again, which posts a form again."""
        text = t("The available times could not be loaded. Check your connection, then try again.")
        render = partial(
            render_notice,
            self.context,
            self.request,
            view_of(CONSULTATION).title,
            text,
            status=503,
            partner_query=partner_query_of(self.attribution),
        )
        if self.request.method == "POST":
            return render(button=t("Try again"), fields=self.fields)
        is_in_address = not self.fields.keys().isdisjoint((*MARKS, "attribution"))
        attribution = "" if is_in_address else shorten_for_address(self.attribution)
        return render((t("Try again"), own_url(self.request.scope, **({"attribution": attribution} if attribution else {}))))


async def _show_times_again(context: AppContext, request: Request) -> Response:
    """Continues with the times in the language of this address: by a redirect, or without one if the form carries typed details."""
    sent = await form_of(request)
    booking = _BookingRequest(context, request, sent)
    return await booking.times_response() if booking.details else redirect_with_choice(request, sent)


@plain_endpoint(show_again=_show_times_again)
async def choose_time(context: AppContext, request: Request) -> Response:
    """GET shows free times; POST holds the chosen one, if the provider can, and redirects to the form.

    With details that were typed before, each of its redirects has the browser post them again, and the days and the zones are buttons:
    their `show` asks for the times of a day.
    """
    if request.method != "POST":
        gone_message = _gone_message(request.query_params.get("gone", ""))
        return await _BookingRequest(context, request, request.query_params).times_response(gone_message)
    sent = await form_of(request)
    booking = _BookingRequest(context, request, sent)
    if sent.get("do") == "release":  # from give_details, which has the zone in the address
        return await replace(booking, fields=dict(request.query_params) | sent).times_response()
    if "show" in sent:
        choice = {"day": sent["show"], "speak": booking.call_language, "slot": ""}
        return await replace(booking, fields=sent | choice).times_response()
    if not sent.get("slot"):
        return await booking.times_response(t("Please choose a time"), status=422)
    hold_id = booking.hold_id
    try:
        hold_reply = await provider().hold_slot(HoldRequest(slot=sent["slot"], hold=hold_id), client_ip=booking.client_ip)
    except ValidationError:
        return await booking.times_response(problem("slot_gone", "slot"), status=409)
    if isinstance(hold_reply, Refused):
        return await booking.times_response(hold_reply.error.message, status=409)
    until = hold_reply.expires_at.isoformat() if hold_reply else ""
    status = 307 if booking.details else 303
    return booking.redirect_to(_DETAILS, status=status, slot=sent["slot"], hold=hold_id, until=until)


def _gone_message(reason: str) -> str:
    """Returns why the chosen time is not offered; a visitor who held it may have booked it and come back."""
    if reason == "held":
        return t(
            "This time is no longer free. If you’ve just booked it yourself, you’ll find the details in our email. "
            "If not, please choose another."
        )
    return problem("slot_gone", "slot") if reason else ""


async def _show_details_again(context: AppContext, request: Request) -> Response:
    """Shows the details as typed, in the language of this address, without validating them."""
    booking, typed = await _typed(context, request)
    return await booking.details_response(typed)


@plain_endpoint(show_again=_show_details_again)
async def give_details(context: AppContext, request: Request) -> Response:
    """Shows the form for a chosen time; its buttons book the meeting, extend the hold or release it.

    The booking dialog posts its form here with `do=keep`, or with `do=show` if no time is chosen. So does the page of times, for details
    that were typed before; the address then has the end of the new hold.
    """
    if request.method != "POST":
        return await _begin(_BookingRequest(context, request, request.query_params))
    booking, sent = await _typed(context, request)
    do = sent.pop("do", "book")
    if do == "show":
        return await booking.details_response(sent | {"until": booking.fields.get("until", "")})
    if do == "release":
        if await booking.slots() is None:
            return await booking.details_response(sent, {"": press_again()}, status=503)
        if hold_id := booking.sent_hold_id:
            await provider().release_hold(ReleaseRequest(hold=hold_id), client_ip=booking.client_ip)
        return booking.redirect_to(PLAIN_BOOKING, status=307)
    return await (_extend_hold if do == "keep" else _book)(booking, sent)


async def _begin(booking: _BookingRequest) -> Response:
    """Shows the empty form with a new key and token; redirects to the times if the chosen one is gone."""
    slots = await booking.slots()
    if slots is None:
        return booking.not_loaded()
    if not any(slot.id == booking.fields.get("slot") for slot in slots):
        return booking.redirect_to(PLAIN_BOOKING, gone="held" if booking.sent_hold_id else "1")
    fresh = await fresh_key_and_token(booking.client_ip)
    return await booking.details_response(fresh | {name: booking.fields.get(name, "") for name in ("slot", "until")})


async def _extend_hold(booking: _BookingRequest, sent: dict[str, str]) -> Response:
    """Extends the hold, or makes one; if the provider does not reply, the form keeps its previous end of the hold."""
    booking = replace(booking, fields={**booking.fields, "hold": booking.hold_id})
    try:
        hold_request = HoldRequest(slot=sent.get("slot") or booking.fields.get("slot", ""), hold=booking.hold_id)
        hold_reply = await provider().hold_slot(hold_request, client_ip=booking.client_ip)
    except ValidationError:
        return booking.redirect_to(PLAIN_BOOKING, gone="1")
    if isinstance(hold_reply, Refused):
        return await booking.details_response(sent | {"until": ""}, {"slot": hold_reply.error.message}, status=409)
    return await booking.details_response(sent | ({"until": hold_reply.expires_at.isoformat()} if hold_reply else {}))


async def _book(booking: _BookingRequest, sent: dict[str, str]) -> Response:
    sent = sent | {"slot": sent.get("slot") or booking.fields.get("slot", "")}
    if not is_key(sent.get("key", "")):
        sent["key"] = new_key()
    about = {"time_zone": booking.zone.key, "language": current().id, "page": href(PLAIN_BOOKING)}
    payload = (
        {name: text for name, text in sent.items() if text and name != "until"} | about | {"hold": booking.fields.get("hold")}
    )
    payload |= {"attribution": booking.attribution} if booking.attribution else {}
    try:
        MeetingRequest.model_validate(payload)
    except ValidationError as error:
        return await booking.details_response(sent, problems(error), status=422)
    slots = await booking.slots()
    try:
        reply = await provider().submit(BOOKING_CALL, payload, client_ip=booking.client_ip)
    except ProviderError:
        return await booking.details_response(sent, {"": press_again()}, status=503)
    if isinstance(reply, Refused):
        if reply.error.code == "key_reused":  # keep the token: its age counts from when the form was first opened
            sent["key"] = new_key()
        errors = refusal_errors(reply, (*field_names(view_of(CONSULTATION)), "slot"))
        return await booking.details_response(sent, errors, status=refusal_status(reply))
    own_prefix = f"{booking.context.settings.api_url}/"
    if isinstance(reply, Booked) and reply.manage_url.startswith(own_prefix):
        return redirect(303, f"/{reply.manage_url.removeprefix(own_prefix)}?done=booked")
    # A remote provider has its own page for the meeting, which its mail links to.
    start = next((slot.start.isoformat() for slot in slots or () if slot.id == sent["slot"]), "")
    return booking.redirect_to(_BOOKED, reference=reply.reference, start=start)


@plain_endpoint()
async def show_booked(context: AppContext, request: Request) -> Response:
    """Confirms the booking at a provider whose reply has no link to our own meeting page."""
    booking = _BookingRequest(context, request, request.query_params)
    start = _parse_instant(booking.fields.get("start", ""))
    reference = booking.fields.get("reference", "")
    lines = [moment_words(start, booking.zone, booking.host_zone)] if start else []
    if REFERENCE_PATTERN.fullmatch(reference):
        lines.append(t("Your reference is {reference}.", reference=reference))
    return render_notice(context, request, t("Your call is booked"), " · ".join(lines), (t("Go to our website"), href("/")))


async def _typed(context: AppContext, request: Request) -> tuple[_BookingRequest, dict[str, str]]:
    """Returns the typed details, and the request by its address, with the form's hold and attribution, which may be only there."""
    typed = await typed_values(request, CONSULTATION, {*_HIDDEN_FIELDS, *field_names(view_of(CONSULTATION))})
    fields = dict(request.query_params) | {name: text for name in ("hold", "attribution") if (text := typed.pop(name, ""))}
    return _BookingRequest(context, request, fields), typed


def _parse_instant(text: str) -> datetime | None:
    """Returns the moment of an ISO text with a time zone, or None if it has none or is implausible."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    # Converting dates close to datetime's limits to a time zone would overflow.
    return moment if moment.tzinfo and 2000 <= moment.year < 3000 else None
