"""Parses answers to leads, including incomplete or different answers of other providers."""

import json
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import ValidationError

from site_app.contracts.answer import Accepted, Refusal, Refused
from site_app.contracts.input import one_line
from site_app.contracts.meeting import SlotRefused
from site_app.contracts.problems import problem

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
