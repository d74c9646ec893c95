"""Payloads that are right as they stand; a test changes the field it is about."""

import uuid
from collections.abc import Callable
from typing import Any

from site_app.contracts.affiliate import AffiliateRequest
from site_app.contracts.meeting import MeetingRequest
from site_app.contracts.message import Message
from site_app.contracts.quote import QuoteRequest
from site_app.contracts.submission import Reachable


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
            "full_name": "Ada Lovelace",
            "slot": "20300102T0930Z",
            "time_zone": "Europe/London",
            "project_information": "A machine that weaves algebraic patterns.",
        }
        | changes
    )


# Every call that takes what a form sends: its contract, and a payload for it. tests/repo/test_forms.py misses none.
SUBMISSIONS: dict[str, tuple[type[Reachable], Callable[..., dict[str, Any]]]] = {
    "requestQuote": (QuoteRequest, quote),
    "sendMessage": (Message, message),
    "submitAffiliateRequest": (AffiliateRequest, affiliate),
    "bookMeeting": (MeetingRequest, meeting),
}
