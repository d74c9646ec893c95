"""Lists of words and of times read as each language writes them."""

from datetime import timedelta

import pytest

from site_app.core.i18n import join_names, join_with_and, use
from site_app.core.i18n.clocks import lead_time_words
from site_app.core.i18n.names import region_name
from site_app.core.locales import BY_ID

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.mark.parametrize(
    ("language", "parts", "words"),
    [
        ("en", [], ""),
        ("en", ["English"], "English"),
        ("en", ["English", "Thai"], "English and Thai"),
        ("en", ["English", "Thai", "Chinese"], "English, Thai and Chinese"),
        ("th", ["อังกฤษ", "ไทย"], "อังกฤษและไทย"),
        ("cn", ["英语", "中文"], "英语、中文"),
    ],
)
def test_the_last_word_is_joined_as_the_language_does(language: str, parts: list[str], words: str) -> None:
    with use(BY_ID[language]):
        assert join_with_and(parts) == words


@pytest.mark.parametrize(("language", "words"), [("en", "Tom and Hannah"), ("th", "Tom และ Hannah"), ("cn", "Tom、Hannah")])
def test_names_in_latin_letters_are_joined_as_the_language_does(language: str, words: str) -> None:
    with use(BY_ID[language]):
        assert join_names(["Tom", "Hannah"]) == words


@pytest.mark.parametrize(
    ("language", "lead_times", "words"),
    [
        ("en", (), ""),
        ("en", (HOUR,), "an hour"),
        ("en", (HOUR, DAY), "a day and an hour"),
        ("en", (2 * DAY, 90 * MINUTE), "2 days and 90 minutes"),
        ("th", (DAY, HOUR), "1 วัน และ 1 ชั่วโมง"),
        ("cn", (DAY, HOUR), "1 天和 1 小时"),
    ],
)
def test_lead_times_are_named_longest_first(language: str, lead_times: tuple[timedelta, ...], words: str) -> None:
    with use(BY_ID[language]):
        assert lead_time_words(lead_times) == words


@pytest.mark.parametrize(
    ("code", "name"), [("GB-ENG", "England"), ("GB-SCT", "Scotland"), ("TH", "Thailand"), ("US-NY", "United States")]
)
def test_a_region_is_named_by_its_country_or_its_part_of_the_kingdom(code: str, name: str) -> None:
    with use(BY_ID["en"]):
        assert region_name(code) == name
