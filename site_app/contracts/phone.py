"""A phone number as typed, and the server's own verdict on it."""

from dataclasses import dataclass
from functools import lru_cache

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat

LONGEST = 250  # what the phone input searches for a number; the rest it drops
HOME = "GB"  # a number without a country is read as one dials it at the agency


@dataclass(frozen=True)
class Phone:
    """A valid number in parts; the extension is digits only, and often empty."""

    e164: str
    extension: str
    country: str


@lru_cache(maxsize=64)  # the contract asks first, the service right after it
def read_phone(text: str, country: str = "") -> Phone | None:
    """The number this text is, national ones by the rules of `country`; None when it is not a valid one."""
    try:
        number = phonenumbers.parse(text, country or HOME)
    except NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return Phone(
        e164=phonenumbers.format_number(number, PhoneNumberFormat.E164),
        extension=number.extension or "",
        country=phonenumbers.region_code_for_number(number) or "",
    )
