"""The calls of the provider, one method each; how it is reached, in this process or at SITE_PROVIDER_URL; and how its replies are parsed.

Other providers reply in other ways: a lead that was accepted must not fail because of the reply's body.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Literal, TypeVar

import httpx
from pydantic import ValidationError

from site_app.client.transport import ProviderConnection, ProviderError, RefusedT, as_provider_error
from site_app.contracts.input import one_line
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.lists import CountryRows, CurrencyRows
from site_app.contracts.meeting import BOOKING_CALL, Booked, Held, HoldRequest, ReleaseRequest, SlotRefused, Slots, SlotsRequest
from site_app.contracts.problems import problem
from site_app.contracts.reply import Accepted, Done, FormToken, Refusal, Refused
from site_app.core.http.client_ip import EMBEDDED
from site_app.core.i18n import current
from site_app.core.settings import Settings

# Optional calls that browsers may make through the site, by method. The site answers 204 if the provider has no reply.
OPTIONAL = {
    "GET": frozenset({"formToken", "attachments"}),
    "POST": frozenset({"holdSlot", "releaseHold"}),
}
LEADS = frozenset({*(kind.call for kind in LEAD_KINDS), BOOKING_CALL})
_MAX_REFERENCE_LENGTH = 60  # characters
Asgi = Callable[[Any, Any, Any], Awaitable[None]]
ListName = Literal["countries", "currencies"]
AcceptedT = TypeVar("AcceptedT", bound=Accepted)


class ProviderClient(ProviderConnection):
    """Each method returns the call's reply or its refusal, and raises ProviderError if there is neither.

    A provider must have only the seven calls that the client asked for (R44 in tests/spec/requirements.md): one for each form, the booking,
    the slots, the countries and the currencies. Methods of other calls return None instead of raising if the provider does not reply;
    OPTIONAL lists their names. `client_ip` is the visitor's IP address, to which the provider applies its limits.
    """

    _takes_attribution = False

    async def submit(self, call: str, payload: Mapping[str, Any], *, client_ip: str = "") -> Accepted | Refused:
        """Sends a form's fields to one of the calls in LEADS without validating them. Leaves `attribution` out if the provider does not take it.

        Any 2xx is a success, whatever its body: the spec's calls are "passed back unread". The reply to a booking is Booked if it has
        all fields of our provider's reply, else Accepted.
        """
        if payload.get("attribution") and not await self.takes_attribution(client_ip=client_ip):
            payload = {name: value for name, value in payload.items() if name != "attribution"}
        reply, refused = (Booked, SlotRefused) if call == BOOKING_CALL else (Accepted, Refused)
        with as_provider_error(call):
            status, _, body = await self._send("POST", call, payload=payload, client_ip=client_ip, is_lead=True)
            return parse_accepted(reply, body) if status < 300 else parse_refusal(refused, status, body)

    async def takes_attribution(self, *, client_ip: str = "") -> bool:
        """Returns True if the provider promises to take where a visitor came from. A promise is remembered, its absence is not."""
        if not self._takes_attribution:
            reply = await self.form_token(client_ip=client_ip)
            self._takes_attribution = isinstance(reply, FormToken) and reply.attribution
        return self._takes_attribution

    async def meeting_slots(self, payload: SlotsRequest | None = None, *, client_ip: str = "") -> Slots | Refused:
        return await self._ask("POST", "meetingSlots", Slots, payload=payload or SlotsRequest(), client_ip=client_ip)

    async def hold_slot(self, payload: HoldRequest, *, client_ip: str = "") -> Held | SlotRefused | None:
        return await self._ask_optional("POST", "holdSlot", Held, SlotRefused, payload=payload, client_ip=client_ip)

    async def release_hold(self, payload: ReleaseRequest, *, client_ip: str = "") -> Done | Refused | None:
        return await self._ask_optional("POST", "releaseHold", Done, payload=payload, client_ip=client_ip)

    async def countries(self, *, client_ip: str = "") -> CountryRows | Refused:
        """Returns the countries, named in the current language."""
        return await self._ask("GET", "countries", CountryRows, query={"language": current().id}, client_ip=client_ip)

    async def currencies(self, *, client_ip: str = "") -> CurrencyRows | Refused:
        """Returns the currencies, named in the current language."""
        return await self._ask("GET", "currencies", CurrencyRows, query={"language": current().id}, client_ip=client_ip)

    async def form_token(self, *, client_ip: str = "") -> FormToken | Refused | None:
        return await self._ask_optional("GET", "formToken", FormToken, client_ip=client_ip)


def embedded(api: Asgi, settings: Settings) -> ProviderClient:
    """Returns a client for the provider in this process: the same calls, without a socket."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=(EMBEDDED, 0))
    return ProviderClient("http://provider.embedded", settings.api_key, transport)


def remote(settings: Settings) -> ProviderClient:
    """Returns a client for the provider at SITE_PROVIDER_URL."""
    return ProviderClient(settings.provider_url, settings.api_key)


_installed: list[ProviderClient] = []


def install(provider_client: ProviderClient) -> None:
    """Makes this client the site's. Each process calls it once, at its start."""
    _installed[:] = [provider_client]


def provider() -> ProviderClient:
    """Returns the site's client of its provider."""
    return _installed[0]


async def named_codes(client: ProviderClient, name: ListName) -> list[tuple[str, str]]:
    """Returns the codes of a list with their names in the current language. Raises ProviderError if the provider refuses or does not reply."""
    match await (client.countries() if name == "countries" else client.currencies()):
        case CountryRows(countries=rows) | CurrencyRows(currencies=rows):
            return [(row.code, row.name) for row in rows]
        case _:
            raise ProviderError


def parse_accepted(reply: type[AcceptedT], body: bytes) -> AcceptedT | Accepted:
    """Parses the reply to an accepted lead. Of a reply unlike ours, takes the reference if it has one."""
    try:
        return reply.model_validate_json(body)
    except ValidationError:
        fields = _json_object(body)
        reference = fields.get("reference")
        text = str(reference) if isinstance(reference, str | int) and not isinstance(reference, bool) else ""
        return Accepted(
            reference=one_line(text[:_MAX_REFERENCE_LENGTH]),
            quarantined=fields.get("quarantined") is True,
            mailed=fields.get("mailed") is not False,
        )


def parse_refusal(refused: type[RefusedT], status: int, body: bytes) -> RefusedT:
    """Parses a refusal, or raises ValidationError. A 409 to a booking means that the slot is taken, whatever its body."""
    if status != HTTPStatus.CONFLICT or not issubclass(refused, SlotRefused):
        return refused.model_validate_json(body)
    slot_gone = problem("slot_gone", "slot")
    try:
        parsed = refused.model_validate_json(body)
    except ValidationError:
        parsed = refused(error=Refusal(code="slot_taken", message=slot_gone))
    if parsed.error.fields or parsed.error.code == "too_many_calls":  # refused for another reason than the slot
        return parsed
    return parsed.model_copy(update={"error": parsed.error.model_copy(update={"fields": {"slot": slot_gone}})})


def _json_object(body: bytes) -> dict[str, Any]:
    """Returns the object that the body is in JSON, or an empty one."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
