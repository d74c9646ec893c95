"""What a form says about a field, before it is sent and after: the provider's contract is the only place of a rule."""

from collections.abc import Mapping
from typing import Any, TypeVar

from annotated_types import MaxLen, MinLen
from pydantic import BeforeValidator, ValidationError

from site_app.contracts.input import Input
from site_app.contracts.problems import problem, problems
from site_app.contracts.submission import Submission
from site_app.contracts.text import many_lines

Rule = dict[str, Any]
S = TypeVar("S", bound=Submission)


def verdict(contract: type[S], said: Mapping[str, Any]) -> tuple[S | None, dict[str, str]]:
    """The submission, or a message for each field at fault, in the language being written."""
    try:
        return contract.model_validate(dict(said)), {}
    except ValidationError as error:
        return None, problems(error)


def rules(contract: type[Submission], names: tuple[str, ...]) -> dict[str, Rule]:
    """What check.js can tell about each field by itself, with the messages ready."""
    return {name: found for name in names if (found := _rule(contract, name))}


def _rule(contract: type[Submission], name: str) -> Rule:
    field = contract.model_fields[name]
    rule: Rule = {}
    is_text = field.annotation is str
    if field.is_required():
        rule["required"] = problem("missing", name)
    if not is_text:
        return rule | ({"list": True} if rule and getattr(field.annotation, "__origin__", None) is list else {})
    for part in field.metadata:
        match part:
            case MinLen(min_length=count) if count > 1:
                rule["least"] = [count, problem("string_too_short", name, "a", min_length=count)]
            case MaxLen(max_length=count):
                rule["most"] = [count, problem("string_too_long", name, max_length=count)]
            case Input(type="email"):
                rule["email"] = problem("email_malformed", name)
            case Input(type="url"):
                rule["url"] = problem("web_address_malformed", name)
            case BeforeValidator(func=func) if func is many_lines:
                rule["lines"] = True
    return rule
