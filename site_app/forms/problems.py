"""What a browser can check in a field by itself, for comfort; the rules are the contract's."""

from typing import Any

from annotated_types import MaxLen, MinLen

from site_app.contracts.input import Input, rules_of
from site_app.contracts.problems import problem
from site_app.leads.kind import SubmissionKind

Rule = dict[str, Any]


def rules(kind: SubmissionKind) -> dict[str, Rule]:
    """What check.js looks at in each field, with the messages ready."""
    return {name: found for name in kind.fields if (found := _rule(kind, name))}


def _rule(kind: SubmissionKind, name: str) -> Rule:
    field = kind.contract.model_fields[name]
    rule: Rule = {}
    if field.is_required():
        rule["required"] = problem("missing", name, label=kind.label)
    if field.annotation is not str:
        return rule | ({"list": True} if rule and getattr(field.annotation, "__origin__", None) is list else {})
    for part in rules_of(kind.contract, name):
        match part:
            case MinLen(min_length=count) if count > 1:
                rule["least"] = [count, problem("string_too_short", name, "a", label=kind.label, min_length=count)]
            case MaxLen(max_length=count):
                rule["most"] = [count, problem("string_too_long", name, label=kind.label, max_length=count)]
            case Input(type="email"):
                rule["email"] = problem("email_malformed", name)
            case Input(type="url"):
                rule["url"] = problem("web_address_malformed", name)
            case Input(type="lines"):
                rule["lines"] = True
    return rule
