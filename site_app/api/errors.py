"""Every refusal in one JSON shape, in the caller's language."""

from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb

import structlog
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.contracts.problems import problem, problems
from site_app.i18n import t
from site_app.services.refusals import FieldRefused, FileRefused, KeyReused, NotFound, Refusal
from site_app.store import StoreUnavailable

RETRY_SECONDS = 2

log = structlog.get_logger()


class CallRefused(Exception):
    """A call that is refused before anything was looked at."""

    def __init__(self, status: int, code: str, message: str, *, retry_after: int = 0) -> None:
        super().__init__(code)
        self.status, self.code, self.message, self.retry_after = status, code, message, retry_after


ANSWERED = (CallRefused, ValidationError, Refusal, StoreUnavailable)


def answer_to(error: Exception) -> Response:
    """The answer to a call that was refused, in the language being written."""
    match error:
        case CallRefused():
            return refusal(error.status, error.code, error.message, retry_after=error.retry_after)
        case ValidationError():
            return _invalid(error)
        case FieldRefused():
            return refusal(422, "invalid", _check_fields(), fields={error.field: problem(error.kind, error.field)})
        case KeyReused():
            return refusal(422, "key_reused", t("This was sent before with other words"), fields={"key": "key"})
        case FileRefused():
            status = 413 if error.too_large else 415
            why = problem(error.kind, "file")
            return refusal(status, "file_refused", why, fields={"file": why})
        case NotFound():
            return refusal(404, "not_found", t("There is nothing here"))
        case StoreUnavailable():
            log.warning("store.unavailable")
            return refusal(503, "busy", t("We cannot take this right now. Please try again"), retry_after=RETRY_SECONDS)
    raise error


def refusal(
    status: int, code: str, message: str, *, fields: Mapping[str, str] | None = None, retry_after: int = 0
) -> JSONResponse:
    headers = {"Retry-After": str(retry_after)} if retry_after else None
    return JSONResponse({"error": {"code": code, "message": message, "fields": fields or {}}}, status, headers)


async def answer_http(request: Request, error: Exception) -> Response:
    """A path or a method that is not there."""
    assert isinstance(error, HTTPException)
    answer = refusal(error.status_code, _CODES.get(error.status_code, "refused"), error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def answer_busy(request: Request, error: Exception) -> Response:
    """A database that cannot answer now, where the call itself has no answer to that."""
    return answer_to(error)


async def answer_unforeseen(request: Request, error: Exception) -> Response:
    """Our own mistake: its kind and its place go to the log, a visitor's words do not."""
    places = [f"{Path(one.filename).name}:{one.lineno}" for one in extract_tb(error.__traceback__)][-5:]
    log.error("call.failed", path=request.url.path, error=type(error).__name__, at=" < ".join(reversed(places)))
    return refusal(500, "failed", t("Something went wrong on our side"))


def _check_fields() -> str:
    return t("Please check the marked fields")


def _invalid(error: ValidationError) -> Response:
    faults = problems(error)
    if any(one["type"] == "json_invalid" for one in error.errors(include_url=False, include_input=False)):
        return refusal(400, "not_json", t("This is not JSON"))
    return refusal(422, "invalid", _check_fields(), fields=faults)


_CODES = {404: "not_found", 405: "method_not_allowed"}
