"""Addresses people are reached at: e-mail and web."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from site_app.contracts.input import Input
from site_app.contracts.text import OneLine

# An address may hold these letters, and a mail's header says something else with them: it cannot be written into one.
_ENCODED_WORD = re.compile(r"=\?.*\?=")


def _email(text: str) -> str:
    if not text:
        return text  # left empty: the length says so
    if _ENCODED_WORD.search(text):
        raise PydanticCustomError("email_malformed", "Not an e-mail address")
    try:
        # No DNS here: only the provider asks, once the whole submission is right (site_app/api/mail_domains.py).
        # What the mail server cannot write in ASCII it may not be able to send either.
        found = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError:
        domain = text.rpartition("@")[2].lower().rstrip(".")
        if domain.rpartition(".")[2] in SPECIAL_USE_DOMAIN_NAMES:
            raise PydanticCustomError("email_refused", "Nobody can be reached there") from None
        raise PydanticCustomError("email_malformed", "Not an e-mail address") from None
    return found.ascii_email or found.normalized


def _web_address(text: str) -> str:
    if not text:
        return text
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = None, None
    if not parts or parts.scheme not in ("http", "https") or not host or "." not in host or " " in text or parts.username:
        raise PydanticCustomError("web_address_malformed", "Not a web address")
    return text


Email = Annotated[
    OneLine,
    Field(min_length=1, max_length=254),
    AfterValidator(_email),
    Input("email"),
    WithJsonSchema({"type": "string", "format": "email", "minLength": 1, "maxLength": 254}),
]
WebAddress = Annotated[
    OneLine,
    Field(max_length=300),
    AfterValidator(_web_address),
    Input("url"),
    WithJsonSchema({"type": "string", "format": "uri", "maxLength": 300}),
]
