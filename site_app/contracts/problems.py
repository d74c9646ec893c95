"""What is wrong with a submission, field by field, in the language being written."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from site_app.contracts.attachment import MEGABYTES
from site_app.contracts.labels import label
from site_app.i18n import t

Say = Callable[[str, Mapping[str, Any]], str]

_SAY: dict[str, Say] = {
    "missing": lambda field, found: t("{field} is required", field=field),
    "extra_forbidden": lambda field, found: t("{field} is not known here", field=field),
    "string_too_short": lambda field, found: t(
        "{field} needs at least {count} characters", field=field, count=found["min_length"]
    ),
    "string_too_long": lambda field, found: t(
        "{field} can have at most {count} characters", field=field, count=found["max_length"]
    ),
    "too_long": lambda field, found: t("{field}: choose at most {count}", field=field, count=found["max_length"]),
    "email_malformed": lambda field, found: t("Please enter a valid email address"),
    "email_refused": lambda field, found: t("Email address invalid"),
    "phone_malformed": lambda field, found: t("Please enter a valid phone number"),
    "web_address_malformed": lambda field, found: t("Please enter an address that begins with https:// or http://"),
    "unknown_attachment": lambda field, found: t("A file is no longer here. Please add it again"),
    "file_too_large": lambda field, found: t("This file is larger than {megabytes} MB", megabytes=MEGABYTES),
    "file_kind_unknown": lambda field, found: t("Files of this kind cannot be taken"),
    "file_empty": lambda field, found: t("This file is empty"),
    "file_misnamed": lambda field, found: t("This file is not of the kind that its name says"),
    "file_broken": lambda field, found: t("This file is damaged"),
    "file_has_macros": lambda field, found: t("Documents with macros cannot be taken"),
    "archive_unsafe": lambda field, found: t("This archive cannot be unpacked safely"),
    "picture_too_large": lambda field, found: t("This picture has too many pixels"),
    "slot_gone": lambda field, found: t("This time has just been taken. Please choose another"),
}


def problems(error: ValidationError) -> dict[str, str]:
    """A message for each field at fault; what concerns the whole is under the empty name."""
    found: dict[str, str] = {}
    for one in error.errors(include_url=False, include_input=True):
        name = str(one["loc"][0]) if one["loc"] else ""
        found.setdefault(name, _message(name, one["type"], one.get("ctx", {}), one["input"]))
    return found


def problem(kind: str, name: str, given: str = "", **found: Any) -> str:
    """The message of a fault that no contract has found: one that only the provider can see, or one still to be made."""
    return _message(name, kind, found, given)


def _message(name: str, kind: str, found: Mapping[str, Any], given: object) -> str:
    if name == "services" and kind in ("missing", "too_short"):
        return t("Make sure to select at least 1 service")
    if isinstance(given, str) and kind in ("too_short", "too_long"):
        kind = f"string_{kind}"
    empty = given in ("", None) or found.get("actual_length") == 0
    if empty and kind in ("string_too_short", "string_pattern_mismatch", "unknown_choice", "string_type"):
        kind = "missing"
    say = _SAY.get(kind)
    return say(label(name), found) if say else t("Please check: {field}", field=label(name))
