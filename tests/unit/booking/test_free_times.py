"""Free slots grouped by the days of the visitor's calendar."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from site_app.contracts.free_times import Day, Sheet, day_parts, days_of, sheet_index, sheets_of
from site_app.contracts.meeting import Slot
from site_app.core.i18n import use
from site_app.core.locales import BY_ID

LONDON, BANGKOK, HONOLULU = ZoneInfo("Europe/London"), ZoneInfo("Asia/Bangkok"), ZoneInfo("Pacific/Honolulu")
NINE = datetime(2026, 10, 21, 8, tzinfo=UTC)  # a Wednesday, four days before London's clocks go back


def slots(*starts: datetime) -> list[Slot]:
    return [Slot(id=f"{start:%d%H%M}", start=start, end=start + timedelta(minutes=30)) for start in starts]


def days(*starts: datetime, zone: ZoneInfo = BANGKOK) -> list[Day]:
    return days_of(slots(*starts), zone, LONDON)


def sheets(*starts: datetime) -> list[Sheet]:
    return sheets_of(slots(*starts), BANGKOK)


def test_a_time_is_listed_under_the_visitors_own_day() -> None:
    [day] = days(NINE, zone=HONOLULU)

    assert day.date == date(2026, 10, 20)
    assert (day.times[0].visitor_time, day.times[0].host_time) == ("22:00", "Wed 09:00 London")


def test_the_times_of_a_day_are_grouped_by_its_parts() -> None:
    noon = NINE + timedelta(hours=3)
    [day] = days(NINE, noon, zone=LONDON)

    grouped = [(words, [time.visitor_time for time in times]) for words, times in day_parts(day.times, LONDON)]

    assert grouped == [("Morning", ["09:00"]), ("Afternoon", ["12:00"])]


def test_times_of_a_single_part_of_the_day_have_no_words_above_them() -> None:
    [day] = days(NINE, NINE + timedelta(minutes=30), zone=LONDON)

    assert day_parts(day.times, LONDON) == [("", day.times)]


@pytest.mark.parametrize("language", ["en", "th", "cn"])
def test_a_day_near_a_change_of_clocks_has_a_note(language: str) -> None:
    with use(BY_ID[language]):
        change_day, ordinary_day = days(NINE, NINE + timedelta(days=20))

    assert (len(change_day.notes), len(ordinary_day.notes)) == (1, 0)


def test_the_calendar_is_whole_weeks_and_each_month_is_named() -> None:
    [sheet] = sheets(NINE, NINE + timedelta(days=14))

    dates = [[cell.date.isoformat() for cell in week] for week in sheet.weeks]
    assert [(week[0], week[-1]) for week in dates] == [
        ("2026-10-19", "2026-10-25"),
        ("2026-10-26", "2026-11-01"),
        ("2026-11-02", "2026-11-08"),
    ]
    assert {cell.date.day: cell.month for week in sheet.weeks for cell in week if cell.month} == {19: "Oct", 1: "Nov"}
    assert (sheet.words[:6], sheet.words[-5:]) == ("19 Oct", "8 Nov")


def test_a_day_of_the_calendar_shows_the_number_of_free_times() -> None:
    [sheet] = sheets(NINE, NINE + timedelta(hours=1), NINE + timedelta(days=2))

    labels = {cell.date.day: cell.label for week in sheet.weeks for cell in week if cell.label}
    assert labels == {
        21: "Wednesday 21 October 2026, available times: 2",
        23: "Friday 23 October 2026, available times: 1",
    }


def test_month_sheets_cover_every_day_without_gaps() -> None:
    ahead = sheets(NINE, NINE + timedelta(days=100))

    cells = [cell.date for sheet in ahead for week in sheet.weeks for cell in week]
    assert len(ahead) > 1
    assert cells == [cells[0] + timedelta(days=at) for at in range(len(cells))]


def test_sheet_index_finds_the_month_of_each_day() -> None:
    starts = [NINE + timedelta(days=at) for at in range(0, 100, 9)]
    ahead, free = sheets(*starts), [day.date for day in days(*starts)]

    assert len(free) == len(starts)
    for day in free:
        assert day in {cell.date for week in ahead[sheet_index(free, day)].weeks for cell in week}


def test_without_free_times_there_is_no_calendar_sheet() -> None:
    assert (days(), sheets()) == ([], [])
