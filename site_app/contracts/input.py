"""Reads a field's control, choices and bounds from its contract; and text types that make typed text safe to store and to mail."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel, BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Words = Mapping[str, Callable[[], str]]
# References and codes are read out over the phone, so letters that look like digits are left out: no 0 O 1 I L, and no Z S B because of 2 5 8.
SPOKEN_ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"
_TYPES = ("email", "url", "tel", "date", "number")  # of HTML's input element; all other types have their own controls


@dataclass(frozen=True)
class Input:
    """Marks a type with its form control: a `type` of HTML's input, or lines, tick, country, currency or files."""

    type: str = "text"


@dataclass(frozen=True)
class Choices:
    """Allows only these slugs, one or a list of them; each has a label."""

    words: Words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._require_known, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        described = handler(schema)
        (described["items"] if described.get("type") == "array" else described)["enum"] = [*self.words]
        return described

    def _require_known(self, value: Any) -> Any:
        if any(slug not in self.words for slug in ([value] if isinstance(value, str) else value)):
            raise PydanticCustomError("unknown_choice", "Not one of the choices")
        return value


def control(contract: type[BaseModel], name: str) -> str:
    """Returns the field's form control: text, email, url, tel, date, number, lines, tick, choice, choices, country, currency or files."""
    for rule in field_metadata(contract, name):
        if isinstance(rule, Input):
            return rule.type
        if isinstance(rule, Choices):
            return "choices" if _is_list(contract.model_fields[name].annotation) else "choice"
    return "text"


def choices(contract: type[BaseModel], name: str) -> dict[str, str]:
    """Returns the slugs that the field offers, with their labels in the current language."""
    words = (rule.words for rule in field_metadata(contract, name) if isinstance(rule, Choices))
    return {slug: label() for slug, label in next(words, {}).items()}


def attributes(contract: type[BaseModel], name: str) -> dict[str, Any]:
    """Returns the HTML attributes that follow from the contract: required, type and bounds."""
    field = contract.model_fields[name]
    html: dict[str, Any] = {"required": True} if field.is_required() else {}
    for rule in field_metadata(contract, name):
        match rule:
            case Input(type=kind) if kind in _TYPES:
                html["type"] = kind
            case MinLen(min_length=count) if field.annotation is str and count > 1:
                html["minlength"] = count
            case MaxLen(max_length=count) if field.annotation is str:
                html["maxlength"] = count
            case Ge(ge=least):
                html["min"] = least
            case Le(le=most):
                html["max"] = most
    return html


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(_is_list(part) for part in get_args(annotation))


def field_metadata(contract: type[BaseModel], name: str) -> Iterator[Any]:
    """Yields what a field is annotated with, such as its bounds; also of an optional one: `Date | None`."""
    field = contract.model_fields[name]
    yield from field.metadata
    if get_origin(field.annotation) in (Union, UnionType):
        for part in get_args(field.annotation):
            if get_origin(part) is Annotated:
                for rule in part.__metadata__:
                    yield from rule.metadata if isinstance(rule, FieldInfo) else (rule,)


# A longer text is not cleaned, because every field's own limit is smaller and refuses it. Composing a text of combining marks
# takes quadratic time and would block the server.
MAX_CLEANED_LENGTH = 20_000
_MAX_MARKS_IN_A_ROW = 30  # Unicode's limit (UAX #15, stream-safe text); no script uses more
_DOUBLE_MARKS = "\u0f73\u0f75\u0f81"  # not combining by their class, but decomposed into two marks each
# Bidirectional marks and overrides make a line display differently from how it is stored.
_DIRECTION_MARKS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
_DIRECTION_OVERRIDES = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
_CONTROL_CODES = {code: None for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc"}
_REMOVED_FROM_LINE = _CONTROL_CODES | _DIRECTION_MARKS
_REMOVED_FROM_LINES = {code: None for code in _CONTROL_CODES if chr(code) not in "\n\t"} | _DIRECTION_OVERRIDES
_LINE_BREAK = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")


def one_line(value: Any) -> Any:
    """Returns the text composed (NFC) and trimmed, with single spaces and without invisible characters."""
    if not isinstance(value, str) or len(value) > MAX_CLEANED_LENGTH:
        return value
    visible = " ".join(value.split()).translate(_REMOVED_FROM_LINE)
    return _composed(" ".join(visible.split())).strip()  # split again: removed characters may have separated spaces


def many_lines(value: Any) -> Any:
    """Returns the text composed and trimmed, with line breaks, tabs, and the direction marks that Arabic and Hebrew need."""
    if not isinstance(value, str) or len(value) > MAX_CLEANED_LENGTH:
        return value
    text = _LINE_BREAK.sub("\n", value).translate(_REMOVED_FROM_LINES)
    return _composed(text).strip()


def _composed(text: str) -> str:
    """Returns the text in NFC, with a limited number of combining marks in a row."""
    if text.isascii():
        return text
    characters = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) or sign in _DOUBLE_MARKS else 0
        if marks <= _MAX_MARKS_IN_A_ROW:
            characters.append(sign)
    return unicodedata.normalize("NFC", "".join(characters))


OneLine = Annotated[str, BeforeValidator(one_line, json_schema_input_type=str)]
ManyLines = Annotated[str, BeforeValidator(many_lines, json_schema_input_type=str), Input("lines")]
