"""The founder lists and cancels calls and blocks times from the terminal."""

from datetime import UTC, datetime, timedelta

import pytest

from site_app.provider.store.tables import BookingCell, BusyTime, Meeting, Outbox
from tests.unit.cli.conftest import Site
from tests.unit.outbox.writing import a_call

NOON = datetime(2090, 7, 3, 11, tzinfo=UTC)  # 12:00 in London, and still to come


def a_coming_call() -> Meeting:
    return a_call(id=1, starts_at=NOON, ends_at=NOON + timedelta(minutes=30))


def test_calls_are_listed_by_the_founders_clock(site: Site) -> None:
    site.add(a_coming_call())

    listing = site.json("meetings", "list")

    assert [(meeting["reference"], meeting["when"]) for meeting in listing["calls"]] == [
        ("C-7F3K-29", "Mon 2090-07-03 12:00 BST")
    ]
    assert "C-7F3K-29" in site.run("meetings", "list").output


def test_a_call_is_cancelled_with_its_mails_and_its_slot(site: Site) -> None:
    site.add(a_coming_call())
    site.add(BookingCell(starts_at=NOON, meeting_id=1))

    result = site.run("meetings", "cancel", "c-7f3k-29", "--yes")

    assert result.exit_code == 0, result.output
    assert site.json("meetings", "list")["calls"][0]["state"] == "cancelled"
    assert (site.count(BookingCell), site.count(Outbox)) == (0, 2)
    assert site.run("meetings", "cancel", "C-7F3K-29", "--yes").exit_code == 1


def test_cancelling_asks_first(site: Site) -> None:
    site.add(a_coming_call())

    assert site.run("meetings", "cancel", "C-7F3K-29", answer="n\n").exit_code == 1

    assert site.count(Outbox) == 0


def test_days_are_blocked_whole_and_opened_again(site: Site) -> None:
    site.add(a_coming_call())

    result = site.run("meetings", "block", "2090-07-03", "2090-07-04", "--note", "Holiday")

    assert "Still booked in it: C-7F3K-29" in result.output
    [blocked] = site.json("meetings", "list")["blocked"]
    assert (blocked["from"], blocked["to"]) == ("Mon 2090-07-03 00:00 BST", "Wed 2090-07-05 00:00 BST")
    assert site.run("meetings", "unblock", str(blocked["blocked"])).exit_code == 0
    assert site.count(BusyTime) == 0
    assert site.run("meetings", "unblock", "77").exit_code == 1


@pytest.mark.parametrize("last", ["2090-07-03 11:00", "tomorrow"])
def test_invalid_spans_cannot_be_blocked(site: Site, last: str) -> None:
    assert site.run("meetings", "block", "2090-07-03 12:00", last).exit_code == 2

    assert site.count(BusyTime) == 0


def test_a_time_may_end_at_midnight(site: Site) -> None:
    site.run("meetings", "block", "2090-07-03 18:00", "2090-07-04 00:00")
    site.run("meetings", "block", "2090-07-05", "2090-07-06T00:00")

    blocked = [(span["from"], span["to"]) for span in site.json("meetings", "list")["blocked"]]
    assert blocked == [
        ("Mon 2090-07-03 18:00 BST", "Tue 2090-07-04 00:00 BST"),
        ("Wed 2090-07-05 00:00 BST", "Thu 2090-07-06 00:00 BST"),
    ]


def test_invalid_days_cannot_be_blocked(site: Site) -> None:
    result = site.run("meetings", "block", "2090-07-03", "tomorrow")

    assert result.exit_code == 2
    assert "tomorrow" in result.output
