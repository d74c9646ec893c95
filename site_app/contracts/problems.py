"""The messages for the errors of a submission, field by field, in the current language."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from site_app.contracts.fields import label as shared_label
from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.i18n import t

Label = Callable[[str], str]

_FIXED_MESSAGES: dict[str, Callable[[], str]] = {
    "email_malformed": lambda: t("Please enter a valid email address"),
    "email_refused": lambda: t("Email address invalid"),
    "phone_malformed": lambda: t("Please check the phone number, or leave it empty"),
    "date_malformed": lambda: t("Please enter a valid date"),
    "number_malformed": lambda: t("Please enter a whole number"),
    "web_address_malformed": lambda: t("Please enter a web address that begins with https:// or http://"),
    "unknown_attachment": lambda: t("One of your files has expired. Please add it again."),
    "file_too_large": lambda: t(
        "This file is larger than {megabytes} MB. Please choose a smaller one.", megabytes=MAX_FILE_MEGABYTES
    ),
    "file_kind_unknown": lambda: t("This file type is not accepted. Please choose another."),
    "file_empty": lambda: t("This file is empty. Please choose another."),
    "file_misnamed": lambda: t(
        "This file’s contents don’t match its file type. Save it again in the right format, or choose another."
    ),
    "file_broken": lambda: t("This file is damaged. Please choose another."),
    "file_has_macros": lambda: t("Documents with macros are not accepted. Please save yours without macros."),
    "archive_unsafe": lambda: t("This archive can’t be unpacked safely. Please send the files separately."),
    "picture_too_large": lambda: t(
        "This picture has too many pixels for us to check. Make it smaller, or send it in a ZIP archive, which keeps hidden details such as the place."
    ),
    "picture_in_pieces": lambda: t(
        "This picture is too complex for us to check. Save it again, or send it in a ZIP archive, which keeps hidden details such as the place."
    ),
    "no_room_for_files": lambda: t("We can’t accept any more files right now. Please send your request without them."),
    "slot_gone": lambda: t("This time has just been taken. Please choose another."),
}
_FIELD_MESSAGES: dict[str, Callable[[str], str]] = {
    "missing": lambda field: t("{field} is required", field=field),
    "extra_forbidden": lambda field: t("{field} is not a field of this form", field=field),
}
# The limits are pydantic's "ctx" of the error.
_LIMIT_MESSAGES: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "string_too_short": lambda field, limits: t(
        "{field} needs at least {count} characters", field=field, count=limits["min_length"]
    ),
    "string_too_long": lambda field, limits: t(
        "{field} can have at most {count} characters", field=field, count=limits["max_length"]
    ),
    "too_long": lambda field, limits: t("{field}: choose at most {count}", field=field, count=limits["max_length"]),
    "greater_than_equal": lambda field, limits: t("{field} must be at least {number}", field=field, number=limits["ge"]),
    "less_than_equal": lambda field, limits: t("{field} can be at most {number}", field=field, number=limits["le"]),
}


_MALFORMED = ("date_malformed", "number_malformed")
_MAX_FAULTS = 500  # a form has a few dozen fields; thousands of unknown keys are not worth a message each


def problems(error: ValidationError, label: Label = shared_label) -> dict[str, str]:
    """Returns a message for each wrong field; errors of the whole submission have the empty name."""
    messages: dict[str, str] = {}
    if error.error_count() > _MAX_FAULTS:
        return messages
    for error_of_field in error.errors(include_url=False, include_input=True):
        name = str(error_of_field["loc"][0]) if error_of_field["loc"] else ""
        messages.setdefault(
            name, _message(name, error_of_field["type"], error_of_field.get("ctx", {}), error_of_field["input"], label)
        )
    return messages


def problem(kind: str, name: str, value: str = "", *, label: Label = shared_label, **details: Any) -> str:
    """Returns the message of an error that no contract reports: only the provider can detect it, or a form warns about it in advance."""
    return _message(name, kind, details, value, label)


def _message(name: str, kind: str, details: Mapping[str, Any], value: object, label: Label) -> str:
    if name == "services" and kind in ("missing", "too_short"):
        return t("Make sure to select at least 1 service")
    if name == "agreed_terms_version" and kind == "missing":
        return t("Please tick the box to agree to the affiliate terms")
    if isinstance(value, str) and kind in ("too_short", "too_long"):
        kind = f"string_{kind}"
    empty = value in ("", None) or details.get("actual_length") == 0
    if empty and kind in ("string_too_short", "string_pattern_mismatch", "unknown_choice", "string_type", *_MALFORMED):
        kind = "missing"
    if kind in _FIXED_MESSAGES:
        return _FIXED_MESSAGES[kind]()
    if kind in _FIELD_MESSAGES:
        return _FIELD_MESSAGES[kind](label(name))
    if kind in _LIMIT_MESSAGES:
        return _LIMIT_MESSAGES[kind](label(name), details)
    return t("Please check: {field}", field=label(name))
