"""The .ics files give the right instants to two independent parsers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import vobject
from icalendar import Calendar

from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings
from site_app.provider.booking.calendar_file import calendar_file, feed, web_links
from site_app.provider.store.tables import BusyTime, Meeting, MeetingStage

SETTINGS = Settings()
ZONES = ("Europe/London", "Asia/Bangkok", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
# Before, between and after both changes of London's clocks, and on the days of the changes.
MOMENTS = tuple(
    datetime.fromisoformat(f"{day}T{at}Z")
    for day in ("2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26", "2027-07-01")
    for at in ("00:30", "01:30", "09:00", "16:30")
) + tuple(
    # ambiguous local times in London, New York and on Lord Howe Island, and their edges
    datetime.fromisoformat(moment)
    for moment in (
        *("2026-10-24T23:30Z", "2026-10-25T00:00Z", "2026-10-25T01:00Z"),
        *("2026-11-01T04:30Z", "2026-11-01T05:00Z", "2026-11-01T05:30Z", "2026-11-01T06:00Z", "2026-11-01T06:30Z"),
        *("2026-04-04T14:00Z", "2026-04-04T14:30Z", "2026-04-04T14:45Z", "2026-04-04T15:00Z"),
    )
)


def parsed(ics: bytes) -> Any:
    """Returns the calendar of a file, untyped: icalendar has too many types for each property."""
    return Calendar.from_ical(ics)


def by_icalendar(ics: bytes) -> tuple[datetime, datetime]:
    event = parsed(ics).walk("VEVENT")[0]
    return event.start.astimezone(UTC), event.end.astimezone(UTC)


def by_vobject(ics: bytes) -> tuple[datetime, datetime]:
    event: Any = vobject.readOne(ics.decode()).vevent  # pyright: ignore
    return event.dtstart.value.astimezone(UTC), event.dtend.value.astimezone(UTC)


def a_meeting(start: datetime = MOMENTS[2], **changes: Any) -> Meeting:
    values: dict[str, Any] = {
        "reference": "M-7F3K-29",
        "email": "ada@visitor.example",
        "full_name": "Ada Lovelace",
        "starts_at": start,
        "ends_at": start + timedelta(minutes=30),
        "time_zone": "Asia/Bangkok",
        "conferencing_url": "https://meet.example.com/call-x",
        "uid": "abc@example.com",
        "created_at": start - timedelta(days=3),
        "changed_at": start - timedelta(days=2),
    }
    return Meeting(**(values | changes))


@pytest.mark.parametrize("parse", [by_icalendar, by_vobject])
@pytest.mark.parametrize("zone", ZONES)
def test_a_calendar_file_has_the_instants_of_the_database(
    parse: Callable[[bytes], tuple[datetime, datetime]], zone: str
) -> None:
    settings = Settings(booking_zone=zone)

    for start in MOMENTS:
        assert parse(calendar_file(a_meeting(start), settings).content) == (start, start + timedelta(minutes=30))


def test_a_request_names_both_people_and_a_cancellation_has_the_same_id() -> None:
    booked, cancelled = a_meeting(), a_meeting(state=MeetingStage.CANCELLED, sequence=2)

    request, cancel = (parsed(calendar_file(value, SETTINGS).content) for value in (booked, cancelled))

    requested, withdrawn = request.walk("VEVENT")[0], cancel.walk("VEVENT")[0]
    assert (request["method"], requested["status"], requested["sequence"]) == ("REQUEST", "CONFIRMED", 0)
    assert (cancel["method"], withdrawn["status"], withdrawn["sequence"]) == ("CANCEL", "CANCELLED", 2)
    assert requested["uid"] == withdrawn["uid"] == "abc@example.com"
    assert requested["organizer"] == f"mailto:{SETTINGS.brand_email}"
    assert [str(value) for value in requested["attendee"]] == [f"mailto:{SETTINGS.brand_email}", "mailto:ada@visitor.example"]
    assert requested["location"] == "https://meet.example.com/call-x"
    assert (
        "15:00 Bangkok · 09:00 London"
        in calendar_file(a_meeting(datetime(2026, 8, 4, 8, tzinfo=UTC)), SETTINGS).content.decode()
    )


def test_a_visitors_name_cannot_write_lines_of_its_own() -> None:
    name = 'Eve"\r\nATTENDEE:mailto:all@example.com;,\\n'

    event = parsed(calendar_file(a_meeting(full_name=name), SETTINGS).content).walk("VEVENT")[0]

    assert len(event["attendee"]) == 2


def test_a_file_is_in_the_language_being_written() -> None:
    with use(BY_ID["th"]):
        assert "ลอนดอน".encode() in calendar_file(a_meeting(), SETTINGS).content.replace(b"\r\n ", b"")


def test_the_links_to_calendars_on_the_web_carry_utc_times() -> None:
    links = {
        name: parse_qs(urlsplit(url).query) for name, url in web_links(a_meeting(datetime(2026, 8, 4, 8, tzinfo=UTC)), SETTINGS)
    }

    assert links["Google Calendar"]["dates"] == ["20260804T080000Z/20260804T083000Z"]
    assert links["Outlook"]["startdt"] == ["2026-08-04T08:00:00Z"]
    assert all("https://meet.example.com/call-x" in fields["location"] for fields in links.values())


def test_the_hosts_feed_holds_meetings_and_blocked_times() -> None:
    blocked = BusyTime(id=4, source="blocked", starts_at=MOMENTS[0], ends_at=MOMENTS[1], note="Dentist")

    events = parsed(
        feed([a_meeting(), a_meeting(uid="b@example.com", state=MeetingStage.CANCELLED)], [blocked], SETTINGS)
    ).walk("VEVENT")

    assert [str(event["summary"]) for event in events] == ["Call with Ada Lovelace", "Call with Ada Lovelace", "Dentist"]
    assert [str(event.get("status", "")) for event in events] == ["CONFIRMED", "CANCELLED", ""]


def test_the_hosts_feed_publishes_by_the_rules_of_itip() -> None:
    """RFC 5546, 3.2.1: an event of the method PUBLISH has an organizer, and no attendee."""
    blocked = BusyTime(id=4, source="blocked", starts_at=MOMENTS[0], ends_at=MOMENTS[1])

    content = feed([a_meeting(), a_meeting(uid="b@example.com", host="Siriporn Chaiyasit")], [blocked], SETTINGS)

    calendar = parsed(content)
    organizers = [event["organizer"] for event in calendar.walk("VEVENT")]
    assert calendar["method"] == "PUBLISH"
    assert {str(organizer) for organizer in organizers} == {f"mailto:{SETTINGS.brand_email}"}
    assert [organizer.params["CN"] for organizer in organizers] == [
        SETTINGS.brand_founder,
        "Siriporn Chaiyasit",
        SETTINGS.brand_founder,
    ]
    assert b"ATTENDEE" not in content
    assert b"ada@visitor.example" not in content
    for event in calendar.walk("VEVENT"):
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
