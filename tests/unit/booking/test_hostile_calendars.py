"""A hostile or huge answer of a CalDAV server costs the process that reads it little time and memory."""

import json
import re
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest

from site_app.provider.booking.busy_process import BusyQuery, read_multistatus
from tests.support.bookings import NOW

MEGABYTE = 2**20
SECONDS = 120  # on a busy machine; the site gives the process less, and kills it then
CALDAV = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
ENTRY = (
    "<response><href>/ada/calls/{0}.ics</href><propstat><prop><getetag>&quot;{0}&quot;</getetag><C:calendar-data>"
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//host//EN\nBEGIN:VEVENT\nUID:{0}@example.org\nDTSTAMP:20260601T000000Z\n"
    "DTSTART:202606{1:02}T{2:02}{3:02}00Z\nDURATION:PT5M\nEND:VEVENT\nEND:VCALENDAR\n</C:calendar-data></prop></propstat></response>"
)


# The process says itself what it took: the parent's figure counts the memory of this test's process, too.
READER = """
import runpy, sys
try:
    runpy.run_module("site_app.provider.booking.busy_process", run_name="__main__")
finally:
    sys.stderr.write(open("/proc/self/status").read())
"""


class Cost(NamedTuple):
    replies: list[dict[str, Any]]
    seconds: float
    megabytes: float


def cost_of(text: str) -> Cost:
    """Lets the process that reads calendars read this multistatus, and returns what it says and what it took."""
    span = {
        "first": NOW.isoformat(),
        "last": (NOW + timedelta(days=30)).isoformat(),
        "zone": "Europe/London",
        "seconds": SECONDS,
    }
    stdin = json.dumps(span | {"calendars": [{"ics": text, "multistatus": True}]}).encode()
    began = time.monotonic()
    process = subprocess.run([sys.executable, "-c", READER], input=stdin, capture_output=True, check=False)
    replies = json.loads(process.stdout) if process.returncode == 0 else []
    peak = re.search(rb"VmHWM:\s+(\d+) kB", process.stderr)
    assert peak, process.stderr
    return Cost(replies, time.monotonic() - began, int(peak[1]) * 1024 / MEGABYTE)


def entities(declared: str, used: str) -> str:
    return f'<?xml version="1.0"?><!DOCTYPE x [{declared}]><multistatus {CALDAV}>{used}</multistatus>'


LAUGHS = "".join(f'<!ENTITY a{n} "{(f"&a{n - 1};" if n else "ha") * 10}">' for n in range(12))
HOSTILE = {
    "a billion laughs": entities(LAUGHS, "&a11;"),
    "one long entity, often": entities(f'<!ENTITY a "{"a" * MEGABYTE}">', "&a;" * 1000),
    "a file of the server": entities('<!ENTITY a SYSTEM "file:///etc/hostname">', "&a;"),
    "entities in an attribute": entities(LAUGHS, '<response href="&a11;"/>'),
    "a document type after a comment": f'<!-- x --><!DOCTYPE x SYSTEM "http://127.0.0.1:1/x"><multistatus {CALDAV}/>',
    "garbage": "\x00<html>\ufffd" * MEGABYTE,
    "never closed": f"<multistatus {CALDAV}>" + "<response>" * MEGABYTE,
    "a tag of a megabyte": f"<{'a' * MEGABYTE}/>",
    "another document": "<html/>",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_answer_is_refused_in_little_time_and_memory(kind: str) -> None:
    replies, seconds, megabytes = cost_of(HOSTILE[kind])

    assert [list(reply) for reply in replies] == [["problem"]]
    assert seconds < SECONDS / 2
    assert megabytes < 600


def test_deeply_nested_xml_costs_bounded_time_and_memory() -> None:
    deep = f"<multistatus {CALDAV}>" + "<a>" * 200_000 + "</a>" * 200_000 + "</multistatus>"

    replies, seconds, megabytes = cost_of(deep)

    assert replies in ([], [{"spans": [], "skipped": 0, "own_events": []}])  # killed, or read
    assert (seconds < SECONDS / 2, megabytes < 600) == (True, True)


def test_ten_thousand_entries_take_bounded_time_and_memory() -> None:
    entries = "".join(ENTRY.format(number, number % 28 + 1, number // 28 % 24, number % 60) for number in range(10_000))

    replies, seconds, megabytes = cost_of(f"<multistatus {CALDAV}>{entries}</multistatus>")

    assert 8_000 < len(replies[0]["spans"]) <= 10_000
    assert replies[0]["skipped"] == 0
    assert seconds < SECONDS
    assert megabytes < 600


def test_the_words_of_a_document_type_inside_an_event_are_read() -> None:
    """The words may occur in a description: only a declaration is refused."""
    event = ENTRY.format(1, 2, 10, 0).replace("DURATION", "DESCRIPTION:<!DOCTYPE html>\nDURATION")
    wrapped = event.replace("<C:calendar-data>", "<C:calendar-data><![CDATA[").replace(
        "</C:calendar-data>", "]]></C:calendar-data>"
    )
    query = BusyQuery(ZoneInfo("Europe/London"), NOW, NOW + timedelta(days=9))

    reading = read_multistatus(f"<multistatus {CALDAV}>{wrapped}</multistatus>", query)

    assert len(reading.spans) == 1


NOT_FOUND, TOO_MANY = "HTTP/1.1 404 Not Found", "HTTP/1.1 507 Insufficient Storage"
NO_TEXT = "<propstat><prop><C:calendar-data/></prop><status>HTTP/1.1 {}</status></propstat>"


def read_week(*responses: str) -> tuple[int, int]:
    """Reads a multistatus of these responses. Returns the numbers of busy times and of skipped entries."""
    query = BusyQuery(ZoneInfo("Europe/London"), NOW, NOW + timedelta(days=9))
    reading = read_multistatus(f"<multistatus {CALDAV}>{''.join(responses)}</multistatus>", query)
    return len(reading.spans), reading.skipped


def response(href: str, content: str) -> str:
    return f"<response><href>/ada/calls/{href}</href>{content}</response>"


@pytest.mark.parametrize(
    "content",
    [NO_TEXT.format("403 Forbidden"), NO_TEXT.format("404 Not Found"), "<status>HTTP/1.1 500 Internal Server Error</status>"],
)
def test_an_entry_that_the_server_cannot_read_is_not_free_time(content: str) -> None:
    assert read_week(ENTRY.format(1, 2, 10, 0), response("x.ics", content)) == (1, 1)
    with pytest.raises(ValueError, match="no components"):
        read_week(response("x.ics", content))


def test_an_incomplete_reply_is_refused() -> None:
    with pytest.raises(ValueError, match="not complete"):
        read_week(ENTRY.format(1, 2, 10, 0), response("", f"<status>{TOO_MANY}</status>"))


def test_an_entry_that_was_just_deleted_and_the_calendar_itself_are_no_events() -> None:
    gone = response("x.ics", f"<status>{NOT_FOUND}</status>")
    calendar_itself = response("", "<propstat><prop><getetag>1</getetag></prop><status>HTTP/1.1 200 OK</status></propstat>")

    assert read_week(ENTRY.format(1, 2, 10, 0), gone, calendar_itself) == (1, 0)
