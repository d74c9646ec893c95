"""A call of the API, the steps by which every call is served, and the context that all endpoints share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.fields import label
from site_app.contracts.submission import ContactedSubmission
from site_app.core.http.bodies import MAX_BODY_BYTES, whole_body
from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.context import AppContext
from site_app.core.http.languages import language_of
from site_app.core.http.limits import Admission
from site_app.core.http.paths import API
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t, use
from site_app.core.metrics import count_call
from site_app.provider.http.picture_queue import PictureQueue
from site_app.provider.http.refusals import REFUSAL_ERRORS, response_to
from site_app.provider.http.tokens import Tokens
from site_app.provider.http.upload_quota import UploadQuota
from site_app.provider.insights.page_views import ViewCounts
from site_app.provider.insights.visitor_country import CountryLookup
from site_app.provider.outbox.mail_domains import MailDomains
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.store import Store
from site_app.provider.store.clock import SteadyClock


async def _no_refresh(slot: str) -> None:
    """Stands for `refresh_day_of` where no calendars are read."""


@dataclass(frozen=True, kw_only=True)
class ApiContext(AppContext):
    """The context of all endpoints.

    `pictures` examines one picture at a time, taking turns between networks, so that other files never wait. `wake` tells the courier
    that mails were added to the outbox. `refresh_day_of` reads the host's calendars for the day of a slot before it is taken.
    """

    clock: SteadyClock
    store: Store
    tokens: Tokens
    lookup: CountryLookup
    mail_domains: MailDomains
    uploads: UploadQuota
    pictures: PictureQueue
    views: ViewCounts
    wake: Callable[[], None] = field(default=lambda: None)
    refresh_day_of: Callable[[str], Awaitable[None]] = field(default=_no_refresh)

    def rate_limit_keys(self, submission: ContactedSubmission) -> list[str]:
        """Returns the keyed hashes by which the sender is counted: of their mailbox and of their form token."""
        return [
            self.tokens.keyed_hash(identifier) for identifier in (mailbox_of(submission.email), submission.token) if identifier
        ]

    def network_hash(self, request: Request) -> str:
        """Returns a keyed hash of the network that a request comes from."""
        return self.tokens.keyed_hash(network_of(client_ip(request, self.settings)))


def api_context_of(request: Request) -> ApiContext:
    return request.app.state.context


KEY_HEADER = "X-API-Key"
CallHandler = Callable[[ApiContext, Request, Any], Awaitable[BaseModel | Response]]


@dataclass(frozen=True)
class Call:
    """A call of the API. `takes` is the model of a POST's JSON body or of a GET query, `reply` that of a success; `limit` names the rate limit."""

    method: str
    path: str
    name: str
    summary: str
    handler: CallHandler
    reply: type[BaseModel] | None
    takes: type[BaseModel] | None = None
    limit: str = "reads"
    success: int = 200
    refuses: tuple[int, ...] = ()
    keyed: bool = True
    streams: bool = False  # the handler reads the body itself
    label: Callable[[str], str] = label  # returns a field's label for error messages

    async def serve(self, request: Request) -> Response:
        began = monotonic()
        status = 500  # of an unexpected error
        try:
            response = await self._respond(request)
            status = response.status_code
        finally:
            count_call(self.name, status, monotonic() - began)
        return response

    async def _respond(self, request: Request) -> Response:
        context = api_context_of(request)
        admission = Admission(context.limits, context.settings, request)
        with use(language_of(request)):
            return await admission.give_back_if_failed(self._run_handler(context, request, admission))

    async def _run_handler(self, context: ApiContext, request: Request, admission: Admission) -> Response:
        try:
            await _admit(self, context, request, admission)
            payload = await _read(self, request, admission)
            if isinstance(payload, ContactedSubmission):
                await admission.count_person(*context.rate_limit_keys(payload))
            reply = await self.handler(context, request, payload)
            admission.is_repeated = getattr(request.state, "is_repeated", False)
        except REFUSAL_ERRORS as error:
            return response_to(error, self.label)
        if isinstance(reply, Response):
            return reply
        return Response(reply.model_dump_json(), self.success, media_type="application/json")


async def _admit(call: Call, context: ApiContext, request: Request, admission: Admission) -> None:
    if call.keyed and request.headers.get(KEY_HEADER, "") not in {context.settings.api_key, *context.settings.api_callers}:
        raise CallRefused(401, "unknown_caller", t("The X-API-Key header does not match any caller we know"))
    await admission.count_network(call.limit, call.name)


async def _read(call: Call, request: Request, admission: Admission) -> BaseModel | None:
    if call.takes is None or call.streams:
        return None
    if call.method == "GET":
        return call.takes.model_validate(dict(request.query_params))
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise CallRefused(415, "not_json", t("Only application/json is accepted here"))
    body = await whole_body(request, MAX_BODY_BYTES)
    if call.limit == "submissions":
        await admission.count_bytes(len(body))
    return call.takes.model_validate_json(body)


def get(name: str, summary: str, handler: CallHandler, reply: type[BaseModel] | None, **options: Any) -> Call:
    """Returns a GET call whose path is its name."""
    return Call("GET", f"{API}/{name}", name, summary, handler, reply, **options)


def post(
    name: str,
    summary: str,
    handler: CallHandler,
    reply: type[BaseModel] | None,
    *,
    refuses: tuple[int, ...] = (),
    **options: Any,
) -> Call:
    """Returns a POST call whose path is its name. `refuses` are its error statuses besides those that every body can cause."""
    return Call("POST", f"{API}/{name}", name, summary, handler, reply, refuses=(400, 413, 422, 503, *refuses), **options)
