"""What a phone number is: the rule of the provider, which `components/phone_input/reading.js` follows word for word."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat, ValidationResult

LONGEST_TEXT = 250  # characters searched for a number
_HOME = "GB"  # a number without a country is read as one dials it at the agency


@dataclass(frozen=True)
class Phone:
    """A valid number in parts; the extension is digits only, and often empty."""

    e164: str
    extension: str
    country: str


@lru_cache(maxsize=64)  # the contract asks first, the service right after it
def read_phone(text: str, country: str = "") -> Phone | None:
    """The number this text is, national ones by the rules of `country`; None when it is not a valid one."""
    matches = find(text)
    number = parse(matches.digits, country or _HOME) if matches and matches.extension is not None else None
    if not matches or not number or not _is_reachable(number):
        return None
    region = phonenumbers.region_code_for_number(number)
    return Phone(
        phonenumbers.format_number(number, PhoneNumberFormat.E164),
        matches.extension or "",
        "" if region in (None, phonenumbers.REGION_CODE_FOR_NON_GEO_ENTITY) else region,
    )


def _is_reachable(number: PhoneNumber) -> bool:
    """Whether it fits the country's patterns, and not only inside one town: its length is then too short for calls from outside."""
    is_whole = phonenumbers.is_possible_number_with_reason(number) == ValidationResult.IS_POSSIBLE
    return is_whole and phonenumbers.is_valid_number(number)


def example_of(country: str) -> str:
    """Some number of a country, as it is written from abroad."""
    number = phonenumbers.example_number(country)
    return phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL) if number else ""


class FoundNumber(NamedTuple):
    digits: str  # with a leading + if there was one
    extension: str | None  # None: more digits than the marker may have


_SEPARATORS = r"[ ()\[\]./~·•\-‐-―−ー]*"
_NUMBER = re.compile(rf"(?:\+{_SEPARATORS})?\d(?:{_SEPARATORS}\d)+")
_EXTENSION_NUMBER = r"[:.]?[ ,-]*(\d+)#?"
_LONGEST_NUMBER = 15  # digits, of any number in the world
_EXTENSIONS = (  # marker, most digits, whether too many digits are a mistake (else they may be another number)
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


def find(text: str) -> FoundNumber | None:
    """The number with the most digits, the first of equals, and the extension that stands right behind it."""
    text, matches = _plain(text[:LONGEST_TEXT]), list[FoundNumber]()
    number = _NUMBER.search(text)
    while number:
        ext, end = _extension(text, number.end())
        digits = number[0]
        if not ext and text[end:].startswith("#") and (parts := _LAST_GROUP.fullmatch(digits)):  # 020 7946 0958 - 503#
            digits, ext = parts[1], parts[2]
        matches.append(FoundNumber(("+" if digits.startswith("+") else "") + re.sub(r"\D", "", digits), ext))
        number = _NUMBER.search(text, end)
    return max(matches, key=lambda match: len(match.digits.lstrip("+")), default=None)


def _extension(text: str, start: int) -> tuple[str | None, int]:
    """The extension that begins here and where it ends; None for one with too many digits."""
    for marker, length, strict in _EXTENSIONS:
        if extension := marker.match(text, start):
            if len(extension[1]) <= length:
                return extension[1], extension.end()
            if strict or len(extension[1]) > _LONGEST_NUMBER:
                return None, extension.end()
    return "", start


def parse(digits: str, region: str | None) -> PhoneNumber | None:
    """Read with the country's own rules; what begins with 00 and is no number there may be an international one."""
    number = _parsed(digits, region)
    if digits.startswith("00") and not (number and phonenumbers.is_valid_number(number)):
        abroad = _parsed("+" + digits[2:], None)
        if abroad and phonenumbers.is_valid_number(abroad):
            return abroad
    return number


def _parsed(digits: str, region: str | None) -> PhoneNumber | None:
    try:
        return phonenumbers.parse(digits, region)
    except NumberParseException:
        return None


def _plain(text: str) -> str:
    """ASCII digits, signs of usual width, and none of the invisible marks that address books copy along."""
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
        if unicodedata.category(sign) != "Cf"
    )
