"""The provider's refusals beyond the checks of the contracts, and the reply to each.

ProviderRefusal
 ├── FieldRefused    a field failed a check that only the provider can make
 ├── KeyReused       an idempotency key was used again with other content
 ├── FileRefused     a file is too large, of a kind that is not accepted, or does not match its name
 ├── NoRoomForFiles  there is no room for a file; a lead without files is still stored
 ├── EntryNotFound   the entry does not exist, or not any more
 ├── those of booking, in booking/refusals.py
 └── without a reply, because no call of the API raises them:
     ├── AlreadyDecided    the application was approved or declined before (affiliates/program.py)
     ├── NoticeDayRefused  a notice cannot have arrived on this day (affiliates/program.py)
     ├── PaymentDiffers    the payment was entered before, with other figures (affiliates/payments.py)
     ├── RefundMoved       a payout or a statement has counted the refund (affiliates/payments.py)
     ├── PayoutRefused     the amount cannot be marked as paid (affiliates/payments.py)
     ├── MoneyBackRefused  the amount cannot have come back (affiliates/payments.py)
     ├── ImportRefused     lines of a file cannot be read (affiliates/payments.py)
     ├── EditConflict      somebody else has changed it meanwhile (office/actions.py)
     └── ActionNotAllowed  its current state does not allow the change (office/actions.py)
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from traceback import extract_tb

import structlog
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.fields import label
from site_app.contracts.problems import problem, problems
from site_app.core.http.context import context_of
from site_app.core.http.pages import render_refusal
from site_app.core.http.paths import is_provider_page
from site_app.core.http.refusals import RETRY_SECONDS, CallRefused, refusal_response
from site_app.core.i18n import split_language, t, use
from site_app.provider.store import StoreUnavailable

_CODES = {404: "not_found", 405: "method_not_allowed"}

log = structlog.get_logger()


@dataclass(frozen=True)
class RefusalReply:
    """The reply's status, code and texts in the visitor's language. `results` are alternatives, such as free slots."""

    status: int
    code: str
    message: str
    fields: Mapping[str, str] = field(default_factory=dict)
    retry_after: int = 0  # seconds
    results: Sequence[BaseModel] | None = None


class ProviderRefusal(Exception):
    """The request was refused and nothing was stored. A subclass that API callers can cause returns its reply.

    A refusal has arguments only if its reply or its page shows them. The class says why, and the caller knows what was requested.
    """

    def reply(self) -> RefusalReply:
        """Returns the reply to an API caller. A refusal without one raises itself: in a call it is a bug, so the status is 500."""
        raise self


class FieldRefused(ProviderRefusal):
    """`kind` names the message, as in the errors of contracts."""

    def __init__(self, field: str, kind: str) -> None:
        super().__init__(field, kind)
        self.field = field
        self.kind = kind

    def reply(self) -> RefusalReply:
        return RefusalReply(422, "invalid", check_fields_message(), {self.field: problem(self.kind, self.field)})


class KeyReused(ProviderRefusal):
    """The key was used before with other content. That is the caller's mistake and must not be answered as a success."""

    def reply(self) -> RefusalReply:
        message = t("This key has already been used for something else. Please use a new key.")
        return RefusalReply(422, "key_reused", message, {"key": "key"})


class FileRefused(ProviderRefusal):
    """`kind` names the message, as in the errors of contracts. `too_large` marks refusals because of the size (413)."""

    def __init__(self, kind: str, *, too_large: bool = False) -> None:
        super().__init__(kind)
        self.kind = kind
        self.too_large = too_large

    def reply(self) -> RefusalReply:
        message = problem(self.kind, "file")
        return RefusalReply(413 if self.too_large else 415, "file_refused", message, {"file": message})


class NoRoomForFiles(ProviderRefusal):
    """`for_network` is True if the sender's network has used up its quota of the day, False if the disk or the total quota is full."""

    def __init__(self, retry_after: timedelta, *, for_network: bool = False) -> None:
        super().__init__()
        self.retry_after = retry_after
        self.for_network = for_network

    def reply(self) -> RefusalReply:
        message = problem("no_room_for_files", "file")
        seconds = math.ceil(self.retry_after.total_seconds())
        return RefusalReply(429 if self.for_network else 503, "no_room", message, {"file": message}, seconds)


class EntryNotFound(ProviderRefusal):
    def reply(self) -> RefusalReply:
        return RefusalReply(404, "not_found", t("There is nothing at this address"))


def check_fields_message() -> str:
    return t("Please check the marked fields")


REFUSAL_ERRORS = (CallRefused, ValidationError, ProviderRefusal, StoreUnavailable)


def response_to(error: Exception, label: Callable[[str], str] = label) -> Response:
    """Returns the response to a refused call in the current language. `label` returns the label of a field."""
    match error:
        case CallRefused():
            return error.response()
        case ValidationError():
            return _invalid(error, label)
        case ProviderRefusal():
            reply = error.reply()
            return refusal_response(
                reply.status,
                reply.code,
                reply.message,
                fields=reply.fields,
                retry_after=reply.retry_after,
                results=reply.results,
            )
        case StoreUnavailable():
            log.warning("store.unavailable")
            return busy_refusal().response()
    raise error


async def http_error_response(request: Request, error: Exception) -> Response:
    """Returns the response to an HTTP error such as an unknown path or method."""
    assert isinstance(error, HTTPException)
    response = refusal_response(error.status_code, _CODES.get(error.status_code, "refused"), error.detail)
    response.headers.update(error.headers or {})
    return response


async def busy_response(request: Request, error: Exception) -> Response:
    """Returns 503 if the database is unavailable and the endpoint did not handle that: as a page for plain pages, else as JSON."""
    if not is_provider_page(request.url.path):
        return response_to(error)
    log.warning("store.unavailable")
    with use(split_language(request.url.path)[0]):
        return render_refusal(context_of(request), request, busy_refusal())


async def unexpected_error_response(request: Request, error: Exception) -> Response:
    """Returns 500 for an unexpected error. Logs its type and place, but not its message, which may hold visitor data."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)][-5:]
    log.error("call.failed", error=type(error).__name__, at=" < ".join(reversed(places)))
    text = t(
        "Something went wrong on our side. Nothing you typed is lost: please try again, or email {email}.",
        email=context_of(request).settings.brand_email,
    )
    return refusal_response(500, "failed", text)


def busy_refusal(retry_after: int = RETRY_SECONDS) -> CallRefused:
    text = t("We can’t accept this right now. Please try again in a few minutes.")
    return CallRefused(503, "busy", text, retry_after=retry_after)


def _invalid(error: ValidationError, label: Callable[[str], str]) -> Response:
    # Invalid JSON gives exactly one error. Check the count first, because listing thousands of other errors takes long.
    if error.error_count() == 1 and error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
        return refusal_response(400, "not_json", t("This is not valid JSON"))
    return refusal_response(422, "invalid", check_fields_message(), fields=problems(error, label))
