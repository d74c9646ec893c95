"""One moment, formatted in three languages and for two time zones."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from site_app.core.i18n import use
from site_app.core.i18n.clocks import (
    both_clocks,
    city,
    clock_change_near,
    moment_words,
    offset_words,
    zone_choices,
    zones_with_country,
)
from site_app.core.locales import BY_ID, LOCALES, Locale

LONDON = ZoneInfo("Europe/London")
MOMENT = datetime(2026, 8, 4, 8, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Europe/London", "Tuesday 4 August 2026, 09:00 London"),
        ("Asia/Kathmandu", "Tuesday 4 August 2026, 13:45 Kathmandu · 09:00 London"),
        ("Pacific/Honolulu", "Monday 3 August 2026, 22:00 Honolulu · Tue 09:00 London"),
        ("Asia/Shanghai", "Tuesday 4 August 2026, 16:00 Beijing · 09:00 London"),
        ("Europe/Guernsey", "Tuesday 4 August 2026, 09:00 Guernsey"),
        ("America/Argentina/Buenos_Aires", "Tuesday 4 August 2026, 05:00 Buenos Aires · 09:00 London"),
    ],
)
def test_both_local_times_are_shown_with_weekdays_only_where_they_differ(zone: str, words: str) -> None:
    with use(BY_ID["en"]):
        assert moment_words(MOMENT, ZoneInfo(zone), LONDON) == words


def test_dates_and_places_speak_the_language_being_written() -> None:
    with use(BY_ID["th"]):
        assert "สิงหาคม" in moment_words(MOMENT, ZoneInfo("Asia/Bangkok"), LONDON)
        assert city(LONDON) == "ลอนดอน"
    with use(BY_ID["cn"]):
        assert "2026年8月4日" in moment_words(MOMENT, ZoneInfo("Asia/Shanghai"), LONDON)
        assert both_clocks(MOMENT, ZoneInfo("Asia/Shanghai"), LONDON) == "北京时间 16:00 · 伦敦时间 09:00"


@pytest.mark.parametrize("language", ["th", "cn"])
def test_every_place_has_a_name_in_the_language_also_under_its_old_one(language: str) -> None:
    with use(BY_ID[language]):
        names = {
            zone: city(ZoneInfo(zone))
            for zone in (*(zone for zone, country in zones_with_country() if country), "Asia/Calcutta", "Europe/Kiev")
        }

    assert {zone: name for zone, name in names.items() if re.search("[A-Za-z]", name)} == {}
    assert names["Asia/Calcutta"] == names["Asia/Kolkata"]


def test_offsets_follow_daylight_saving() -> None:
    january = datetime(2026, 1, 6, 9, tzinfo=UTC)

    assert [offset_words(moment, LONDON) for moment in (january, MOMENT)] == ["UTC+00:00", "UTC+01:00"]
    assert offset_words(MOMENT, ZoneInfo("America/St_Johns")) == "UTC-02:30"


@pytest.mark.parametrize("language", LOCALES, ids=lambda language: language.id)
@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC"])
def test_the_label_of_utc_says_so_once(zone: str, language: Locale) -> None:
    with use(language):
        labels = dict(zone_choices(MOMENT, zone))

    assert labels[zone] == "UTC"
    assert "(UTC+01:00)" in labels["Europe/London"].replace("（", "(").replace("）", ")")


@pytest.mark.parametrize(("zone", "offset"), [("Etc/GMT-3", "UTC+03:00"), ("Etc/GMT+11", "UTC-11:00")])
def test_a_zone_named_by_its_offset_is_shown_with_the_sign_that_people_read(zone: str, offset: str) -> None:
    with use(BY_ID["en"]):
        assert city(ZoneInfo(zone)) == offset
        assert dict(zone_choices(MOMENT, zone))[zone] == offset


@pytest.mark.parametrize(
    ("day", "zone", "change"),
    [
        (date(2026, 3, 22), LONDON, date(2026, 3, 29)),
        (date(2026, 4, 4), LONDON, date(2026, 3, 29)),
        (date(2026, 10, 25), LONDON, date(2026, 10, 25)),
        (date(2026, 3, 21), LONDON, None),
        (date(2026, 3, 29), ZoneInfo("Asia/Bangkok"), None),
        (date(2026, 9, 25), ZoneInfo("Pacific/Auckland"), date(2026, 9, 27)),
        (date(2026, 9, 4), ZoneInfo("Pacific/Easter"), date(2026, 9, 5)),  # on Saturday at 22:00
        (date(2026, 10, 30), ZoneInfo("Africa/Cairo"), date(2026, 10, 29)),  # from 24:00 back to 23:00
        (date(2027, 3, 14), ZoneInfo("America/Havana"), date(2027, 3, 14)),  # from 00:00 to 01:00
    ],
)
def test_a_day_near_a_change_of_clocks_is_recognised(day: date, zone: ZoneInfo, change: date | None) -> None:
    moment = clock_change_near(day, zone)

    assert (moment and moment.astimezone(zone).date()) == change
