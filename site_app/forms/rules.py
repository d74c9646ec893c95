"""The rules of a form's fields that the browser checks itself, from the form's contract."""

from typing import Any

from site_app.contracts.input import attributes, control
from site_app.contracts.problems import problem
from site_app.contracts.submission import SubmissionKind

FieldRule = dict[str, Any]


def rules(kind: SubmissionKind) -> dict[str, FieldRule]:
    """Returns the rules by which check.js checks each field, with their messages."""
    return {name: rule for name in kind.fields if (rule := _rule(kind, name))}


def _rule(kind: SubmissionKind, name: str) -> FieldRule:
    bounds = attributes(kind.contract, name)
    control_name = control(kind.contract, name)
    rule: FieldRule = {}
    if "required" in bounds:
        rule["required"] = problem("missing", name, label=kind.label)
        if control_name in ("choices", "files"):
            rule["list"] = True
    if minimum := bounds.get("minlength"):
        rule["least"] = [minimum, problem("string_too_short", name, "a", label=kind.label, min_length=minimum)]
    if maximum := bounds.get("maxlength"):
        rule["most"] = [maximum, problem("string_too_long", name, label=kind.label, max_length=maximum)]
    match control_name:
        case "email":
            rule["email"] = problem("email_malformed", name)
        case "url":
            rule["url"] = problem("web_address_malformed", name)
        case "lines":
            rule["lines"] = True
    return rule
