"""Answers every refusal in one JSON shape, in the caller's language."""

from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb

import structlog
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.labels import label
from site_app.contracts.problems import problems
from site_app.core.http.addresses import is_plain_page
from site_app.core.http.limits import context_of
from site_app.core.http.pages import refused
from site_app.core.http.refusals import RETRY_SECONDS, CallRefused, refusal
from site_app.core.i18n import split, t, use
from site_app.provider.endpoints.refusals import ProviderRefusal, check_fields_message
from site_app.provider.store import StoreUnavailable

log = structlog.get_logger()


ANSWERED = (CallRefused, ValidationError, ProviderRefusal, StoreUnavailable)


def answer_to(error: Exception, label: Callable[[str], str] = label) -> Response:
    """Returns the answer to a refused call in the current language. `label` returns the label of a field."""
    match error:
        case CallRefused():
            return error.answer()
        case ValidationError():
            return _invalid(error, label)
        case ProviderRefusal():
            reply = error.reply()
            return refusal(
                reply.status,
                reply.code,
                reply.message,
                fields=reply.fields,
                retry_after=reply.retry_after,
                results=reply.results,
            )
        case StoreUnavailable():
            log.warning("store.unavailable")
            return _busy().answer()
    raise error


async def answer_http(request: Request, error: Exception) -> Response:
    """Answers HTTP errors such as an unknown path or method."""
    assert isinstance(error, HTTPException)
    answer = refusal(error.status_code, _CODES.get(error.status_code, "refused"), error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def answer_busy(request: Request, error: Exception) -> Response:
    """Answers 503 if the database is unavailable and the endpoint did not handle that: as a page for plain pages, else as JSON."""
    if not is_plain_page(request.url.path):
        return answer_to(error)
    log.warning("store.unavailable")
    with use(split(request.url.path)[0]):
        return refused(context_of(request), request, _busy())


async def answer_unforeseen(request: Request, error: Exception) -> Response:
    """Answers 500 for an unexpected error. Logs its type and place, but not its message, which may hold visitor data."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)][-5:]
    log.error("call.failed", path=request.url.path, error=type(error).__name__, at=" < ".join(reversed(places)))
    text = t(
        "Something went wrong on our side. Nothing you typed is lost: please try again, or email {email}.",
        email=context_of(request).settings.brand_email,
    )
    return refusal(500, "failed", text)


def _busy() -> CallRefused:
    text = t("We can’t accept this right now. Please try again in a few minutes.")
    return CallRefused(503, "busy", text, retry_after=RETRY_SECONDS)


def _invalid(error: ValidationError, label: Callable[[str], str]) -> Response:
    # Invalid JSON gives exactly one error. Check the count first, because listing thousands of other errors takes long.
    if error.error_count() == 1 and error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
        return refusal(400, "not_json", t("This is not valid JSON"))
    return refusal(422, "invalid", check_fields_message(), fields=problems(error, label))


_CODES = {404: "not_found", 405: "method_not_allowed"}
