"""Refused requests, in the JSON format that all refusals share."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel
from starlette.responses import JSONResponse

RETRY_SECONDS = 2


class CallRefused(Exception):
    """A request refused before its content was processed."""

    def __init__(self, status: int, code: str, message: str, *, retry_after: int = 0) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after

    def response(self) -> JSONResponse:
        return refusal_response(self.status, self.code, self.message, retry_after=self.retry_after)


def refusal_response(
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    retry_after: int = 0,
    results: Sequence[BaseModel] | None = None,
) -> JSONResponse:
    """Returns a refusal in the common format; `results` are the alternatives."""
    instead = {} if results is None else {"results": [result.model_dump(mode="json") for result in results]}
    return JSONResponse(
        {"error": {"code": code, "message": message, "fields": fields or {}}} | instead, status, retry_header(retry_after)
    )


def retry_header(seconds: int) -> dict[str, str]:
    """Returns a Retry-After header, or no header for 0 seconds, when a retry would not help."""
    return {"Retry-After": str(seconds)} if seconds else {}
