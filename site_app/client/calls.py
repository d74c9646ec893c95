"""One method per call of API v1.0; the site's code is the same wherever the provider is."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from site_app.client.transport import Transport, open_client
from site_app.contracts.answer import Accepted, Done, FormToken, Refused
from site_app.contracts.attachment import Attached
from site_app.contracts.lists import Countries, Currencies
from site_app.contracts.meeting import (
    Booked,
    Held,
    HoldRequest,
    ReleaseRequest,
    SlotRefused,
    Slots,
    SlotsRequest,
)
from site_app.i18n import current
from site_app.leads.kinds import KINDS
from site_app.settings import Settings

# What a browser may ask of them through the site, which then says 204 for None.
OPTIONAL = {
    "GET": frozenset({"formToken", "attachments"}),
    "POST": frozenset({"holdSlot", "releaseHold"}),
}
_BOOKING = "bookMeeting"
LEADS = frozenset({*(kind.call for kind in KINDS), _BOOKING})
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


class Provider:
    """Every method returns the call's answer or its refusal, and raises ProviderError when there is neither.

    A provider need only have the spec's seven calls. Those it need not have return None where it does not answer them, and
    raise nothing; OPTIONAL names them by their paths. `address` is the visitor's: the provider counts its limits by it.
    """

    def __init__(self, transport: Transport) -> None:
        self._ask, self._submit, self._ask_optional = transport.ask, transport.submit, transport.ask_optional
        self._close = transport.client.aclose
        self.relay = transport.relay

    async def submit(self, call: str, said: Mapping[str, Any], *, address: str = "") -> Accepted | Refused:
        """Send what a form says to one of the calls in LEADS; what is wrong with it the provider finds.

        A call is Booked where the provider says all that ours says, else Accepted alone.
        """
        answer, refused = (Booked, SlotRefused) if call == _BOOKING else (Accepted, Refused)
        return await self._submit(call, answer, refused, said=said, address=address)

    async def meeting_slots(self, said: SlotsRequest | None = None, *, address: str = "") -> Slots | Refused:
        return await self._ask("POST", "meetingSlots", Slots, said=said or SlotsRequest(), address=address)

    async def hold_slot(self, said: HoldRequest, *, address: str = "") -> Held | SlotRefused | None:
        return await self._ask_optional("POST", "holdSlot", Held, SlotRefused, said=said, address=address)

    async def release_hold(self, said: ReleaseRequest, *, address: str = "") -> Done | Refused | None:
        return await self._ask_optional("POST", "releaseHold", Done, said=said, address=address)

    async def attach(self, stream: AsyncIterator[bytes], kind: str, *, address: str = "") -> Attached | Refused:
        """Pass a browser's multipart body on as it comes in; `kind` is its content type with the boundary."""
        return await self._ask("POST", "attachments", Attached, stream=stream, kind=kind, address=address)

    async def detach(self, identity: str, *, address: str = "") -> Done | Refused:
        return await self._ask("DELETE", f"attachments/{quote(identity, safe='')}", Done, address=address)

    async def countries(self, *, address: str = "") -> Countries | Refused:
        """In the language being written."""
        return await self._ask("GET", "countries", Countries, query={"language": current().id}, address=address)

    async def currencies(self, *, address: str = "") -> Currencies | Refused:
        """In the language being written."""
        return await self._ask("GET", "currencies", Currencies, query={"language": current().id}, address=address)

    async def form_token(self, *, address: str = "") -> FormToken | Refused | None:
        return await self._ask_optional("GET", "formToken", FormToken, address=address)

    async def close(self) -> None:
        await self._close()


def embedded(api: Asgi, settings: Settings) -> Provider:
    """The provider in this process: the same calls, without a socket."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=("embedded", 0))
    return Provider(Transport(open_client("http://provider.embedded", transport), settings.api_key))


def remote(settings: Settings) -> Provider:
    """The provider at SITE_PROVIDER_URL."""
    return Provider(Transport(open_client(settings.provider_url), settings.api_key))


_installed: list[Provider] = []


def install(one: Provider) -> None:
    """Make this the provider the site asks; the composition root says which."""
    _installed[:] = [one]


def provider() -> Provider:
    """The provider the site asks."""
    return _installed[0]
