"""Calls in several languages: each has its hours and its host; a host's time is sold once, that of two hosts separately."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st
from icalendar import Calendar
from sqlmodel import Session, select

from site_app.contracts.meeting import slot_language
from site_app.core.settings import BrokenSetting, Settings, load
from site_app.provider.api.mails import compose
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.hold import hold_slot
from site_app.provider.booking.meeting import ManagedMeeting, book_meeting, cancel_by_link, move_by_link
from site_app.provider.booking.refusals import SlotTaken
from site_app.provider.booking.rules import booking_rules
from site_app.provider.booking.slots import Availability, free_slots, slot_start
from site_app.provider.store import Store
from site_app.provider.store.tables import CALENDAR_SOURCE, BookingCell, BusyTime, Hold, Meeting, Outbox
from tests.support.bookings import HALF_PAST_TEN, NOON, NOW, SETTINGS, TEN, later, request, submission_context

pytestmark = pytest.mark.anyio

THAI, CHINESE = "Siriporn Chaiyasit", "Wei Zhang"
LANGUAGES = replace(
    SETTINGS,
    booking_languages=(f"th {THAI}", f"cn {CHINESE}"),
    booking_language_hours=("th 07:00-11:00", "th fri 08:00-09:00"),
)
TEN_THAI, TEN_CHINESE = f"{TEN}-th", f"{TEN}-cn"


async def book(store: Store, slot: str, settings: Settings = LANGUAGES, **changes: Any) -> ManagedMeeting:
    context = submission_context(NOW, settings)
    return await store.write(lambda session: book_meeting(session, request(slot, **changes), context))


async def free(store: Store, language: str = "en", settings: Settings = LANGUAGES) -> set[str]:
    slots = await store.read(lambda session: Availability(session, settings, NOW, language=language).slots())
    return {slot.id for slot in slots}


def test_a_language_has_hours_of_its_own_or_those_of_all() -> None:
    opens = {
        (language, day): free_slots(booking_rules(LANGUAGES, language), busy=[], now=NOW, first=day, last=day)[0].start
        for language in ("en", "th", "cn")
        for day in (later(days=2).date(), later(days=4).date())  # a Wednesday and a Friday
    }

    assert {key[0]: start.hour for key, start in opens.items() if key[1].weekday() == 2} == {"en": 8, "th": 6, "cn": 8}  # UTC
    assert {key[0]: start.hour for key, start in opens.items() if key[1].weekday() == 4} == {"en": 8, "th": 7, "cn": 8}


@trials(max_examples=40, deadline=None)
@given(
    opens=st.integers(min_value=0, max_value=90),
    length=st.integers(min_value=2, max_value=96),
    days=st.integers(min_value=0, max_value=400),
)
def test_the_slots_of_a_language_are_those_of_a_site_with_only_its_hours(opens: int, length: int, days: int) -> None:
    hours = f"{opens // 4:02}:{opens % 4 * 15:02}-{min(opens + length, 96) // 4:02}:{min(opens + length, 96) % 4 * 15:02}"
    alone = free_slots(booking_rules(replace(SETTINGS, booking_hours=(hours,))), busy=[], now=later(days=days))
    settings = replace(SETTINGS, booking_languages=("th",), booking_language_hours=(f"th {hours}",))

    slots = free_slots(booking_rules(settings, "th"), busy=[], now=later(days=days))

    assert [(slot.start, slot.end, slot.id) for slot in slots] == [(slot.start, slot.end, f"{slot.id}-th") for slot in alone]
    assert all((slot_start(slot.id), slot_language(slot.id)) == (slot.start, "th") for slot in slots)


def test_an_id_with_an_unknown_language_is_invalid() -> None:
    assert [slot_start(f"{TEN}-{language}") for language in ("en", "xx", "", "th-th")] == [None] * 4


async def test_two_hosts_have_meetings_at_the_same_time_and_neither_has_two(store: Store) -> None:
    meetings = [(await book(store, slot, email=f"{slot}@example.com")).meeting for slot in (TEN, TEN_THAI, TEN_CHINESE)]

    assert [(row.call_language, row.host) for row in meetings] == [("en", ""), ("th", THAI), ("cn", CHINESE)]
    assert len({row.starts_at for row in meetings}) == 1
    for slot in (TEN, TEN_THAI, TEN_CHINESE, f"{HALF_PAST_TEN}-th"):
        with pytest.raises(SlotTaken):
            await book(store, slot, email="late@example.com")
    assert not {TEN, HALF_PAST_TEN} & await free(store)
    assert not {TEN_THAI, f"{HALF_PAST_TEN}-th"} & await free(store, "th")


async def test_a_founder_with_two_languages_has_one_meeting_at_a_time(store: Store) -> None:
    settings = replace(LANGUAGES, booking_languages=("th", f"cn {SETTINGS.brand_founder}"))
    await book(store, TEN_THAI, settings)

    for slot in (TEN, TEN_THAI, TEN_CHINESE):
        with pytest.raises(SlotTaken):
            await book(store, slot, settings, email="late@example.com")


async def test_a_slot_of_each_host_wanted_by_many_is_sold_once(processes: list[Store]) -> None:
    slots = [TEN, TEN_THAI, TEN_CHINESE] * 6
    running = (book(processes[number % 3], slot, email=f"person{number}@example.com") for number, slot in enumerate(slots))

    results = await asyncio.gather(*running, return_exceptions=True)

    sold = [result.meeting.host for result in results if isinstance(result, ManagedMeeting)]
    assert sorted(sold) == ["", THAI, CHINESE]
    assert [type(result) for result in results].count(SlotTaken) == 15
    cells = await processes[0].read(lambda session: session.exec(select(BookingCell)).all())
    assert sorted(cell.host for cell in cells) == sorted(["", THAI, CHINESE] * 3)


async def test_a_hold_moves_between_hosts(store: Store) -> None:
    def hold(slot: str) -> Any:
        return lambda session: hold_slot(session, slot, settings=LANGUAGES, now=NOW, hold_id="mine-mine-mine-mine")

    await store.write(hold(TEN_THAI))
    row = await store.write(hold(TEN))

    assert row.call_language == "en"
    assert (TEN_THAI in await free(store, "th"), TEN in await free(store)) == (True, False)
    assert len(await store.read(lambda session: session.exec(select(Hold)).all())) == 1
    await store.write(hold(TEN_THAI))
    await book(store, TEN_THAI, hold="mine-mine-mine-mine")


async def test_a_meeting_moves_within_the_time_of_its_host(store: Store) -> None:
    managed = await book(store, TEN_THAI)
    await book(store, NOON, email="other@example.com")
    new_time = "20260603T0630Z-th"  # before the founder's hours

    def move(slot: str, settings: Settings = LANGUAGES) -> Any:
        return lambda session: move_by_link(session, managed.token, slot, settings=settings, now=NOW)

    with pytest.raises(SlotTaken):
        await store.write(move(NOON.replace("02T", "03T")))
    moved = (await store.write(move(new_time))).meeting
    assert (moved.starts_at, moved.host, moved.call_language) == (slot_start(new_time), THAI, "th")

    unnamed = (
        await store.write(move("20260603T0900Z-th", SETTINGS))
    ).meeting  # the language has been taken out of the settings

    assert unnamed.host == THAI
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=LANGUAGES, now=NOW))
    assert await store.read(lambda session: session.exec(select(BookingCell).where(BookingCell.host == THAI)).all()) == []


async def test_the_calendar_is_the_founders_and_a_blocked_time_is_everybodys(store: Store) -> None:
    start = slot_start(TEN)
    assert start is not None

    def busy(source: str, at: timedelta) -> Any:
        row = BusyTime(source=source, starts_at=start + at, ends_at=start + at + timedelta(minutes=15))
        return lambda session: session.add(row)

    await store.write(busy(CALENDAR_SOURCE, timedelta()))
    assert (TEN in await free(store), TEN_THAI in await free(store, "th")) == (False, True)
    await store.write(busy(BLOCKED, timedelta()))
    assert TEN_THAI not in await free(store, "th")


async def test_mails_and_calendar_files_name_the_host_and_the_language(store: Store) -> None:
    await book(store, TEN_THAI)

    def mails(session: Session) -> list[str]:
        return [compose(row, LANGUAGES).decode() for row in session.exec(select(Outbox)).all()]

    file = await store.read(lambda session: session.exec(select(Outbox)).all()[0].payload["calendar"])
    [event] = Calendar.from_ical(file).walk("VEVENT")
    assert event["organizer"].params["CN"] == THAI
    assert f"With {THAI}, 30 minutes" in str(event["description"])
    for mail in await store.read(mails):
        assert THAI in mail
        assert "Thai" in mail


async def test_only_the_founders_meetings_are_written_into_the_founders_calendar(store: Store) -> None:
    settings = replace(LANGUAGES, caldav_url=("https://dav.example.com/ada/calls/",))
    await book(store, TEN_THAI, settings)
    await book(store, TEN, settings, email="other@example.com")

    def texts(session: Session) -> list[str]:
        return [row.reference for row in session.exec(select(Outbox).where(Outbox.kind == "calendar")).all()]

    [reference] = await store.read(texts)
    meetings = await store.read(lambda session: session.exec(select(Meeting)).all())
    assert [row.host for row in meetings if row.reference == reference] == [""]


async def test_without_further_languages_a_slot_of_one_is_refused(store: Store) -> None:
    assert await free(store, "th", SETTINGS) == set()
    with pytest.raises(SlotTaken):
        await book(store, TEN_THAI, SETTINGS)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"SITE_BOOKING_LANGUAGES": "fr Zoé"}, "must begin with a language of the site"),
        ({"SITE_BOOKING_LANGUAGES": "en Ada"}, "languages besides English, each once"),
        ({"SITE_BOOKING_LANGUAGES": "th Ada,th Bo"}, "languages besides English, each once"),
        ({"SITE_BOOKING_LANGUAGE_HOURS": "th 07:00-10:00"}, "SITE_BOOKING_LANGUAGE_HOURS has hours of th"),
        ({"SITE_BOOKING_LANGUAGES": "th", "SITE_BOOKING_LANGUAGE_HOURS": "en 07:00-10:00"}, "has hours of en"),
        ({"SITE_BOOKING_LANGUAGES": "th", "SITE_BOOKING_LANGUAGE_HOURS": "07:00-10:00"}, "must begin with a language"),
        ({"SITE_BOOKING_LANGUAGES": "th", "SITE_BOOKING_LANGUAGE_HOURS": "th 07:00-07:30"}, "longer than any hours"),
        ({"SITE_BOOKING_LANGUAGES": "th", "SITE_BOOKING_LANGUAGE_HOURS": "th sun 07:00-10:00"}, "BOOKING_DAYS lacks sun"),
    ],
)
def test_a_mistake_in_the_settings_is_named(variables: dict[str, str], message: str) -> None:
    with pytest.raises(BrokenSetting, match=message):
        load({"SITE_BOOKING_LENGTH": "45m", **variables})
