"""What a browser can check in a field by itself, for comfort; the rules are the contract's."""

from typing import Any

from site_app.contracts.input import attributes, control
from site_app.contracts.kind import SubmissionKind
from site_app.contracts.problems import problem

Rule = dict[str, Any]


def rules(kind: SubmissionKind) -> dict[str, Rule]:
    """What check.js looks at in each field, with the messages ready."""
    return {name: found for name in kind.fields if (found := _rule(kind, name))}


def _rule(kind: SubmissionKind, name: str) -> Rule:
    bounds, asked = attributes(kind.contract, name), control(kind.contract, name)
    rule: Rule = {}
    if "required" in bounds:
        rule["required"] = problem("missing", name, label=kind.label)
        if asked in ("choices", "files"):
            rule["list"] = True
    if least := bounds.get("minlength"):
        rule["least"] = [least, problem("string_too_short", name, "a", label=kind.label, min_length=least)]
    if most := bounds.get("maxlength"):
        rule["most"] = [most, problem("string_too_long", name, label=kind.label, max_length=most)]
    match asked:
        case "email":
            rule["email"] = problem("email_malformed", name)
        case "url":
            rule["url"] = problem("web_address_malformed", name)
        case "lines":
            rule["lines"] = True
    return rule
