"""Calls in several languages, over the API and on plain pages: times, page and mails follow the chosen language."""

import asyncio
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from html import unescape

import httpx
import pytest

from site_app.content import form_words
from site_app.core.settings import Settings
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import BookingCell, Meeting
from tests.support.booking_pages import ADA, inputs, offered_slots
from tests.support.builders import meeting
from tests.support.clock import Clock
from tests.support.free_slots import free_slots
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
NINE, SEVEN_THAI = "20300103T0900Z", "20300103T0700Z-th"
THAI = "Siriporn Chaiyasit"


@pytest.fixture
def settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    several = replace(settings, booking_languages=(f"th {THAI}", "cn"), booking_language_hours=("th 07:00-10:00",))
    monkeypatch.setattr(form_words, "settings", lambda: several)
    return several


async def test_each_language_has_its_times_and_another_has_none(client: httpx.AsyncClient) -> None:
    assert (await free_slots(client))[0] == NINE
    assert await free_slots(client, call_language="en") == await free_slots(client)
    assert (await free_slots(client, call_language="th"))[0] == SEVEN_THAI
    assert (await free_slots(client, call_language="cn"))[0] == f"{NINE}-cn"
    assert await free_slots(client, call_language="fr") == []
    assert (await client.post("/v1.0/meetingSlots", json={"call_language": "th-TH"})).status_code == 422


async def test_each_hosts_time_is_booked_by_one_of_many_visitors(
    client: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    """The founder takes the calls in English and in Chinese, and has one of them."""
    slots = [NINE, f"{NINE}-th", f"{NINE}-cn"] * 30

    async def attempt(slot: str) -> int:
        return (await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))).status_code

    statuses = await asyncio.gather(*map(attempt, slots))

    assert Counter(statuses) == {200: 2, 409: 88}
    assert {row.host for row in await rows_in(context.store, Meeting)} == {"", THAI}
    assert Counter(row.host for row in await rows_in(context.store, BookingCell)) == {"": 3, THAI: 3}


async def test_a_meeting_in_thai_is_booked_moved_and_named_on_the_plain_pages(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    english = (await browser.get("/book?zone=UTC")).text
    thai = (await browser.get("/book?zone=UTC&speak=th")).text

    assert (offered_slots(english)[0], offered_slots(thai)[0]) == (NINE, SEVEN_THAI)
    assert "talk with Siriporn\u00a0Chaiyasit." in thai
    assert re.findall(r'<option value="(\w\w)"( selected)?>(\w+)', thai) == [
        ("en", "", "English"),
        ("th", " selected", "Thai"),
        ("cn", "", "Chinese"),
    ]
    nothing_chosen = await browser.post("/book", data=inputs(thai))
    assert offered_slots(nothing_chosen.text)[0] == SEVEN_THAI

    details_page = await browser.post("/book", data=inputs(thai) | {"slot": SEVEN_THAI})
    address = details_page.headers["Location"]
    form = (await browser.get(address)).text
    assert offered_slots(form)
    assert all(slot.endswith("-th") for slot in offered_slots(form))
    clock.advance(timedelta(minutes=1))
    booked = await browser.post(address, data=inputs(form) | {"slot": SEVEN_THAI} | ADA)
    page = booked.headers["Location"].partition("?")[0]

    [row] = await rows_in(context.store, Meeting)
    assert (row.host, row.call_language, row.starts_at.hour) == (THAI, "th", 7)
    facts = unescape(re.sub(r"<[^>]+>", " ", (await browser.get(page)).text))
    assert re.search(rf"Host\s+{THAI}\s+Language of the call\s+Thai", facts)
    times = offered_slots((await browser.get(f"{page}/move")).text)
    assert {slot[-3:] for slot in times} == {"-th"}
    await browser.post(f"{page}/move", data={"slot": times[-1]})
    [row] = await rows_in(context.store, Meeting)
    assert (row.sequence, row.host) == (1, THAI)


async def test_the_thai_page_begins_with_meetings_in_thai(browser: httpx.AsyncClient) -> None:
    assert offered_slots((await browser.get("/th/book?zone=UTC")).text)[0] == SEVEN_THAI
    assert offered_slots((await browser.get("/th/book?zone=UTC&speak=en")).text)[0] == NINE


async def test_a_lost_time_of_a_meeting_in_thai_leads_back_to_such_meetings(browser: httpx.AsyncClient) -> None:
    missing_slot = await browser.get("/book/details?zone=UTC&slot=20300103T0600Z-th")

    assert "speak=th" in missing_slot.headers["Location"]


async def test_with_one_language_no_choice_is_offered(browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_words, "settings", Settings)

    page = (await browser.get("/book?zone=UTC&speak=th")).text

    assert 'name="speak"' not in page
    assert "Alex\u00a0Morgan, Founder" in page
