"""The provider's rule of what a phone number is."""

from dataclasses import asdict

import pytest

from site_app.contracts.phones import Phone, read_phone
from tests.corpus.phone.verdict import verdict


@pytest.mark.parametrize(
    ("text", "region", "number", "ext", "formatted"),
    [
        ("2133734253", "US", "+12133734253", "", "(213) 373-4253"),
        ("+12133734253", None, "+12133734253", "", "+1 213 373 4253"),
        ("2133734253 ext. 123", "US", "+12133734253", "123", "(213) 373-4253 ext. 123"),
        ("Tel: +44 (0)20 7946 0958 x12", None, "+442079460958", "12", "+44 20 7946 0958 ext. 12"),
        ("0044 20 7946 0958", "US", "+442079460958", "", "020 7946 0958"),
        ("011 44 20 7946 0958", "us", "+442079460958", "", "020 7946 0958"),
        ("๐๘๑ ๒๓๔ ๕๖๗๘", "TH", "+66812345678", "", "081 234 5678"),
        ("＋４４ ２０ ７９４６ ０９５８", None, "+442079460958", "", "+44 20 7946 0958"),
        ("٠٢٠ ٧٩٤٦ ٠٩٥٨", "GB", "+442079460958", "", "020 7946 0958"),
        ("\u202a+44 20 7946 0958\u202c", None, "+442079460958", "", "+44 20 7946 0958"),
        ("020.7946.0958", "GB", "+442079460958", "", "020 7946 0958"),
        ("Unit 12, call 020 7946 0958", "GB", "+442079460958", "", "020 7946 0958"),
        ("020 7946 0958, 12 High Street", "GB", "+442079460958", "", "020 7946 0958"),
        ("02 123 4567 ต่อ 88", "TH", "+6621234567", "88", "02 123 4567 ext. 88"),
        ("010 8888 9999 转 8001", "CN", "+861088889999", "8001", "010 8888 9999 ext. 8001"),
        ("+80012345678", None, "+80012345678", "", "+800 1234 5678"),
    ],
)
def test_a_number_is_understood_however_it_was_written(text, region, number, ext, formatted):
    found = verdict(text, region)

    assert (found.number, found.ext, found.formatted, found.valid) == (number, ext, formatted, True)


@pytest.mark.parametrize(
    ("text", "region", "reason"),
    [
        ("", "GB", "too_short"),
        ("call me", "GB", "too_short"),
        ("5", "GB", "too_short"),
        ("02079", "GB", "too_short"),
        ("020 7946 0958 09", "GB", "too_long"),
        ("+1 2133734253 99", None, "too_long"),
        ("8122", "CR", "too_short"),
        ("2133734253", None, "invalid_country"),
        ("+999 1234 5678", "GB", "invalid_country"),
        ("020 7946 0958 x1234567890", "GB", "too_long"),
    ],
)
def test_a_refused_number_says_why_and_keeps_what_was_typed(text, region, reason):
    found = verdict(text, region)

    assert (found.valid, found.possible, found.reason, found.formatted, found.number) == (False, False, reason, text, "")


def test_a_number_of_the_right_length_and_no_known_pattern_is_possible_and_not_valid():
    found = verdict("0999 999 9999", "GB", only=["GB"])

    assert (found.possible, found.valid, found.country, found.number) == (True, False, "GB", "+449999999999")


@pytest.mark.parametrize(
    ("marker", "most"),
    [(" ext ", 20), (";ext=", 20), (" extension: ", 20), (",,", 15), (";", 15), (" x", 9), (" #", 9), (",", 9)],
)
def test_an_extension_has_as_many_digits_as_its_marker_allows(marker, most):
    longest = "1234567890" * 2

    fits = verdict(f"020 7946 0958{marker}{longest[:most]}", "GB")
    overlong = verdict(f"020 7946 0958{marker}{longest[:most]}7", "GB")

    assert (fits.number, fits.ext) == ("+442079460958", longest[:most])
    assert not overlong.ext


def test_six_digits_before_a_hash_are_an_extension_in_the_american_way():
    assert verdict("020 7946 0958 - 503#", "GB").ext == "503"


def test_a_number_from_outside_the_accepted_countries_is_never_valid():
    outside = verdict("+66812345678", "GB", only=["gb", "us"])
    inside = verdict("+66812345678", "GB", only=["th"], ignored=["th"])

    assert (outside.valid, outside.possible, outside.country, outside.reason) == (False, False, None, "invalid_country")
    assert inside.valid


def test_a_number_of_an_ignored_country_is_never_valid():
    assert verdict("+66812345678", ignored=["th"]).reason == "invalid_country"


def test_only_the_first_250_characters_are_searched():
    assert not verdict("x" * 250 + "+442079460958").valid
    assert verdict("x" * 200 + "+442079460958").valid


def test_a_verdict_is_plain_data():
    assert asdict(verdict("2133734253", "US")) == {
        "number": "+12133734253",
        "ext": "",
        "country": "US",
        "possible": True,
        "valid": True,
        "reason": "possible",
        "formatted": "(213) 373-4253",
        "national_number": "2133734253",
    }


@pytest.mark.parametrize(
    ("text", "country", "kept"),
    [
        ("020 7946 0958", "", Phone("+442079460958", "", "GB")),
        ("Unit 12, call 020 7946 0958", "GB", Phone("+442079460958", "", "GB")),
        ("0044 20 7946 0958", "US", Phone("+442079460958", "", "GB")),
        ("02 123 4567 ต่อ 88", "TH", Phone("+6621234567", "88", "TH")),
        ("010 8888 9999 转 8001", "CN", Phone("+861088889999", "8001", "CN")),
        ("+80012345678", "", Phone("+80012345678", "", "")),
        ("0999 999 9999", "GB", None),
    ],
)
def test_what_a_form_sends_is_read_by_the_same_rule(text, country, kept):
    assert read_phone(text, country) == kept
