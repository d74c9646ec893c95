"""The client of API v1.0, through which the site reaches its provider, in this process or elsewhere: one method per call.

It may touch contracts, lead kinds, i18n and settings; it knows nothing of how the provider works.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from site_app.client.answers import ProviderError, accepted, refusal
from site_app.client.transport import OPTIONAL_SECONDS, Transport, one_error
from site_app.contracts.answer import Accepted, Done, FormToken, Refused
from site_app.contracts.kinds import KINDS
from site_app.contracts.lists import CountryRows, CurrencyRows
from site_app.contracts.meeting import (
    Booked,
    Held,
    HoldRequest,
    ReleaseRequest,
    SlotRefused,
    Slots,
    SlotsRequest,
)
from site_app.core.i18n import current
from site_app.core.settings import Settings

# Those of them that a browser may ask for through the site, which answers 204 for None.
OPTIONAL = {
    "GET": frozenset({"formToken", "attachments"}),
    "POST": frozenset({"holdSlot", "releaseHold"}),
}
_BOOKING = "bookMeeting"
LEADS = frozenset({*(kind.call for kind in KINDS), _BOOKING})
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


class Provider(Transport):
    """Every method returns the call's answer or its refusal, and raises ProviderError when there is neither.

    A provider need only have the seven calls of R44. The others return None where it does not answer them, and raise nothing;
    OPTIONAL names them by their paths. `address` is the visitor's: the provider counts its limits by it.
    """

    async def submit(self, call: str, payload: Mapping[str, Any], *, address: str = "") -> Accepted | Refused:
        """Send a form's fields to one of the calls in LEADS; the provider judges them.

        Any 2xx is a success, whatever its body: the spec's calls are "passed back unread". The answer to a booking is Booked where it
        has all that ours has, else Accepted.
        """
        answer, refused = (Booked, SlotRefused) if call == _BOOKING else (Accepted, Refused)
        with one_error(call):
            status, _, body = await self._send("POST", call, payload=payload, address=address, is_lead=True)
            return accepted(answer, body) if status < 300 else refusal(refused, status, body)

    async def meeting_slots(self, payload: SlotsRequest | None = None, *, address: str = "") -> Slots | Refused:
        return await self._ask("POST", "meetingSlots", Slots, payload=payload or SlotsRequest(), address=address)

    async def hold_slot(self, payload: HoldRequest, *, address: str = "") -> Held | SlotRefused | None:
        return await self._ask_optional("POST", "holdSlot", Held, SlotRefused, payload=payload, address=address)

    async def release_hold(self, payload: ReleaseRequest, *, address: str = "") -> Done | Refused | None:
        return await self._ask_optional("POST", "releaseHold", Done, payload=payload, address=address)

    async def countries(self, *, address: str = "") -> CountryRows | Refused:
        """In the language being written."""
        return await self._ask("GET", "countries", CountryRows, query={"language": current().id}, address=address)

    async def currencies(self, *, address: str = "") -> CurrencyRows | Refused:
        """In the language being written."""
        return await self._ask("GET", "currencies", CurrencyRows, query={"language": current().id}, address=address)

    async def form_token(self, *, address: str = "") -> FormToken | Refused | None:
        return await self._ask_optional("GET", "formToken", FormToken, address=address)


def embedded(api: Asgi, settings: Settings) -> Provider:
    """The provider in this process: the same calls, without a socket."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=("embedded", 0))
    return Provider("http://provider.embedded", settings.api_key, transport)


def remote(settings: Settings) -> Provider:
    """The provider at SITE_PROVIDER_URL."""
    return Provider(settings.provider_url, settings.api_key)


_installed: list[Provider] = []


def install(provider_client: Provider) -> None:
    """Make this the provider that the site asks; the process does it once, at its start."""
    _installed[:] = [provider_client]


def provider() -> Provider:
    """The provider the site asks."""
    return _installed[0]
