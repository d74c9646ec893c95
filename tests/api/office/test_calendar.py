"""The office's calendar: weeks, blocked times, meetings that are moved or cancelled, and the host's own calendar."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from httpx import Response
from starlette.applications import Starlette

from site_app.contracts.meeting import MeetingRequest
from site_app.provider.booking.busy import note_failure, sources_of
from site_app.provider.booking.meeting import book_meeting
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext
from site_app.provider.leads.storing import SubmissionContext
from site_app.provider.office.meeting_pages import MOST_A_DAY, days_from
from site_app.provider.store.tables import (
    CALENDAR_SOURCE,
    BookingCell,
    BusyTime,
    CalendarEntry,
    Meeting,
    Outbox,
)
from tests.support.builders import meeting
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser, text_of
from tests.support.stored_rows import add_rows, logged_actions, mark_mails_sent, rows_in

pytestmark = pytest.mark.anyio
NOW = Clock().now


def _entries(page: Response) -> int:
    return page.text.count('class="span ')


async def book_in_store(context: ApiContext, slot: str = "20300103T0930Z") -> str:
    request = MeetingRequest.model_validate(meeting(slot=slot, time_zone="Asia/Bangkok"))
    submission = SubmissionContext(context.settings, context.tokens, context.clock())
    managed = await context.store.write(lambda session: book_meeting(session, request, submission))
    return managed.meeting.reference


async def test_a_week_names_the_public_holidays_that_are_closed(context: ApiContext, clock: Clock) -> None:
    settings = replace(context.settings, booking_holidays="GB")

    days = await context.store.read(lambda session: days_from(session, date(2029, 12, 31), settings=settings, now=clock()))

    assert [day.holiday for day in days] == ["", "New Year's Day", "", "", "", "", ""]


async def test_a_week_shows_meetings_blocked_times_and_days(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context)
    await ada.post("/calls", **{"do": "block", "from": "2030-01-04", "why": "Away <b>"})

    page = await ada.get("/calls?week=2030-01-04")

    assert f"/office/leads/{reference}" in page.text
    assert "Away &lt;b&gt;" in page.text
    assert f"/office/leads/{reference}" not in (await ada.get("/calls?week=2030-01-09")).text
    assert (await ada.get("/calls?week=9999-99-99")).status_code == 200


async def test_a_day_with_many_entries_is_cut_short_in_its_week_and_has_a_page_that_shows_all(
    context: ApiContext, ada: Browser
) -> None:
    start = NOW.replace(hour=9)
    day = start.date()
    times = [start + timedelta(minutes=20 * number) for number in range(MOST_A_DAY + 3)]
    busy = [BusyTime(source=CALENDAR_SOURCE, starts_at=begin, ends_at=begin + timedelta(minutes=20)) for begin in times]

    await add_rows(context.store, *busy[:MOST_A_DAY])
    week_in_full = await ada.get(f"/calls?week={day}")
    await add_rows(context.store, *busy[MOST_A_DAY:])
    week, whole_day, another_day = [
        await ada.get(f"/calls?{query}") for query in (f"week={day}", f"day={day}", f"day={day + timedelta(1)}")
    ]

    link = f'<a href="?day={day}">All {len(busy)} of this day</a>'
    assert (_entries(week_in_full), _entries(week)) == (MOST_A_DAY, MOST_A_DAY)
    assert (link in week_in_full.text, link in week.text) == (False, True)
    assert (_entries(whole_day), link in whole_day.text) == (len(busy), False)
    assert _entries(another_day) == 0
    assert f'href="?week={day - timedelta(day.weekday())}">All days of the week' in whole_day.text


async def test_a_long_blocked_time_names_its_booked_calls_whatever_week_is_shown(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context, "20300115T0930Z")
    notice = re.compile(rf'class="notice doubtful".*{reference}, ')

    blocked = await ada.post("/calls", **{"do": "block", "from": "2030-01-04", "to": "2030-01-18"})
    first_week = await ada.client.get(blocked.headers["Location"])
    [row] = await rows_in(context.store, BusyTime)
    await ada.post("/calls", do="unblock", number=str(row.id))

    assert notice.search(first_week.text)
    assert not notice.search((await ada.get("/calls?week=2030-01-15")).text)


@pytest.mark.parametrize(
    "closed",
    [{"booking_days_off": ("2029-12-24..2030-01-01", "2030-01-15")}, {"booking_holidays": "US"}],
    ids=["off", "holiday"],
)
async def test_the_booked_calls_of_a_day_off_are_named_and_no_others(
    context: ApiContext, ada: Browser, change_settings: Callable[..., None], closed: dict[str, Any]
) -> None:
    """Martin Luther King's birthday is on the 21st."""
    tuesday = await book_in_store(context, "20300115T0930Z")
    monday = await book_in_store(context, "20300121T0930Z")
    assert "days off" not in (await ada.get("/calls")).text

    change_settings(**closed)
    page = await ada.get("/calls")

    [warning] = re.findall(r'<div class="notice doubtful">.*days off.*', page.text)
    on_day_off, other = (monday, tuesday) if "booking_holidays" in closed else (tuesday, monday)
    assert on_day_off in warning
    assert other not in warning


