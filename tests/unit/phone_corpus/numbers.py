"""The shared corpus: likely input, derived from every region's example numbers; the same on every run."""

import random
from collections.abc import Iterator

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberFormat, PhoneNumberType

HOME = "GB"  # for numbers without a chosen country
Case = tuple[str, str]  # the text, and the country chosen with it

_TYPES = (
    PhoneNumberType.FIXED_LINE,
    PhoneNumberType.MOBILE,
    PhoneNumberType.TOLL_FREE,
    PhoneNumberType.PREMIUM_RATE,
    PhoneNumberType.SHARED_COST,
    PhoneNumberType.PERSONAL_NUMBER,
    PhoneNumberType.VOIP,
    PhoneNumberType.PAGER,
    PhoneNumberType.UAN,
    PhoneNumberType.VOICEMAIL,
)
_SCRIPTS = ("๐๑๒๓๔๕๖๗๘๙", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９", "០១២៣៤៥៦៧៨៩")
_MARKERS = (" ext. ", " x", ";ext=", ",,", " #", " ext ", ",", ";", " ต่อ ", " 转 ", " extension ", " доб. ")


def cases(seed: int = 20240814) -> list[Case]:
    """Returns every example of every region, as it is and with the changes that people make."""
    chance = random.Random(seed)
    unique: dict[Case, None] = {}
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for number in _examples(region):
            unique |= dict.fromkeys(_spellings(number, region))
            unique |= dict.fromkeys(_mistyped(number, region, chance))
    for code in sorted(phonenumbers.COUNTRY_CODES_FOR_NON_GEO_REGIONS):
        if number := phonenumbers.example_number_for_non_geo_entity(code):
            unique[phonenumbers.format_number(number, PhoneNumberFormat.E164), HOME] = None
    return [*unique, *_ODDITIES]


def _examples(region: str) -> Iterator[PhoneNumber]:
    national_numbers = set()
    for kind in _TYPES:
        number = phonenumbers.example_number_for_type(region, kind)
        if number and number.national_number not in national_numbers:
            national_numbers.add(number.national_number)
            yield number


def _spellings(number: PhoneNumber, region: str) -> Iterator[Case]:
    yield phonenumbers.format_number(number, PhoneNumberFormat.E164), HOME
    yield phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL), region
    yield phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL), region
    yield phonenumbers.national_significant_number(number), region


def _mistyped(number: PhoneNumber, region: str, chance: random.Random) -> Iterator[Case]:
    digits = phonenumbers.national_significant_number(number)
    national = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    code = f"+{number.country_code}"
    at = chance.randrange(len(digits))
    extension = str(chance.randrange(1, 10 ** chance.randrange(1, 7)))
    yield digits[:-1], region
    yield digits + str(chance.randrange(10)), region
    yield code + digits[:-2], HOME
    yield code + digits + "99", HOME
    yield code + digits[:at] + str(chance.randrange(10)) + digits[at + 1 :], region
    yield digits[:at] + str(chance.randrange(10)) + digits[at + 1 :], region
    yield f"00{number.country_code} {digits}", chance.choice(("GB", "US", "TH", "CN", HOME))
    yield f"{number.country_code}{digits}", region
    yield f"{code} (0){digits}", HOME
    yield national.replace(" ", "."), region
    yield national.translate(str.maketrans("0123456789", chance.choice(_SCRIPTS))), region
    yield national + chance.choice(_MARKERS) + extension, region
    yield f"Tel: {code} {digits}, thank you", HOME
    yield national, chance.choice(sorted(phonenumbers.SUPPORTED_REGIONS))


_ODDITIES: tuple[Case, ...] = (
    ("5", "GB"),
    ("12", "GB"),
    ("call me", "GB"),
    ("+", "US"),
    ("++44 20 7946 0958", HOME),
    ("+44", HOME),
    ("+9991234567", HOME),
    ("0" * 20, "IT"),
    ("1" * 17, "US"),
    ("1" * 18, "US"),
    ("+1 (213) 373-4253 - 503#", "US"),
    ("2133734253 ext. 123", "US"),
    ("2133734253 x1234567890", "US"),
    ("2133734253 ext 123456789012345678901", "US"),
    ("2133734253,,1234567890123456", "US"),
    ("2133734253;1234567890123456", "US"),
    ("2133734253,1234567890123456", "US"),
    ("2133734253,1234567890", "US"),
    ("+442079460958x1234", HOME),
    ("02079460958 ext 123456789", "GB"),
    ("0800 FLOWERS", "GB"),
    ("Unit 12, call 020 7946 0958", "GB"),
    ("020 7946 0958, 12 High Street", "GB"),
    ("020 7946 0958; 020 7946 0959", "GB"),
    ("020 7946 0958 / 020 7946 0959", "GB"),
    ("020 7946 0958 - 020 7946 0959 x12", "GB"),
    ("01 42 68 53 00 / 06 12 34 56 78", "FR"),
    ("02 123 4567 / 081 234 5678", "TH"),
    ("030 / 12345678 / 030 / 87654321", "DE"),
    ("0049 (0)1511 / 1234567", "GB"),
    ("011 - 44 (0)20 7946 0958", "US"),
    ("020 7946 0958 (9am-5pm)", "GB"),
    ("020 7946 0958 (09.00-17.00)", "GB"),
    ("02-123-4567-9", "TH"),
    ("\u202a+44 20 7946 0958\u202c", HOME),
    ("＋４４（２０）７９４６－０９５８", HOME),
    ("tel:+44-20-7946-0958;ext=12", HOME),
    ("*31#2133734253", "US"),
    ("2133734253" + " " * 300, "US"),
    ("x" * 245 + "2133734253", "US"),
)
