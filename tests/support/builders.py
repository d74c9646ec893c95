"""Valid payloads; a test changes the field it is about."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from site_app.contracts.input import attributes, choices, control
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.meeting import MeetingRequest
from site_app.contracts.submission import ContactedSubmission, LeadKind


def sender(**changes: Any) -> dict[str, Any]:
    return {"key": str(uuid.uuid4()), "email": "ada@example.com", "phone": "+44 20 7946 0958", **changes}


def quote(**changes: Any) -> dict[str, Any]:
    return sender(
        **{
            "full_name": "Ada Lovelace",
            "company": "Analytical Engines Ltd",
            "country": "GB",
            "currency": "GBP",
            "services": ["web-development", "brand-creation"],
            "project_description": "A machine that weaves algebraic patterns, as a web application.",
            "additional_notes": "Punched cards welcome.",
        }
        | changes
    )


def message(**changes: Any) -> dict[str, Any]:
    return sender(
        **{
            "full_name": "Ada Lovelace",
            "subject": "A question",
            "message": "Do you write programs for machines that do not exist yet?",
        }
        | changes
    )


def affiliate(**changes: Any) -> dict[str, Any]:
    return sender(
        **{
            "first_name": "Ada",
            "last_name": "Lovelace",
            "company_website": "https://www.example.com/ada",
            "country": "GB",
            "currency": "GBP",
            "agreed_terms_version": "2024-08-14",
        }
        | changes
    )


def meeting(**changes: Any) -> dict[str, Any]:
    return sender(
        **{
            "email": f"{uuid.uuid4().hex[:8]}@example.com",  # a mailbox may have one upcoming meeting
            "full_name": "Ada Lovelace",
            "slot": "20300102T0930Z",
            "time_zone": "Europe/London",
            "project_information": "A machine that weaves algebraic patterns.",
        }
        | changes
    )


def sample(kind: LeadKind, **changes: Any) -> dict[str, Any]:
    """Returns a payload of any kind, with a value in every field but files."""
    return sender(**{name: _sample_value(kind, name) for name in kind.own_fields} | changes)


def _sample_value(kind: LeadKind, name: str) -> Any:
    rules = attributes(kind.contract, name)
    least_length, most_length = rules.get("minlength", 1), rules.get("maxlength", 100)
    match control(kind.contract, name):
        case "choice":
            return next(iter(choices(kind.contract, name)))
        case "choices":
            return [*choices(kind.contract, name)][:1]
        case "number":
            return rules["max"]
        case "tick":
            return True
    values = {
        "email": "ada@example.com",
        "date": "2030-01-02",
        "url": "https://www.example.com/ada",
        "country": "GB",
        "currency": "GBP",
    }
    return values.get(
        control(kind.contract, name),
        ("Looms and engines " * 300)[: max(least_length, min(most_length, 40))].strip().ljust(least_length, "."),
    )


_FORM_BUILDERS = {"quote": quote, "message": message, "affiliate": affiliate}
# Every call that takes a form's payload: its contract, and a valid payload.
SUBMISSIONS: dict[str, tuple[type[ContactedSubmission], Callable[..., dict[str, Any]]]] = {
    **{kind.call: (kind.contract, _FORM_BUILDERS.get(kind.name, partial(sample, kind))) for kind in LEAD_KINDS},
    "bookMeeting": (MeetingRequest, meeting),
}


# What the phone input tells about a number with an extension.
PHONE_PAYLOAD = {
    "country": "US", "countryCode": "US", "formatted": "(213) 373-4253 ext. 123", "valid": True, "possible": True,
    "nationalNumber": "2133734253", "number": "+12133734253", "ext": "123", "verdict": "possible",
}  # fmt: skip
