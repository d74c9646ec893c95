"""The client of API v1.0, through which the site reaches its provider in this process or elsewhere. It has one method per call.

Requests have limits of time and size. Every failure raises ProviderError and is logged once. May import contracts, lead kinds, i18n and
settings, but nothing of the provider.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from site_app.contracts.input import one_line
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
from site_app.contracts.problems import problem
from site_app.contracts.reply import Accepted, Done, FormToken, Refusal, Refused
from site_app.core.i18n import current
from site_app.core.settings import Settings

CONNECT_SECONDS, TOTAL_SECONDS, UPLOAD_SECONDS = 1.0, 5.0, 60.0
OPTIONAL_SECONDS = 1.5  # for an optional call; short, because a visitor waits for it
BODY_SECONDS = 1.5  # for the body of an answer whose status is enough
MAX_ANSWER_BYTES = 1024 * 1024

log = structlog.get_logger()
ReplyT = TypeVar("ReplyT", bound=BaseModel)
RefusedT = TypeVar("RefusedT", bound=Refused)


class Relayed(NamedTuple):
    """An unchanged answer of the provider."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """A connection to the provider at this URL. `key` is the site's API key."""

    def __init__(self, url: str, key: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        timeout: Any = httpx.Timeout(TOTAL_SECONDS, connect=CONNECT_SECONDS, write=UPLOAD_SECONDS)
        self._client = httpx.AsyncClient(base_url=url, transport=transport, timeout=timeout, trust_env=False)
        self._key = key
        self._unanswered: set[str] = set()  # optional calls without an answer, each logged once

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, method: str, call: str, answer: type[ReplyT], **payload: Any) -> ReplyT | Refused:
        """Returns the provider's answer or its refusal as a model. Raises ProviderError if there is neither."""
        with as_provider_error(call):
            status, _, body = await self._send(method, call, **payload)
            return (answer if status < 300 else Refused).model_validate_json(body)

    async def _ask_optional(
        self, method: str, call: str, answer: type[ReplyT], refused: type[RefusedT] = Refused, **payload: Any
    ) -> ReplyT | RefusedT | None:
        """Does the same for an optional call, with a short timeout. Returns None if there is no answer.

        Only a conflict (409) is returned as a refusal; other errors such as 404 and 429 count as no answer.
        """
        try:
            async with asyncio.timeout(OPTIONAL_SECONDS):
                status, _, body = await self._send(method, call, **payload)
            if status < 300 or status == HTTPStatus.CONFLICT:
                return (answer if status < 300 else refused).model_validate_json(body)
        except _FAILURES:
            pass
        if call not in self._unanswered:
            self._unanswered.add(call)
            log.info("provider.optional_call_missing", call=call)
        return None

    async def relay(
        self,
        method: str,
        target: str,
        *,
        headers: dict[str, str],
        stream: AsyncIterator[bytes] | None,
        is_lead: bool = False,
    ) -> Relayed:
        """Passes a request and its answer on unchanged. A redirect within the provider is left to the browser."""
        is_upload = headers.get("content-type", "").startswith("multipart/")
        with as_provider_error("relay"):
            # httpx rejects non-ASCII characters in header values
            encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
            plain = (b"Accept-Encoding", b"identity")
            request = self._client.build_request(method, target, content=stream, headers=[*encoded, plain])
            async with asyncio.timeout(UPLOAD_SECONDS if is_upload else TOTAL_SECONDS):
                return await self._exchange(request, may_redirect=True, is_lead=is_lead)

    async def _send(
        self,
        method: str,
        call: str,
        *,
        payload: BaseModel | Mapping[str, Any] | None = None,
        query: dict[str, str] | None = None,
        address: str = "",
        is_lead: bool = False,
    ) -> Relayed:
        headers = {"X-API-Key": self._key, "Accept-Language": current().tag, "Accept-Encoding": "identity"}
        if address:
            headers["X-Forwarded-For"] = address
        content = _json_bytes(payload) if payload is not None else None
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = self._client.build_request(method, f"/v1.0/{call}", content=content, params=query, headers=headers)
        async with asyncio.timeout(TOTAL_SECONDS):
            return await self._exchange(request, is_lead=is_lead)

    async def _exchange(self, request: httpx.Request, *, may_redirect: bool = False, is_lead: bool = False) -> Relayed:
        if self._client.is_closed:
            raise _Closed  # requests may still come during a shutdown; httpx would raise a bare RuntimeError
        answer = await self._client.send(request, stream=True)
        try:
            is_kept = may_redirect and answer.status_code == 303 and _is_local(answer.headers.get("location", ""))
            if not (200 <= answer.status_code < 300 or 400 <= answer.status_code < 500 or is_kept):
                raise _UnusableAnswer  # redirects are not followed, so that visitor data goes to nobody else
            body = await (_body_or_nothing(answer) if is_lead and answer.is_success else _body(answer))
            return Relayed(answer.status_code, answer.headers, body)
        finally:
            await answer.aclose()


def _json_bytes(payload: BaseModel | Mapping[str, Any]) -> bytes:
    """Returns the payload as JSON. A mapping is encoded in ASCII, so that the provider can refuse a lone surrogate, which UTF-8 cannot hold."""
    return (
        payload.model_dump_json(exclude_defaults=True).encode()
        if isinstance(payload, BaseModel)
        else json.dumps(dict(payload)).encode()
    )


async def _body(answer: httpx.Response) -> bytes:
    if answer.headers.get("content-encoding", "identity") != "identity":
        raise _UnusableAnswer  # compression was not requested, and a compressed kilobyte can expand to gigabytes
    body = bytearray()
    async for chunk in answer.aiter_bytes():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise _UnusableAnswer
    return bytes(body)


