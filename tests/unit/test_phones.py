"""The provider's validation of phone numbers."""

import pytest

from site_app.contracts.phones import Phone, parse_phone

LONDON = Phone("+442079460958", "", "GB")


@pytest.mark.parametrize(
    ("text", "country", "read"),
    [
        ("020 7946 0958", "", LONDON),
        ("020.7946.0958", "GB", LONDON),
        ("0044 20 7946 0958", "US", LONDON),
        ("011 44 20 7946 0958", "US", LONDON),
        ("＋４４ ２０ ７９４６ ０９５８", "", LONDON),
        ("٠٢٠ ٧٩٤٦ ٠٩٥٨", "GB", LONDON),
        ("\u202a+44 20 7946 0958\u202c", "", LONDON),
        ("Unit 12, call 020 7946 0958", "GB", LONDON),
        ("020 7946 0958, 12 High Street", "GB", LONDON),
        ("Tel: +44 (0)20 7946 0958 x12", "", Phone("+442079460958", "12", "GB")),
        ("020 7946 0958 - 503#", "GB", Phone("+442079460958", "503", "GB")),
        ("02 123 4567 ต่อ 88", "TH", Phone("+6621234567", "88", "TH")),
        ("010 8888 9999 转 8001", "CN", Phone("+861088889999", "8001", "CN")),
        ("+80012345678", "", Phone("+80012345678", "", "")),
        ("x" * 200 + "+442079460958", "", LONDON),
    ],
)
def test_a_number_is_understood_however_it_was_written(text: str, country: str, read: Phone) -> None:
    assert parse_phone(text, country) == read


@pytest.mark.parametrize(
    ("text", "country", "read"),
    [
        ("020 7946 0958 / 020 7946 0959", "GB", LONDON),
        ("020 7946 0958/020 7946 0959 ext. 12", "GB", LONDON),
        ("020 7946 0958 - 020 7946 0959", "GB", LONDON),
        ("020 7946 0958 – 020 7946 0959 – 020 7946 0960", "GB", LONDON),
        ("+44 20 7946 0958 ／ +44 20 7946 0959", "US", LONDON),
        ("01 42 68 53 00 / 06 12 34 56 78", "FR", Phone("+33142685300", "", "FR")),
        ("02 123 4567 / 081 234 5678", "TH", Phone("+6621234567", "", "TH")),
        ("030 / 12345678 / 030 / 87654321", "DE", Phone("+493012345678", "", "DE")),
        ("020 7946 0958 (9am-5pm)", "GB", LONDON),
        ("020 7946 0958 (09.00-17.00)", "GB", LONDON),
        ("(020) 7946 0958 (24 h)", "GB", LONDON),
    ],
)
def test_the_first_of_several_numbers_is_taken(text: str, country: str, read: Phone) -> None:
    assert parse_phone(text, country) == read


@pytest.mark.parametrize(
    ("text", "country", "read"),
    [
        ("0049 (0)1511 / 1234567", "GB", Phone("+4915111234567", "", "DE")),
        ("011 - 44 (0)20 7946 0958", "US", LONDON),
        ("030 / 12345678", "DE", Phone("+493012345678", "", "DE")),
        ("020 7946 (0958)", "GB", LONDON),
    ],
)
def test_slashes_dashes_and_brackets_inside_one_number_stay(text: str, country: str, read: Phone) -> None:
    assert parse_phone(text, country) == read


@pytest.mark.parametrize(
    ("text", "country"),
    [
        *((text, "GB") for text in ("", "call me", "5", "02079", "020 7946 0958 09", "0999 999 9999", "+999 1234 5678")),
        *((text, "GB") for text in ("020 7946 / 0958 020 7946 0959", "020 7946 0958 / 09", "5 (020 7946 0958 09")),
        *(("8122", "CR"), ("2133734253", "GB"), ("x" * 250 + "+442079460958", "")),
    ],
)
def test_an_undiallable_text_is_no_number(text: str, country: str) -> None:
    assert parse_phone(text, country) is None


@pytest.mark.parametrize(
    ("marker", "max_digits"),
    [(" ext ", 20), (";ext=", 20), (" extension: ", 20), (",,", 15), (";", 15), (" x", 9), (" #", 9), (",", 9)],
)
def test_an_extension_has_as_many_digits_as_its_marker_allows(marker: str, max_digits: int) -> None:
    longest = "1234567890" * 2

    fits, overlong = (
        parse_phone(f"020 7946 0958{marker}{digits}", "GB") for digits in (longest[:max_digits], longest[:max_digits] + "7")
    )

    assert fits == Phone("+442079460958", longest[:max_digits], "GB")
    assert not (overlong and overlong.extension)
