"""What a browser's own field needs to know of a rule, read off the contract."""

from dataclasses import dataclass
from typing import Any

from annotated_types import MaxLen, MinLen
from pydantic import BaseModel


@dataclass(frozen=True)
class Input:
    """Marks a text with the `type` its field has in the browser."""

    type: str = "text"


def attributes(contract: type[BaseModel], name: str) -> dict[str, Any]:
    """The field's required, minlength, maxlength and type, as the contract has them."""
    field = contract.model_fields[name]
    found: dict[str, Any] = {}
    if field.is_required():
        found["required"] = True
    for rule in field.metadata:
        if isinstance(rule, Input):
            found["type"] = rule.type
        elif field.annotation is str and isinstance(rule, MinLen) and rule.min_length > 1:
            found["minlength"] = rule.min_length
        elif field.annotation is str and isinstance(rule, MaxLen):
            found["maxlength"] = rule.max_length
    return found