async def _body_or_nothing(answer: httpx.Response) -> bytes:
    """Returns the body, or b"" if it is unusable: an accepted lead must not be sent again because of a broken answer."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _body(answer)
    except (httpx.HTTPError, TimeoutError, _UnusableAnswer):
        return b""


class _UnusableAnswer(Exception):
    pass


class _Closed(Exception):
    pass


_FAILURES = (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValidationError, _UnusableAnswer, _Closed)


@contextmanager
def as_provider_error(call: str) -> Iterator[None]:
    """Raises every failure as ProviderError, and logs it once."""
    try:
        yield
    except _FAILURES as error:
        log.warning("provider.network_error", call=call, error=type(error).__name__)
        raise ProviderError from None


def _is_local(location: str) -> bool:
    """Returns True for a path that browsers do not interpret as another host."""
    return location.startswith("/") and not location.startswith(("//", "/\\"))


_LONGEST_REFERENCE = 60  # characters
T = TypeVar("T", bound=Accepted)
R = TypeVar("R", bound=Refused)


class ProviderError(Exception):
    """The provider cannot be reached, or its answer is unusable. The message is the text shown to visitors."""

    def __init__(self) -> None:
        super().__init__("Network Error")


def accepted(answer: type[T], body: bytes) -> T | Accepted:
    """Parses the answer to an accepted lead. Of an answer unlike ours, takes the reference if it has one."""
    try:
        return answer.model_validate_json(body)
    except ValidationError:
        record = _record(body)
        reference = record.get("reference")
        text = str(reference) if isinstance(reference, str | int) and not isinstance(reference, bool) else ""
        return Accepted(
            reference=one_line(text[:_LONGEST_REFERENCE]),
            quarantined=record.get("quarantined") is True,
            mailed=record.get("mailed") is not False,
        )


def refusal(refused: type[R], status: int, body: bytes) -> R:
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


def _record(body: bytes) -> dict[str, Any]:
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


# Optional calls that browsers may make through the site, by method. The site answers 204 if the provider does not answer them.
OPTIONAL = {
    "GET": frozenset({"formToken", "attachments"}),
    "POST": frozenset({"holdSlot", "releaseHold"}),
}
_BOOKING = "bookMeeting"
LEADS = frozenset({*(kind.call for kind in KINDS), _BOOKING})
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


class Provider(Transport):
    """Each method returns the call's answer or its refusal, and raises ProviderError if there is neither.

    A provider must have only the seven calls of R44. Methods of other calls return None instead of raising if the provider does not
    answer; OPTIONAL lists their names. `address` is the visitor's address, to which the provider applies its limits.
    """

    _takes_attribution = False

    async def submit(self, call: str, payload: Mapping[str, Any], *, address: str = "") -> Accepted | Refused:
        """Sends a form's fields to one of the calls in LEADS, without validating them, but no `attribution` to those that lack it.

        Any 2xx is a success, whatever its body: the spec's calls are "passed back unread". The answer to a booking is Booked if it has
        all fields of our provider's answer, else Accepted.
        """
        if payload.get("attribution") and not await self.takes_attribution(address=address):
            payload = {name: value for name, value in payload.items() if name != "attribution"}
        answer, refused = (Booked, SlotRefused) if call == _BOOKING else (Accepted, Refused)
        with as_provider_error(call):
            status, _, body = await self._send("POST", call, payload=payload, address=address, is_lead=True)
            return accepted(answer, body) if status < 300 else refusal(refused, status, body)

    async def takes_attribution(self, *, address: str = "") -> bool:
        """Returns True if the provider promises to take where a visitor came from. A promise is remembered, its absence is not."""
        if not self._takes_attribution:
            answer = await self.form_token(address=address)
            self._takes_attribution = isinstance(answer, FormToken) and answer.attribution
        return self._takes_attribution

    async def meeting_slots(self, payload: SlotsRequest | None = None, *, address: str = "") -> Slots | Refused:
        return await self._ask("POST", "meetingSlots", Slots, payload=payload or SlotsRequest(), address=address)

    async def hold_slot(self, payload: HoldRequest, *, address: str = "") -> Held | SlotRefused | None:
        return await self._ask_optional("POST", "holdSlot", Held, SlotRefused, payload=payload, address=address)

    async def release_hold(self, payload: ReleaseRequest, *, address: str = "") -> Done | Refused | None:
        return await self._ask_optional("POST", "releaseHold", Done, payload=payload, address=address)

    async def countries(self, *, address: str = "") -> CountryRows | Refused:
        """Returns the countries, named in the current language."""
        return await self._ask("GET", "countries", CountryRows, query={"language": current().id}, address=address)

    async def currencies(self, *, address: str = "") -> CurrencyRows | Refused:
        """Returns the currencies, named in the current language."""
        return await self._ask("GET", "currencies", CurrencyRows, query={"language": current().id}, address=address)

    async def form_token(self, *, address: str = "") -> FormToken | Refused | None:
        return await self._ask_optional("GET", "formToken", FormToken, address=address)


def embedded(api: Asgi, settings: Settings) -> Provider:
    """Returns a client for the provider in this process: the same calls, without a socket."""
    transport = httpx.ASGITransport(api, raise_app_exceptions=False, client=("embedded", 0))
    return Provider("http://provider.embedded", settings.api_key, transport)


def remote(settings: Settings) -> Provider:
    """Returns a client for the provider at SITE_PROVIDER_URL."""
    return Provider(settings.provider_url, settings.api_key)


_installed: list[Provider] = []


def install(provider_client: Provider) -> None:
    """Makes this client the site's. Each process calls it once, at its start."""
    _installed[:] = [provider_client]


def provider() -> Provider:
    """Returns the site's client of its provider."""
    return _installed[0]
