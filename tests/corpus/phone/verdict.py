"""The full verdict that the phone input gives in the browser, made by Google's library for Python: what the input is compared with."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat, ValidationResult

from site_app.contracts.phones import Found, find, parse

Reason = Literal["possible", "too_short", "too_long", "invalid_length", "invalid_country"]
_REASONS: dict[int, Reason] = {
    ValidationResult.IS_POSSIBLE: "possible",
    ValidationResult.TOO_SHORT: "too_short",
    ValidationResult.TOO_LONG: "too_long",
    ValidationResult.INVALID_LENGTH: "invalid_length",
    ValidationResult.INVALID_COUNTRY_CODE: "invalid_country",
}
_FAILURES: dict[int, Reason] = {
    NumberParseException.INVALID_COUNTRY_CODE: "invalid_country",
    NumberParseException.TOO_LONG: "too_long",
}


@dataclass(frozen=True)
class PhoneVerdict:
    number: str  # E.164; empty unless the number is possible
    ext: str
    country: str | None  # two letters; None for numbers of no country, or of one that is not accepted
    possible: bool  # the length fits the country's plan; `valid` asks for the pattern too
    valid: bool
    reason: Reason
    formatted: str  # as a person writes it once it is valid, until then what was typed
    national_number: str


def verdict(text: str, region: str | None = None, only: Collection[str] = (), ignored: Collection[str] = ()) -> PhoneVerdict:
    """Judge what was typed with this country chosen; numbers from outside `only`, or of `ignored`, are never valid."""
    found = find(text)
    if found is None:
        return _refused(text, "too_short")
    if found.extension is None:
        return _refused(text, "too_long")
    region = region.upper() if region else None
    number = parse(found.digits, region)
    if number is None:
        return _refused(text, _failure(found.digits, region), found.extension)
    country, reason = _country(number, region), _reason(number)
    if reason == "possible" and not _accepted(country, only, ignored):
        return _refused(text, "invalid_country", found.extension, phonenumbers.national_significant_number(number))
    possible = reason == "possible"
    valid = possible and phonenumbers.is_valid_number(number)
    return PhoneVerdict(
        number=phonenumbers.format_number(number, PhoneNumberFormat.E164) if possible else "",
        ext=found.extension,
        country=country,
        possible=possible,
        valid=valid,
        reason=reason,
        formatted=_written(number, found) if valid else text,
        national_number=phonenumbers.national_significant_number(number),
    )


def _refused(text: str, reason: Reason, ext: str = "", national_number: str = "") -> PhoneVerdict:
    return PhoneVerdict("", ext, None, False, False, reason, text, national_number)


def _failure(digits: str, region: str | None) -> Reason:
    try:
        phonenumbers.parse(digits, region)
    except NumberParseException as failure:
        return _FAILURES.get(failure.error_type, "too_short")
    raise AssertionError(f"{digits} can be parsed")


def _reason(number: PhoneNumber) -> Reason:
    return _REASONS.get(phonenumbers.is_possible_number_with_reason(number)) or _local_only(number)


def _local_only(number: PhoneNumber) -> Reason:
    """What would do inside one town only, which no caller from outside can use."""
    code = number.country_code or 0
    main = phonenumbers.region_code_for_country_code(code)
    plan = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(code, main)
    shortest = min(plan.general_desc.possible_length) if plan and plan.general_desc else 0
    return "too_short" if len(phonenumbers.national_significant_number(number)) < shortest else "invalid_length"


def _country(number: PhoneNumber, region: str | None) -> str | None:
    """The country whose pattern fits; while none does the chosen one, or the main one, of those with its code."""
    country = phonenumbers.region_code_for_number(number) if phonenumbers.is_valid_number(number) else None
    if not country and region and phonenumbers.country_code_for_region(region) == number.country_code:
        country = region
    country = country or phonenumbers.region_code_for_country_code(number.country_code or 0)
    return None if country == phonenumbers.REGION_CODE_FOR_NON_GEO_ENTITY else country


def _written(number: PhoneNumber, found: Found) -> str:
    if found.digits.startswith("+"):
        text = re.sub(r"[^+\d]+", " ", phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL))
    else:
        text = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    return f"{text} ext. {found.extension}" if found.extension else text


def _accepted(country: str | None, only: Collection[str], ignored: Collection[str]) -> bool:
    """As the spec has it: a list of accepted countries wins over a list of ignored ones."""
    if only:
        return country is not None and country in {one.upper() for one in only}
    return country not in {one.upper() for one in ignored}
