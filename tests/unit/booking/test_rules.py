"""Working hours in local time give the right instants, also on the days clocks change."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from site_app.core.settings import BrokenSetting, Settings, as_text, load
from site_app.provider.booking.rules import booking_rules, starts_on

ALL_WEEK = replace(booking_rules(Settings(booking_length=timedelta(minutes=30))), weekdays=frozenset(range(7)))
SPRING, AUTUMN = date(2026, 3, 29), date(2026, 10, 25)


@pytest.mark.parametrize(
    ("zone", "day", "hours", "expected"),
    [
        # UTC starts of slots around each change: skipped local times are left out, ambiguous ones come twice.
        ("Europe/London", SPRING, "00:00-03:00", "00:00 00:30 01:00 01:30"),
        ("Europe/London", SPRING, "01:00-02:00", ""),
        ("Europe/London", AUTUMN, "01:00-02:00", "00:00 00:30 01:00 01:30"),
        ("Europe/London", AUTUMN, "00:30-02:30", "23:30 00:00 00:30 01:00 01:30 02:00"),
        ("America/New_York", date(2026, 3, 8), "01:00-04:00", "06:00 06:30 07:00 07:30"),
        ("America/New_York", date(2026, 11, 1), "01:00-02:00", "05:00 05:30 06:00 06:30"),
        ("Australia/Lord_Howe", date(2026, 10, 4), "01:30-03:00", "15:00 15:30"),  # 02:00 to 02:30 is skipped
        ("Australia/Lord_Howe", date(2026, 10, 4), "01:45-03:00", "15:15"),  # spans the change and leaves 02:45 intact
        ("Australia/Lord_Howe", date(2026, 4, 5), "01:00-02:30", "14:00 14:30 15:00 15:30"),  # 01:30 to 02:00 occurs twice
        ("Asia/Bangkok", SPRING, "00:00-02:00", "17:00 17:30 18:00 18:30"),
        ("Asia/Shanghai", AUTUMN, "01:00-02:00", "17:00 17:30"),
        ("Asia/Kathmandu", AUTUMN, "01:00-02:00", "19:15 19:45"),
    ],
)
def test_hours_across_a_change_of_clocks_have_the_existing_slots(zone: str, day: date, hours: str, expected: str) -> None:
    opens, closes = (int(text[:2]) * 60 + int(text[3:]) for text in hours.split("-"))

    starts = starts_on(replace(ALL_WEEK, zone=ZoneInfo(zone), hours=((opens, closes),)), day)

    assert " ".join(f"{start:%H:%M}" for start in starts) == expected


def test_weekends_and_days_off_are_closed() -> None:
    rules = booking_rules(load({"SITE_BOOKING_DAYS_OFF": "2026-12-24..2026-12-28, 2027-01-01"}))

    open_days = [day for count in range(12) if starts_on(rules, day := date(2026, 12, 22) + timedelta(days=count))]

    assert open_days == [date(2026, 12, day) for day in (22, 23, 29, 30, 31)]


@pytest.mark.parametrize(
    ("region", "closed"),
    [
        ("", []),
        ("GB", ["2026-04-03"]),  # Good Friday
        ("gb-eng", ["2026-04-03", "2026-04-06"]),  # Easter Monday is none in Scotland
        ("TH", ["2026-04-06"]),  # Chakri Day
    ],
)
def test_public_holidays_of_the_region_are_closed(region: str, closed: list[str]) -> None:
    rules = booking_rules(load({"SITE_BOOKING_HOLIDAYS": region}))

    weekdays = [date(2026, 4, day) for day in (1, 2, 3, 6, 7, 8)]

    assert [str(day) for day in weekdays if not starts_on(rules, day)] == closed


@pytest.mark.parametrize("region", ["XX", "GB-XXX", "England", "GB-", "GBR"])
def test_an_unknown_region_of_holidays_is_refused(region: str) -> None:
    with pytest.raises(BrokenSetting, match="such as GB or GB-ENG"):
        load({"SITE_BOOKING_HOLIDAYS": region})


@pytest.mark.parametrize(("text", "read"), [("1h, 24h,60m", "24h,1h"), ("2d", "2d"), ("", "")])
def test_reminders_are_read_longest_first_and_each_once(text: str, read: str) -> None:
    assert as_text(load({"SITE_BOOKING_REMINDERS": text}).booking_reminders) == read.replace("24h", "1d")


@pytest.mark.parametrize("text", ["1m", "24h,31d", "24h,-1h", "a day"])
def test_reminders_out_of_bounds_are_refused(text: str) -> None:
    with pytest.raises(BrokenSetting, match="such as"):
        load({"SITE_BOOKING_REMINDERS": text})


def test_a_meeting_length_beyond_all_hours_is_refused() -> None:
    with pytest.raises(BrokenSetting, match="SITE_BOOKING_LENGTH is 1h, longer than any hours of SITE_BOOKING_HOURS"):
        load({"SITE_BOOKING_LENGTH": "1h", "SITE_BOOKING_HOURS": "09:00-09:45,13:00-13:45"})


def test_the_length_of_a_meeting_is_the_step_between_starts() -> None:
    rules = booking_rules(load({"SITE_BOOKING_LENGTH": "45m", "SITE_BOOKING_HOURS": "09:00-11:00"}))

    assert [f"{start:%H:%M}" for start in starts_on(rules, date(2026, 1, 12))] == ["09:00", "09:45"]


def test_breaks_split_the_day() -> None:
    rules = booking_rules(load({"SITE_BOOKING_LENGTH": "30m", "SITE_BOOKING_HOURS": "13:30-14:30, 09:00-10:00"}))

    starts = starts_on(rules, date(2026, 1, 12))

    assert starts == tuple(datetime.fromisoformat(f"2026-01-12T{at}Z") for at in ("09:00", "09:30", "13:30", "14:00"))


def test_a_weekday_may_have_hours_of_its_own_with_a_break() -> None:
    rules = booking_rules(
        load({"SITE_BOOKING_LENGTH": "30m", "SITE_BOOKING_HOURS": "09:00-10:00, Fri 13:00 - 14:00, fri 07:00-07:30"})
    )

    starts = [f"{start:%a %H:%M}" for day in (15, 16, 17) for start in starts_on(rules, date(2026, 1, day))]

    assert starts == ["Thu 09:00", "Thu 09:30", "Fri 07:00", "Fri 13:00", "Fri 13:30"]


def test_weekdays_without_hours_are_closed_where_all_hours_name_a_day() -> None:
    rules = booking_rules(load({"SITE_BOOKING_LENGTH": "30m", "SITE_BOOKING_HOURS": "tue 07:00-08:00"}))

    open_days = [day for count in range(7) if starts_on(rules, day := date(2026, 1, 12) + timedelta(days=count))]

    assert open_days == [date(2026, 1, 13)]
