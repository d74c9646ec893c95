"""The types that contracts are written with: each names its control in a form, and its rule."""

import re
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from site_app.contracts.address import Email, WebAddress
from site_app.contracts.attachment import AttachmentIds
from site_app.contracts.codes import CountryCode, CurrencyCode
from site_app.contracts.input import Choices, Input
from site_app.contracts.lists import distinct
from site_app.contracts.submission import FullName, Notes, Reachable, ShortName
from site_app.contracts.text import ManyLines, OneLine

__all__ = [
    "Agreed",
    "AttachmentIds",
    "Choices",
    "CountryCode",
    "CurrencyCode",
    "Date",
    "Distinct",
    "Email",
    "Field",
    "FullName",
    "Input",
    "ManyLines",
    "Notes",
    "Number",
    "OneLine",
    "Reachable",
    "ShortName",
    "WebAddress",
    "YesNo",
]

_LARGEST = 10**12
_YES, _NO = ("yes", "true", "on"), ("no", "false", "")


def _day(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return date.fromisoformat(given) if re.fullmatch(r"\d{4}-\d\d-\d\d", given, re.ASCII) else _malformed("date")
    except ValueError:
        return _malformed("date")


def _number(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    return int(given) if re.fullmatch(r"-?\d{1,15}", given.strip(), re.ASCII) else _malformed("number")


def _malformed(what: str) -> Any:
    raise PydanticCustomError(f"{what}_malformed", "Not a {what}", {"what": what})  # pyright: ignore[reportArgumentType]


def _yes_or_no(given: Any) -> Any:
    return given in _YES if isinstance(given, str) and given in (*_YES, *_NO) else given


def _agreed(given: bool) -> bool:
    if not given:
        raise PydanticCustomError("missing", "Has to be agreed to")
    return given


Date = Annotated[date, BeforeValidator(_day), Input("date"), WithJsonSchema({"type": "string", "format": "date"})]
Number = Annotated[int, BeforeValidator(_number), Field(ge=-_LARGEST, le=_LARGEST), Input("number")]
YesNo = Annotated[bool, BeforeValidator(_yes_or_no), Input("tick")]
Agreed = Annotated[
    bool,
    BeforeValidator(_yes_or_no),
    AfterValidator(_agreed),
    Input("tick"),
    WithJsonSchema({"type": "boolean", "const": True}),
]
Distinct = AfterValidator(distinct)
