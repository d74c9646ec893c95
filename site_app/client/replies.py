"""Parses replies to submissions, also those of other providers: a lead that was accepted must not fail because of the reply's body."""

import json
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import ValidationError

from site_app.client.transport import RefusedT
from site_app.contracts.input import one_line
from site_app.contracts.meeting import SlotRefused
from site_app.contracts.problems import problem
from site_app.contracts.reply import Accepted, Refusal

_LONGEST_REFERENCE = 60  # characters
AcceptedT = TypeVar("AcceptedT", bound=Accepted)


def parse_accepted(reply: type[AcceptedT], body: bytes) -> AcceptedT | Accepted:
    """Parses the reply to an accepted lead. Of a reply unlike ours, takes the reference if it has one."""
    try:
        return reply.model_validate_json(body)
    except ValidationError:
        fields = _json_object(body)
        reference = fields.get("reference")
        text = str(reference) if isinstance(reference, str | int) and not isinstance(reference, bool) else ""
        return Accepted(
            reference=one_line(text[:_LONGEST_REFERENCE]),
            quarantined=fields.get("quarantined") is True,
            mailed=fields.get("mailed") is not False,
        )


def parse_refusal(refused: type[RefusedT], status: int, body: bytes) -> RefusedT:
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


def _json_object(body: bytes) -> dict[str, Any]:
    """Returns the object that the body is in JSON, or an empty one."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
