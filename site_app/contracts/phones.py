"""What a phone number is: the rule of the provider, which `components/phone_input/reading.js` follows word for word."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat, ValidationResult

LONGEST_TEXT = 250  # characters searched for a number
_HOME = "GB"  # a number without a country is read as one dials it at the agency
Reason = Literal["possible", "too_short", "too_long", "invalid_length", "invalid_country"]


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


@dataclass(frozen=True)
class Phone:
    """A valid number in parts; the extension is digits only, and often empty."""

    e164: str
    extension: str
    country: str


@lru_cache(maxsize=64)  # the contract asks first, the service right after it
def read_phone(text: str, country: str = "") -> Phone | None:
    """The number this text is, national ones by the rules of `country`; None when it is not a valid one."""
    found = verdict(text, country or _HOME)
    return Phone(found.number, found.ext, found.country or "") if found.valid else None


def example_of(country: str) -> str:
    """Some number of a country, as it is written from abroad."""
    number = phonenumbers.example_number(country)
    return phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL) if number else ""


def verdict(text: str, region: str | None = None, only: Collection[str] = (), ignored: Collection[str] = ()) -> PhoneVerdict:
    """Judge what was typed with this country chosen; numbers from outside `only`, or of `ignored`, are never valid."""
    found = _find(_plain(text[:LONGEST_TEXT]))
    if found is None:
        return _refused(text, "too_short")
    if found.ext is None:
        return _refused(text, "too_long")
    region = region.upper() if region else None
    number, reason = _parse(found, region)
    if number is None:
        return _refused(text, reason, found.ext)
    country = _country(number, region)
    if reason == "possible" and not _accepted(country, only, ignored):
        return _refused(text, "invalid_country", found.ext, phonenumbers.national_significant_number(number))
    possible = reason == "possible"
    valid = possible and phonenumbers.is_valid_number(number)
    return PhoneVerdict(
        number=phonenumbers.format_number(number, PhoneNumberFormat.E164) if possible else "",
        ext=found.ext,
        country=country,
        possible=possible,
        valid=valid,
        reason=reason,
        formatted=_written(number, found) if valid else text,
        national_number=phonenumbers.national_significant_number(number),
    )


class _Found(NamedTuple):
    digits: str  # with a leading + if there was one
    ext: str | None  # None: more digits than the marker may have


def _refused(text: str, reason: Reason, ext: str = "", national_number: str = "") -> PhoneVerdict:
    return PhoneVerdict("", ext, None, False, False, reason, text, national_number)


def _plain(text: str) -> str:
    """ASCII digits, signs of usual width, and none of the invisible marks that address books copy along."""
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
        if unicodedata.category(sign) != "Cf"
    )


_BETWEEN = r"[ ()\[\]./~·•\-‐-―−ー]*"
_NUMBER = re.compile(rf"(?:\+{_BETWEEN})?\d(?:{_BETWEEN}\d)+")
_AFTER = r"[:.]?[ ,-]*(\d+)#?"
_LONGEST_NUMBER = 15  # digits, of any number in the world
_EXTENSIONS = (  # marker, most digits, whether too many digits are a mistake (else they may be another number)
    (re.compile(r";ext=(\d+)", re.IGNORECASE), 20, True),
    (re.compile(rf"[ ,(]*(?:extension|extensión|extn?|xtn?|доб|anexo|ต่อ|转|轉|分机|分機){_AFTER}", re.IGNORECASE), 20, True),
    (re.compile(rf"[ ,(]*(?:x|#|~|int){_AFTER}", re.IGNORECASE), 9, True),
    (re.compile(rf" *,,{_AFTER}"), 15, True),
    (re.compile(rf" *;{_AFTER}[ .)]*$"), 15, False),
    (re.compile(rf" *,{_AFTER}[ .)]*$"), 9, False),
)
_LAST_GROUP = re.compile(r"(.*\d)[ -]+(\d{1,6})")


def _find(text: str) -> _Found | None:
    """The number with the most digits, the first of equals, and the extension that stands right behind it."""
    found: list[_Found] = []
    number = _NUMBER.search(text)
    while number:
        ext, end = _extension(text, number.end())
        digits = number[0]
        if not ext and text[end:].startswith("#") and (parts := _LAST_GROUP.fullmatch(digits)):  # 020 7946 0958 - 503#
            digits, ext = parts[1], parts[2]
        found.append(_Found(("+" if digits.startswith("+") else "") + re.sub(r"\D", "", digits), ext))
        number = _NUMBER.search(text, end)
    return max(found, key=lambda one: len(one.digits.lstrip("+")), default=None)


def _extension(text: str, start: int) -> tuple[str | None, int]:
    """The extension that begins here and where it ends; None for one with too many digits."""
    for marker, most, strict in _EXTENSIONS:
        if extension := marker.match(text, start):
            if len(extension[1]) <= most:
                return extension[1], extension.end()
            if strict or len(extension[1]) > _LONGEST_NUMBER:
                return None, extension.end()
    return "", start


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


def _parse(found: _Found, region: str | None) -> tuple[PhoneNumber | None, Reason]:
    """Read with the country's own rules; what begins with 00 and is no number there may be an international one."""
    number, reason = _read(found.digits, region)
    if found.digits.startswith("00") and not (number and phonenumbers.is_valid_number(number)):
        abroad, why = _read("+" + found.digits[2:], None)
        if abroad and phonenumbers.is_valid_number(abroad):
            return abroad, why
    return number, reason


def _read(digits: str, region: str | None) -> tuple[PhoneNumber | None, Reason]:
    try:
        number = phonenumbers.parse(digits, region)
    except NumberParseException as failure:
        return None, _FAILURES.get(failure.error_type, "too_short")
    length = phonenumbers.is_possible_number_with_reason(number)
    return number, _REASONS.get(length) or _local_only(number)


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


def _written(number: PhoneNumber, found: _Found) -> str:
    if found.digits.startswith("+"):
        text = re.sub(r"[^+\d]+", " ", phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL))
    else:
        text = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    return f"{text} ext. {found.ext}" if found.ext else text


def _accepted(country: str | None, only: Collection[str], ignored: Collection[str]) -> bool:
    """As the spec has it: a list of accepted countries wins over a list of ignored ones."""
    if only:
        return country is not None and country in {one.upper() for one in only}
    return country not in {one.upper() for one in ignored}
