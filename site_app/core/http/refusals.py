"""Refused requests, in the one JSON shape that every refusal has."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel
from starlette.responses import JSONResponse

RETRY_SECONDS = 2


class CallRefused(Exception):
    """A call that is refused before anything was looked at."""

    def __init__(self, status: int, code: str, message: str, *, retry_after: int = 0) -> None:
        super().__init__(code)
        self.status, self.code, self.message, self.retry_after = status, code, message, retry_after

    def answer(self) -> JSONResponse:
        return refusal(self.status, self.code, self.message, retry_after=self.retry_after)


def refusal(
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    retry_after: int = 0,
    results: Sequence[BaseModel] | None = None,
) -> JSONResponse:
    """The one shape of a refusal; `results` are what can be had instead."""
    instead = {} if results is None else {"results": [result.model_dump(mode="json") for result in results]}
    return JSONResponse(
        {"error": {"code": code, "message": message, "fields": fields or {}}} | instead, status, retry_header(retry_after)
    )


def retry_header(seconds: int) -> dict[str, str]:
    """Says when to come back; nothing, where that would not help."""
    return {"Retry-After": str(seconds)} if seconds else {}
