"""Parses and validates phone numbers, by the provider's rules, which `components/phone_input/parse.js` follows exactly."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat, ValidationResult

MAX_TEXT_LENGTH = 250  # characters searched for a number
_HOME = "GB"  # a number without a country is parsed as if dialled at the agency


@dataclass(frozen=True)
class Phone:
    """A valid number in parts; the extension consists of digits and is often empty."""

    e164: str
    extension: str
    country: str


@lru_cache(maxsize=64)  # the contract calls this first, and the service right afterwards
def parse_phone(text: str, country: str = "") -> Phone | None:
    """Parses the number in a text, a national one by the rules of `country`; returns None if it is not valid."""
    match = find_number(text)
    if match is None:
        return None
    return next(filter(None, (_phone(candidate, country) for candidate in (match, *_first_numbers(match)))), None)


def _phone(match: "NumberMatch", country: str) -> Phone | None:
    number = parse_digits(match.digits, country or _HOME) if match.extension is not None else None
    if not number or not _is_reachable(number):
        return None
    region = phonenumbers.region_code_for_number(number)
    return Phone(
        phonenumbers.format_number(number, PhoneNumberFormat.E164),
        match.extension or "",
        "" if region in (None, phonenumbers.REGION_CODE_FOR_NON_GEO_ENTITY) else region,
    )


def _is_reachable(number: PhoneNumber) -> bool:
    """Returns True if the number is valid and complete; numbers that only work within one town are too short for calls from outside."""
    is_whole = phonenumbers.is_possible_number_with_reason(number) == ValidationResult.IS_POSSIBLE
    return is_whole and phonenumbers.is_valid_number(number)


def example_of(country: str) -> str:
    """Returns an example number of a country in international format."""
    number = phonenumbers.example_number(country)
    return phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL) if number else ""


class NumberMatch(NamedTuple):
    text: str  # with its separators, without the extension
    extension: str | None  # None: more digits than its marker allows

    @property
    def digits(self) -> str:
        """The digits, with a leading + if there was one."""
        return ("+" if self.text.startswith("+") else "") + re.sub(r"\D", "", self.text)

    @property
    def digit_count(self) -> int:
        return len(self.digits.lstrip("+"))


_SEPARATORS = r"[ ()\[\]./~·•\-‐-―−ー]*"
_NUMBER = re.compile(rf"(?:\+{_SEPARATORS})?\d(?:{_SEPARATORS}\d)+")
_EXTENSION_NUMBER = r"[:.]?[ ,-]*(\d+)#?"
_MAX_NUMBER_DIGITS = 15  # digits, of any number in the world
_EXTENSIONS = (  # marker, most digits, True if more digits are a mistake (else they may be another number)
    (re.compile(r";ext=(\d+)", re.IGNORECASE), 20, True),
    (
        re.compile(rf"[ ,(]*(?:extension|extensión|extn?|xtn?|доб|anexo|ต่อ|转|轉|分机|分機){_EXTENSION_NUMBER}", re.IGNORECASE),
        20,
        True,
    ),
    (re.compile(rf"[ ,(]*(?:x|#|~|int){_EXTENSION_NUMBER}", re.IGNORECASE), 9, True),
    (re.compile(rf" *,,{_EXTENSION_NUMBER}"), 15, True),
    (re.compile(rf" *;{_EXTENSION_NUMBER}[ .)]*$"), 15, False),
    (re.compile(rf" *,{_EXTENSION_NUMBER}[ .)]*$"), 9, False),
)
_LAST_GROUP = re.compile(r"(.*\d)[ -]+(\d{1,6})")
_BETWEEN_NUMBERS = re.compile(r" *(?:/| [-‐-―−ー] )")
_OPENED_BRACKET = re.compile(r" *\([^)]*$")


def find_number(text: str) -> NumberMatch | None:
    """Returns the number with the most digits, the first of several, and the extension that directly follows it."""
    text = _ascii_digits(text[:MAX_TEXT_LENGTH])
    candidates = list[NumberMatch]()
    number = _NUMBER.search(text)
    while number:
        ext, end = _extension(text, number.end())
        number_text = number[0]
        if not ext and text[end:].startswith("#") and (parts := _LAST_GROUP.fullmatch(number_text)):  # 020 7946 0958 - 503#
            number_text = parts[1]
            ext = parts[2]
        candidates.append(NumberMatch(number_text, ext))
        number = _NUMBER.search(text, end)
    return max(candidates, key=lambda candidate: candidate.digit_count, default=None)


def _first_numbers(match: NumberMatch) -> Iterator[NumberMatch]:
    """Yields the beginnings of a match, the shortest first, that may be the number if the whole is none.

    These are 020 7946 0958 of “020 7946 0958 / 020 7946 0959”, and of “020 7946 0958 (9am-5pm)”, whose match ends behind the 9.
    """
    ends = _BETWEEN_NUMBERS.finditer(match.text) if match.digit_count > _MAX_NUMBER_DIGITS else ()
    for end in (*ends, *_OPENED_BRACKET.finditer(match.text)):
        yield NumberMatch(match.text[: end.start()], "")


def _extension(text: str, start: int) -> tuple[str | None, int]:
    """Returns the extension that begins here, None if it has too many digits, and the position of its end."""
    for marker, length, strict in _EXTENSIONS:
        if extension := marker.match(text, start):
            if len(extension[1]) <= length:
                return extension[1], extension.end()
            if strict or len(extension[1]) > _MAX_NUMBER_DIGITS:
                return None, extension.end()
    return "", start


def parse_digits(digits: str, region: str | None) -> PhoneNumber | None:
    """Parses the digits by the country's rules; digits that begin with 00 and are not valid there may be an international number."""
    number = _parse_by_region(digits, region)
    if digits.startswith("00") and not (number and phonenumbers.is_valid_number(number)):
        international = _parse_by_region("+" + digits[2:], None)
        if international and phonenumbers.is_valid_number(international):
            return international
    return number


def _parse_by_region(digits: str, region: str | None) -> PhoneNumber | None:
    try:
        return phonenumbers.parse(digits, region)
    except NumberParseException:
        return None


def _ascii_digits(text: str) -> str:
    """Returns the text with ASCII digits, half-width characters, and without the invisible marks that address books insert."""
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
        if unicodedata.category(sign) != "Cf"
    )
