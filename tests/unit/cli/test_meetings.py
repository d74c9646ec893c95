"""The founder lists meetings and blocked times in the terminal."""

from datetime import UTC, datetime, timedelta

from site_app.provider.booking.busy import BLOCKED
from site_app.provider.store.tables import BusyTime, Meeting
from tests.support.records import a_meeting
from tests.unit.cli.site import Site

NOON = datetime(2090, 7, 3, 11, tzinfo=UTC)  # 12:00 in London, and still to come


def an_upcoming_meeting() -> Meeting:
    return a_meeting(id=1, starts_at=NOON, ends_at=NOON + timedelta(minutes=30))


def test_meetings_are_listed_by_the_founders_clock(site: Site) -> None:
    site.add(an_upcoming_meeting())

    listing = site.json("meetings", "list")

    assert [(meeting["reference"], meeting["when"]) for meeting in listing["calls"]] == [
        ("C-7F3K-29", "Mon 2090-07-03 12:00 BST")
    ]
    assert "C-7F3K-29" in site.run("meetings", "list").output


def test_blocked_times_are_listed_by_the_same_clock(site: Site) -> None:
    site.add(BusyTime(source=BLOCKED, starts_at=NOON, ends_at=NOON + timedelta(days=1), note="Holiday"))

    [blocked] = site.json("meetings", "list")["blocked"]

    assert (blocked["from"], blocked["to"]) == ("Mon 2090-07-03 12:00 BST", "Tue 2090-07-04 12:00 BST")
    assert "Holiday" in site.run("meetings", "list").output
