"""Shared working hours of the team and of an office abroad, in that office's time zone; hours of calls and holidays."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from site_app.content import contact_us, faq
from site_app.content.contact_us import ZONES, hours, place_hours
from site_app.core import business
from site_app.core.settings import Settings

LONDON = ZoneInfo("Europe/London")


def minutes_at_work_together(day: date, zone: ZoneInfo) -> list[str]:
    """Computes them minute by minute from the clocks."""
    midnight = datetime.combine(day, time(), UTC) - timedelta(hours=14)
    moments = (midnight + timedelta(minutes=at) for at in range(38 * 60))
    shared = (
        moment.astimezone(zone)
        for moment in moments
        if moment.astimezone(zone).date() == day == moment.astimezone(LONDON).date()
        and business.TEAM_HOURS[0] <= moment.astimezone(LONDON).time() < business.TEAM_HOURS[1]
        and business.CLIENT_HOURS[0] <= moment.astimezone(zone).time() < business.CLIENT_HOURS[1]
    )
    return [f"{moment:%H:%M}" for moment in shared]


@pytest.mark.parametrize("zone", [*ZONES, "Europe/London", "America/New_York", "Asia/Kolkata"])
def test_shared_hours_match_both_clocks(zone: str) -> None:
    texts = place_hours(ZoneInfo(zone), LONDON).texts

    for text, day in zip(texts, (date(2026, 1, 15), date(2026, 7, 15)), strict=True):
        together = minutes_at_work_together(day, ZoneInfo(zone))
        first, last = text.split("–")
        assert (first, len(together)) == (together[0], _minutes(last) - _minutes(first))


def test_offices_without_shared_hours_show_a_dash() -> None:
    assert place_hours(ZoneInfo("Pacific/Honolulu"), LONDON).texts == ("–", "–")


def test_the_hosts_own_place_is_listed_first_and_once() -> None:
    places = [item.place for item in hours().items]

    assert places[0] == "London"
    assert len(places) == len(set(places)) == len(ZONES) + 1


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def test_calls_are_announced_for_the_hours_of_all_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    early = Settings(
        booking_hours=("09:00-17:00",), booking_languages=("th Somchai",), booking_language_hours=("th 07:00-10:00",)
    )
    monkeypatch.setattr(contact_us, "settings", lambda: early)

    assert "between 07:00 and 17:00 London time" in contact_us.contact_us_words().availability


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ("GB-ENG", "public holidays in England and no others"),
        ("TH", "holidays in Thailand and no others"),
        ("", "no public holidays"),
    ],
)
def test_an_answer_names_the_holidays_of_the_setting(region: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faq, "settings", lambda: Settings(booking_holidays=region))

    assert words in str(faq.faq_categories())
