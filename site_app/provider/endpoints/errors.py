"""Every refusal in one JSON shape, in the caller's language."""

import math
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb

import structlog
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.labels import label
from site_app.contracts.problems import problem, problems
from site_app.core.http.context import context_of
from site_app.core.http.pages import refused
from site_app.core.http.paths import is_plain_page
from site_app.core.http.refusals import RETRY_SECONDS, CallRefused, refusal
from site_app.core.i18n import split, t, use
from site_app.provider.booking import rules
from site_app.provider.endpoints.refusals import FieldRefused, FileRefused, KeyReused, NoRoomForFiles, NotFound, Refusal
from site_app.provider.store import StoreUnavailable

log = structlog.get_logger()


ANSWERED = (CallRefused, ValidationError, Refusal, StoreUnavailable)


def answer_to(error: Exception, label: Callable[[str], str] = label) -> Response:
    """The answer to a call that was refused, in the language being written; `label` names its fields."""
    match error:
        case CallRefused():
            return error.answer()
        case ValidationError():
            return _invalid(error, label)
        case FieldRefused():
            return refusal(422, "invalid", _check_fields(), fields={error.field: problem(error.kind, error.field)})
        case KeyReused():
            return refusal(
                422,
                "key_reused",
                t("This key has already been used for something else. Please use a new key."),
                fields={"key": "key"},
            )
        case FileRefused():
            status = 413 if error.too_large else 415
            why = problem(error.kind, "file")
            return refusal(status, "file_refused", why, fields={"file": why})
        case NoRoomForFiles():
            why = problem("no_room_for_files", "file")
            status, seconds = 429 if error.for_network else 503, math.ceil(error.retry_after.total_seconds())
            return refusal(status, "no_room", why, fields={"file": why}, retry_after=seconds)
        case NotFound():
            return refusal(404, "not_found", t("There is nothing at this address"))
        case Refusal():
            return _not_booked(error)
        case StoreUnavailable():
            log.warning("store.unavailable")
            return _busy().answer()
    raise error


async def answer_http(request: Request, error: Exception) -> Response:
    """A path or a method that is not there."""
    assert isinstance(error, HTTPException)
    answer = refusal(error.status_code, _CODES.get(error.status_code, "refused"), error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def answer_busy(request: Request, error: Exception) -> Response:
    """A database that cannot answer now, where the call itself has no answer to that; on a plain page this is said as one."""
    if not is_plain_page(request.url.path):
        return answer_to(error)
    log.warning("store.unavailable")
    with use(split(request.url.path)[0]):
        return refused(context_of(request), request, _busy())


async def answer_unforeseen(request: Request, error: Exception) -> Response:
    """Our own mistake: its kind and its place go to the log, a visitor's words do not."""
    places = [f"{Path(one.filename).name}:{one.lineno}" for one in extract_tb(error.__traceback__)][-5:]
    log.error("call.failed", path=request.url.path, error=type(error).__name__, at=" < ".join(reversed(places)))
    return refusal(500, "failed", t("Something went wrong on our side. Please try again."))


def _busy() -> CallRefused:
    text = t("We can’t accept this right now. Please try again in a few minutes.")
    return CallRefused(503, "busy", text, retry_after=RETRY_SECONDS)


def _not_booked(error: Refusal) -> Response:
    """What booking says no to."""
    match error:
        case rules.SlotTaken():
            gone = problem("slot_gone", "slot")
            return refusal(409, "slot_taken", gone, fields={"slot": gone}, results=error.nearest)
        case rules.CallExists():
            text = t(
                "You already have a call booked with this email address. To change its time, use the link in your confirmation email."
            )
            return refusal(409, "call_exists", text, fields={"email": text})
        case rules.TooManyCalls(for_mailbox=True):
            text = t(
                "Several calls were booked with this email address today. Please email {email} and we’ll arrange yours.",
                email=error.write_to,
            )
            return refusal(409, "too_many_calls", text)
        case rules.TooManyCalls():
            text = t(
                "Several calls are already booked from your network. Please email {email} and we’ll arrange yours.",
                email=error.write_to,
            )
            return refusal(409, "too_many_calls", text)
        case rules.TooManyHolds():
            text = t("We can’t hold this time for you right now, but you can still book it")
            return refusal(429, "too_many", text, retry_after=max(1, math.ceil(error.wait.total_seconds())))
        case rules.LooksAutomatic():
            text = t("Our spam check didn’t let this through. Please wait a few seconds and send it again.")
            return refusal(422, "looks_automatic", text)
    raise error


def _check_fields() -> str:
    return t("Please check the marked fields")


def _invalid(error: ValidationError, label: Callable[[str], str]) -> Response:
    # what is no JSON has this one fault; thousands of others take longer to list than to find
    if error.error_count() == 1 and error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
        return refusal(400, "not_json", t("This is not valid JSON"))
    return refusal(422, "invalid", _check_fields(), fields=problems(error, label))


_CODES = {404: "not_found", 405: "method_not_allowed"}
