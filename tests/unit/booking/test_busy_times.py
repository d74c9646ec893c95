"""Busy times from a host's calendar; reading ends within its time limit, whatever the calendar contains."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from site_app.core.child_process import run_module
from site_app.provider.booking import busy as busy_module
from site_app.provider.booking.busy import CalendarText, ParsedCalendar, UnreadableCalendar, parse_calendars
from site_app.provider.booking.busy_process import BusyQuery, parse_calendar, read_ics

pytestmark = pytest.mark.anyio
READER = "site_app.provider.booking.busy_process"
LONDON = ZoneInfo("Europe/London")
FIRST, LAST = datetime(2026, 10, 19, tzinfo=UTC), datetime(2026, 11, 9, tzinfo=UTC)


def calendar(*events: str) -> str:
    body = "".join(f"BEGIN:VEVENT\n{event}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n{body}END:VCALENDAR\n".replace("\n", "\r\n")


EVENT = "UID:a@x\nDTSTART:20261020T100000Z\nDURATION:PT1H"
# 30 February: a rule that never occurs, searched second by second up to the year 9999.
NEVER_OCCURRING = EVENT + "\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"


async def read_busy_spans(text: str, **options: Any) -> ParsedCalendar:
    [reading] = await parse_calendars([CalendarText(text)], zone=LONDON, first=FIRST, last=LAST, **options)
    if isinstance(reading, UnreadableCalendar):
        raise reading
    return reading


def children() -> set[str]:
    return {child for file in Path(f"/proc/{os.getpid()}/task").glob("*/children") for child in file.read_text().split()}


async def test_busy_times_of_a_calendar_leave_out_our_own_meetings() -> None:
    text = calendar(EVENT, "UID:call@example.com\nDTSTART:20261021T100000Z\nDURATION:PT30M")

    spans, skipped, _ = await read_busy_spans(text, own_ids=frozenset({"call@example.com"}))

    assert (spans, skipped) == ([(datetime(2026, 10, 20, 10, tzinfo=UTC), datetime(2026, 10, 20, 11, tzinfo=UTC))], 0)


async def test_html_instead_of_a_calendar_is_refused() -> None:
    with pytest.raises(UnreadableCalendar, match="cannot be read: ValueError"):
        await read_busy_spans("<html>")


async def test_a_recurrence_without_dates_times_out_and_leaves_no_process() -> None:
    children_before, began = children(), time.monotonic()

    with pytest.raises(UnreadableCalendar, match="too long"):
        await read_busy_spans(calendar(NEVER_OCCURRING), seconds=1)

    assert time.monotonic() - began < 10
    assert children() <= children_before


async def test_the_reader_ends_when_the_site_stops() -> None:
    children_before = children()
    reading = asyncio.create_task(read_busy_spans(calendar(NEVER_OCCURRING)))
    while children() <= children_before:  # noqa: ASYNC110  no event tells of a process's start
        await asyncio.sleep(0)
    await asyncio.sleep(0.5)  # the child process is reading by now

    reading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await reading
    assert children() <= children_before


def test_the_calendar_process_ends_without_its_site() -> None:
    payload = {
        "calendars": [{"ics": calendar(NEVER_OCCURRING)}],
        "zone": LONDON.key,
        "first": FIRST.isoformat(),
        "last": LAST.isoformat(),
        "own_ids": [],
        "seconds": 1,
    }

    ended = subprocess.run([sys.executable, "-m", READER], input=json.dumps(payload).encode(), capture_output=True, timeout=60)

    assert ended.returncode == -signal.SIGALRM


async def test_too_many_events_are_refused() -> None:
    every_second = "UID:{}@x\nDTSTART:20261020T100000Z\nDURATION:PT1H\nRRULE:FREQ=SECONDLY;COUNT=15000"

    with pytest.raises(UnreadableCalendar, match="too many events"):
        await read_busy_spans(calendar(*map(every_second.format, "ab")))


def busy(*events: str, first: datetime = FIRST, last: datetime = LAST) -> list[str]:
    reading = read_ics(calendar(*events), BusyQuery(LONDON, first, last, host=frozenset({"host@example.com"})))
    return [f"{start:%d %H:%M}-{end:%d %H:%M}" for start, end in reading.spans]


WEEKLY = "UID:a\nDTSTART;TZID=Europe/London:20261006T100000\nDTEND;TZID=Europe/London:20261006T110000\nRRULE:FREQ=WEEKLY"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (["UID:a\nDTSTART:20261020T100000Z\nDTEND:20261020T110000Z"], ["20 10:00-20 11:00"]),
        (["UID:a\nDTSTART:20261020T100000Z\nDURATION:PT90M"], ["20 10:00-20 11:30"]),
        (["UID:a\nDTSTART;TZID=Asia/Bangkok:20261020T100000\nDURATION:PT1H"], ["20 03:00-20 04:00"]),
        (["UID:a\nDTSTART:20261020T100000\nDURATION:PT1H"], ["20 09:00-20 10:00"]),  # no zone: the host's zone applies
        (["UID:a\nDTSTART;VALUE=DATE:20261020"], ["19 23:00-20 23:00"]),
        (["UID:a\nDTSTART;VALUE=DATE:20261025\nDTEND;VALUE=DATE:20261026"], ["24 23:00-26 00:00"]),  # 25 hours long
        (["UID:a\nDTSTART;VALUE=DATE:20261020\nDTEND;VALUE=DATE:20261020"], ["19 23:00-20 23:00"]),  # ends on its only day
        (
            ["UID:a\nDTSTART;VALUE=DATE:20261006\nDTEND;VALUE=DATE:20261006\nRRULE:FREQ=WEEKLY;COUNT=3"],
            ["19 23:00-20 23:00"],
        ),
        (["UID:a\nDTSTART:20261020T100000Z"], []),  # zero length
        (["UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\nSTATUS:CANCELLED"], []),
        (["UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\nTRANSP:TRANSPARENT"], []),
        (["UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\nSTATUS:TENTATIVE"], ["20 10:00-20 11:00"]),
        (["UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\nATTENDEE;PARTSTAT=DECLINED:mailto:Host@example.com"], []),
        (
            [
                "UID:a\nDTSTART:20261020T100000Z\nDURATION:PT1H\nATTENDEE;PARTSTAT=TENTATIVE:mailto:host@example.com\n"
                "ATTENDEE;PARTSTAT=DECLINED:mailto:guest@example.com"
            ],
            ["20 10:00-20 11:00"],
        ),
        (["UID:a\nDTSTART:20261018T100000Z\nDTEND:20261019T100000Z"], ["18 10:00-19 10:00"]),  # still running
        (["UID:a\nDTSTART:20261209T100000Z\nDURATION:PT1H"], []),
        # 10:00 in London every week, whatever its clocks say in UTC.
        ([WEEKLY], ["20 09:00-20 10:00", "27 10:00-27 11:00", "03 10:00-03 11:00"]),
        ([WEEKLY + ";COUNT=4"], ["20 09:00-20 10:00", "27 10:00-27 11:00"]),
        ([WEEKLY + ";UNTIL=20261027T100000Z"], ["20 09:00-20 10:00", "27 10:00-27 11:00"]),
        ([WEEKLY + "\nEXDATE;TZID=Europe/London:20261027T100000"], ["20 09:00-20 10:00", "03 10:00-03 11:00"]),
        (
            [WEEKLY + "\nRDATE:20261022T090000Z"],
            ["20 09:00-20 10:00", "22 09:00-22 10:00", "27 10:00-27 11:00", "03 10:00-03 11:00"],
        ),
        (
            [WEEKLY, "UID:a\nRECURRENCE-ID:20261027T100000Z\nDTSTART:20261028T150000Z\nDURATION:PT1H"],
            ["20 09:00-20 10:00", "28 15:00-28 16:00", "03 10:00-03 11:00"],
        ),
        (
            [WEEKLY, "UID:a\nRECURRENCE-ID:20261027T100000Z\nDTSTART:20261027T100000Z\nDURATION:PT1H\nSTATUS:CANCELLED"],
            ["20 09:00-20 10:00", "03 10:00-03 11:00"],
        ),
    ],
)
def test_busy_times_are_those_a_person_would_read_from_the_calendar(events: list[str], expected: list[str]) -> None:
    assert busy(*events) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        # 28 March 2027: London's clocks go from 01:00 to 02:00
        ("DTSTART;VALUE=DATE:20270328", ["28 00:00-28 23:00"]),  # 23 hours long
        ("DTSTART:20270328T003000\nDTEND:20270328T023000", ["28 00:30-28 01:30"]),  # floating, an hour long
        (
            "DTSTART;TZID=Europe/London:20270322T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY",
            ["22 09:00-22 10:00", "29 08:00-29 09:00"],
        ),
        ("DTSTART:20270322T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY", ["22 09:00-22 10:00", "29 08:00-29 09:00"]),
    ],
)
def test_busy_times_are_right_when_clocks_go_forward(event: str, expected: list[str]) -> None:
    spring = datetime(2027, 3, 21, tzinfo=UTC), datetime(2027, 4, 4, tzinfo=UTC)

    assert busy(f"UID:a\n{event}", first=spring[0], last=spring[1]) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["FREEBUSY:20261020T100000Z/20261020T110000Z"], ["20 10:00-20 11:00"]),
        (
            [
                "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261020T100000Z/PT1H,20261021T100000Z/PT1H",
                "FREEBUSY;FBTYPE=FREE:20261022T100000Z/PT1H",
            ],
            ["20 10:00-20 11:00", "21 10:00-21 11:00"],
        ),
        (["COMMENT:free all the time"], []),
    ],
)
def test_a_calendar_that_publishes_only_busy_times_takes_them(lines: list[str], expected: list[str]) -> None:
    content = "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VFREEBUSY", "UID:a", *lines, "END:VFREEBUSY", "END:VCALENDAR", ""])

    reading = read_ics(content, BusyQuery(LONDON, FIRST, LAST))

    assert [f"{start:%d %H:%M}-{end:%d %H:%M}" for start, end in reading.spans] == expected
    assert reading.skipped == 0


@pytest.mark.parametrize(
    "ics",
    [
        "<html>not found</html>",
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:yesterday\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261020T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=OFTEN\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n",
    ],
)
def test_a_file_that_is_no_calendar_is_refused(ics: str) -> None:
    payload = {"ics": ics, "zone": LONDON.key, "first": FIRST.isoformat(), "last": LAST.isoformat(), "own_ids": []}

    assert "cannot be read" in parse_calendar(payload)["problem"]


@pytest.mark.parametrize(
    "broken",
    [
        "DTSTART:00010101T000000Z\nDTEND:99991231T235959Z",
        "DTSTART;VALUE=DATE:00010101\nDTEND;VALUE=DATE:99991231",
        "DTSTART;TZID=Asia/Bangkok:00010101T000000\nDTEND;TZID=America/New_York:99991231T235959",
        "DTSTART:99991231T235959Z\nDURATION:PT1H",
        "DTSTART:20261020T120000Z\nDURATION:-P9999999D",
        "DTSTART:20261020T120000Z\nDURATION:P99999999999D",
        "DTSTART:20261020T120000Z\nDURATION:PT1H\nRRULE:FREQ=OFTEN",
        "DTSTART:20261020T120000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:nonsense",
        "DTSTART:yesterday",
        "SUMMARY:no time",
    ],
)
def test_an_event_that_cannot_be_read_is_skipped_and_the_rest_counts(broken: str) -> None:
    broken = f"UID:broken\n{broken}"
    for events in ((broken, EVENT, WEEKLY.replace("UID:a", "UID:b")), (EVENT, WEEKLY.replace("UID:a", "UID:b"), broken)):
        reading = read_ics(calendar(*events), BusyQuery(LONDON, FIRST, LAST))

        assert [f"{start:%d %H}" for start, _ in reading.spans] == ["20 09", "20 10", "27 10", "03 10"]
        assert reading.skipped == 1


_ANSWER_AND_DIE = "import os; print('{\"spans\": [[', flush=True); os.kill(os.getpid(), 9)"


async def test_the_output_of_a_killed_process_is_ignored() -> None:
    assert await run_module("timeit", "-n", "1", "-r", "1", _ANSWER_AND_DIE, seconds=20) == b""


@pytest.mark.parametrize("output", [b'{"spans": [["2026', b"[]", b"\xff", b'{"spans": [["yesterday", "today"]], "skipped": 0}'])
async def test_a_truncated_reply_is_an_unreadable_calendar(monkeypatch: pytest.MonkeyPatch, output: bytes) -> None:
    async def broken_off(*_: str, **__: object) -> bytes:
        return output

    monkeypatch.setattr(busy_module, "run_module", broken_off)

    with pytest.raises(UnreadableCalendar, match="reader"):
        await read_busy_spans(calendar(EVENT))
