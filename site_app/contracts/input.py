"""What a field of a form needs to know of its rule, read from the contract."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Words = Mapping[str, Callable[[], str]]
_TYPES = ("email", "url", "tel", "date", "number")  # of HTML's input; what else there is has controls of its own


@dataclass(frozen=True)
class Input:
    """Marks a rule with the control that takes it: a `type` of HTML's input, or lines, tick, country, currency or files."""

    type: str = "text"


@dataclass(frozen=True)
class Choices:
    """Takes only these slugs, one or a list of them; each has its words."""

    words: Words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._known, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        described = handler(schema)
        (described["items"] if described.get("type") == "array" else described)["enum"] = [*self.words]
        return described

    def _known(self, given: Any) -> Any:
        if any(slug not in self.words for slug in ([given] if isinstance(given, str) else given)):
            raise PydanticCustomError("unknown_choice", "Not one of the choices")
        return given


def control(contract: type[BaseModel], name: str) -> str:
    """What takes the field in a form: text, email, url, tel, date, number, lines, tick, choice, choices, country, currency or files."""
    for rule in rules_of(contract, name):
        if isinstance(rule, Input):
            return rule.type
        if isinstance(rule, Choices):
            return "choices" if _is_list(contract.model_fields[name].annotation) else "choice"
    return "text"


def choices(contract: type[BaseModel], name: str) -> dict[str, str]:
    """The slugs that the field offers with their words, in the language being written."""
    found = (rule.words for rule in rules_of(contract, name) if isinstance(rule, Choices))
    return {slug: say() for slug, say in next(found, {}).items()}


def attributes(contract: type[BaseModel], name: str) -> dict[str, Any]:
    """The field's required, type and bounds as HTML's attributes, as the contract has them."""
    field = contract.model_fields[name]
    found: dict[str, Any] = {"required": True} if field.is_required() else {}
    for rule in rules_of(contract, name):
        match rule:
            case Input(type=kind) if kind in _TYPES:
                found["type"] = kind
            case MinLen(min_length=count) if field.annotation is str and count > 1:
                found["minlength"] = count
            case MaxLen(max_length=count) if field.annotation is str:
                found["maxlength"] = count
            case Ge(ge=least):
                found["min"] = least
            case Le(le=most):
                found["max"] = most
    return found


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(_is_list(part) for part in get_args(annotation))


def rules_of(contract: type[BaseModel], name: str) -> Iterator[Any]:
    """The rules of a field, also of one that may be left out: `Date | None`."""
    field = contract.model_fields[name]
    yield from field.metadata
    if get_origin(field.annotation) in (Union, UnionType):
        for part in get_args(field.annotation):
            if get_origin(part) is Annotated:
                for rule in part.__metadata__:
                    yield from rule.metadata if isinstance(rule, FieldInfo) else (rule,)