async def test_a_blocked_day_takes_its_slots_and_gives_them_back(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context, "20300104T0930Z")

    async def free() -> int:
        return len(
            await context.store.read(
                lambda session: [
                    slot
                    for slot in Availability(session, context.settings, NOW).slots()
                    if slot.start.date().isoformat() == "2030-01-04"
                ]
            )
        )

    free_before = await free()
    response = await ada.post("/calls", **{"do": "block", "from": "2030-01-04"})
    page = await ada.client.get(response.headers["Location"])
    [row] = await rows_in(context.store, BusyTime)

    assert re.search(rf'class="notice doubtful".*{reference}, ', page.text)
    assert (free_before > 0, await free()) == (True, 0)
    await ada.post("/calls", do="unblock", number=str(row.id))
    assert await free() == free_before
    assert (await ada.post("/calls", do="unblock", number=str(row.id))).status_code == 404


async def test_a_blocked_time_may_end_at_midnight(context: ApiContext, ada: Browser) -> None:
    await ada.post(
        "/calls", **{"do": "block", "from": "2030-07-03", "from_time": "18:00", "to": "2030-07-04", "to_time": "00:00"}
    )

    [row] = await rows_in(context.store, BusyTime)
    # London is an hour ahead of UTC.
    assert [f"{moment:%d %H:%M}" for moment in (row.starts_at, row.ends_at)] == ["03 17:00", "03 23:00"]


@pytest.mark.parametrize("form", [{}, {"from": "nonsense"}, {"from": "2030-01-04", "to": "2030-01-03"}, {"from": "9999-12-31"}])
async def test_an_invalid_time_is_not_blocked(context: ApiContext, ada: Browser, form: dict[str, str]) -> None:
    assert (await ada.post("/calls", **{"do": "block"} | form)).status_code == 422
    assert await rows_in(context.store, BusyTime) == []


async def test_a_moved_or_cancelled_meeting_is_mailed_to_its_visitor(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context)
    slot = re.search(r'name="slot" value="(20300104T\w+)"', (await ada.get(f"/leads/{reference}/move?day=2030-01-04")).text)
    assert slot

    await ada.post(f"/leads/{reference}/move", slot=slot[1])
    await context.store.write(mark_mails_sent)
    await ada.do(reference, "cancel")

    [row] = await rows_in(context.store, Meeting)
    assert row.state == "cancelled"
    assert await rows_in(context.store, BookingCell) == []
    templates = {row.template for row in await rows_in(context.store, Outbox)}
    assert templates >= {"call-moved-visitor", "call-moved-host", "call-cancelled-visitor", "call-cancelled-host"}
    assert [action for _, action, _ in await logged_actions(context)] == ["move", "cancel"]
    assert (await ada.do(reference, "cancel")).status_code == 409
    assert (await ada.get(f"/leads/{reference}/move")).status_code == 409


async def test_a_meeting_is_not_offered_its_own_time(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context, "20300104T0930Z")

    page = await ada.get(f"/leads/{reference}/move?day=2030-01-04")

    assert 'value="20300104T1000Z"' in page.text
    assert 'value="20300104T0930Z"' not in page.text


async def test_a_meeting_is_not_moved_to_a_time_that_is_taken(context: ApiContext, ada: Browser) -> None:
    reference = await book_in_store(context)
    await book_in_store(context, "20300104T0930Z")

    response = await ada.post(f"/leads/{reference}/move", slot="20300104T0930Z")

    assert response.status_code == 409
    assert {f"{row.starts_at:%d}" for row in await rows_in(context.store, Meeting)} == {"03", "04"}


async def test_a_note_is_written_on_a_meeting_that_is_over(context: ApiContext, ada: Browser, clock: Clock) -> None:
    reference = await book_in_store(context)
    clock.advance(timedelta(hours=6))
    await ada.get()
    clock.advance(timedelta(hours=11))
    await ada.get()
    clock.advance(timedelta(hours=9))

    await ada.do(reference, "note", text="They want a shop.")

    assert "They want a shop." in (await ada.get(f"/leads/{reference}")).text


async def test_a_meeting_that_the_host_deleted_in_the_calendar_is_asked_about(
    context: ApiContext, ada: Browser, cy: Browser
) -> None:
    reference = await book_in_store(context)
    [row] = await rows_in(context.store, Meeting)
    entry = CalendarEntry(uid=row.uid, meeting_id=row.id, href="/x.ics", sequence=0, written_at=NOW, difference="deleted")
    await add_rows(context.store, entry)

    page, page_of_reader = text_of(await ada.get("/calls")), text_of(await cy.get("/calls"))
    await ada.post("/calls", do="write-entry", reference=reference)

    assert f"The host’s calendar no longer has the call {reference}" in page
    assert "Keep it" in page
    assert "Keep it" not in page_of_reader
    assert "no longer has" not in text_of(await ada.get("/calls"))
    assert (ADA, "write entry", reference) in await logged_actions(context)


async def test_an_unreadable_calendar_is_reported(
    api: Starlette, context: ApiContext, ada: Browser, change_settings: Callable[..., None]
) -> None:
    change_settings(caldav_url=("https://dav.example.com/ada/calls/",))
    [source] = sources_of(api.state.context.settings)
    await context.store.write(lambda session: note_failure(session, source.key, "ConnectTimeout", now=NOW))

    assert "calendar 1 (dav.example.com) could not be read (ConnectTimeout)" in text_of(await ada.get("/calls"))
