"""Mails about a meeting, to the visitor and to the host."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from site_app.provider.booking.calendar_file import calendar_file
from site_app.provider.booking.mails import Occasion, meeting_rows, visitor_text
from site_app.provider.outbox.mail import CalendarFile
from tests.support.records import CALENDAR, NOW, SETTINGS, a_meeting, meeting_mails, text_of


def test_both_local_times_are_named_with_weekdays_the_readers_first() -> None:
    visitor, host = (text_of(mail) for mail in meeting_mails("booked"))

    assert "Wednesday 5 August 2026, 03:00 Bangkok · Tue 21:00 London" in visitor
    assert "Tuesday 4 August 2026, 21:00 London · Wed 03:00 Bangkok" in host


@pytest.mark.parametrize(("occasion", "method"), [("booked", "REQUEST"), ("cancelled", "CANCEL")])
def test_each_occasion_brings_its_calendar_file(occasion: str, method: str) -> None:
    for mail in meeting_mails(occasion, method=method):
        (file,) = mail.iter_attachments()

        assert file.get_content_type() == "text/calendar"
        assert file["Content-Type"].params["method"] == method
        assert file.get_payload(decode=True) == CALENDAR
    assert meeting_mails(occasion)[0]["Subject"].endswith("Wednesday 5 August 2026, 03:00")


def test_only_the_visitor_gets_the_link_that_changes_the_meeting() -> None:
    visitor, host = meeting_mails("booked")

    assert "https://www.example.com/meetings/s3cret" in text_of(visitor)
    assert '<a href="https://meet.example.com/room">' in text_of(visitor, "html")
    assert "s3cret" not in text_of(host) + text_of(host, "html")


def test_a_cancelled_meeting_offers_another_instead_of_its_room() -> None:
    visitor, _ = meeting_mails("cancelled", method="CANCEL")

    assert "https://www.example.com/?open=consultation" in text_of(visitor)
    assert "meet.example.com" not in text_of(visitor)
    assert "s3cret" not in text_of(visitor)


def test_a_moved_meeting_says_where_it_was() -> None:
    meeting = a_meeting(moved_from=datetime(2026, 8, 4, 9, tzinfo=UTC), sequence=1)

    visitor, _ = meeting_mails("moved", meeting)
    reminder, _ = meeting_mails("reminder", meeting)

    assert "Tuesday 4 August 2026, 16:00 Bangkok · 10:00 London" in text_of(visitor)
    assert "Tuesday 4 August 2026, 16:00 Bangkok" not in text_of(reminder)


def test_the_mails_of_one_meeting_are_one_thread_with_different_ids() -> None:
    booked, _ = meeting_mails("booked")
    moved, _ = meeting_mails("moved", a_meeting(sequence=1))
    moved_twice, _ = meeting_mails("moved", a_meeting(sequence=2))

    assert {mail["References"] for mail in (booked, moved, moved_twice)} == {"<C-7F3K-29@plumbline.example.com>"}
    assert len({mail["Message-ID"] for mail in (booked, moved, moved_twice)}) == 3


def test_the_host_gets_the_visitors_text_and_can_reply() -> None:
    _, host = meeting_mails("booked")

    assert host["Reply-To"] == "Ada Lovelace <ada@example.org>"
    assert "Looms." in text_of(host)


@pytest.mark.parametrize(
    ("remind_at", "promise"),
    [
        (datetime(2026, 8, 3, 20, tzinfo=UTC), "We’ll email you reminders, the first on Tuesday 4 August 2026, 03:00."),
        (datetime(2026, 8, 4, 19, tzinfo=UTC), "We’ll email you a reminder on Wednesday 5 August 2026, 02:00."),
    ],
    ids=["a day and an hour before", "an hour before"],
)
def test_the_mail_promises_the_reminders_that_will_come(remind_at: datetime, promise: str) -> None:
    assert promise in text_of(meeting_mails("booked", a_meeting(remind_at=remind_at))[0])  # in the visitor's time zone
    assert "reminder" not in text_of(meeting_mails("booked", a_meeting(remind_at=None))[0])


@pytest.mark.parametrize("occasion", Occasion)
def test_no_text_of_the_visitor_is_mailed_to_an_unconfirmed_address(occasion: str) -> None:
    typed = dict.fromkeys(("full_name", "company", "phone", "project_information", "additional_notes"), "PILLS")
    meeting = a_meeting(**typed, moved_from=NOW, remind_at=NOW)

    visitor, _ = meeting_mails(occasion, meeting, calendar=calendar_file(meeting, SETTINGS).content)

    (file,) = visitor.iter_attachments()
    assert "PILLS" not in visitor.as_string() + text_of(visitor) + text_of(visitor, "html")
    assert "PILLS" not in str(file.get_payload(decode=True))


def test_the_webhook_gets_a_booking_without_its_management_link() -> None:
    settings = replace(SETTINGS, webhook_url="https://crm.example.com/hook", webhook_secret="s" * 24)
    arguments: dict[str, Any] = {"manage_url": "https://x/s3cret", "calendar_file": CalendarFile(CALENDAR, "REQUEST")}
    arguments |= {"settings": settings, "now": NOW}

    event = meeting_rows(Occasion.BOOKED, a_meeting(), **arguments)[-1]

    assert (event.kind, event.payload["data"]["kind"], event.payload["data"]["reference"]) == (
        "webhook",
        "meeting",
        "C-7F3K-29",
    )
    assert "s3cret" not in str(event.payload)
    assert [row.kind for row in meeting_rows(Occasion.MOVED, a_meeting(sequence=1), **arguments)] == ["mail", "mail"]


@pytest.mark.parametrize(
    ("occasion", "by_team", "words"),
    [
        (Occasion.CANCELLED, False, "You’ve cancelled"),
        (
            Occasion.CANCELLED,
            True,
            "We’re sorry: we’ve had to cancel your consultation call. You can choose another time below.",
        ),
        (Occasion.MOVED, False, "You’ve moved"),
        (Occasion.MOVED, True, "We’re sorry: we’ve had to move"),
    ],
)
def test_a_mail_about_a_change_names_who_made_it(occasion: Occasion, by_team: bool, words: str) -> None:
    [row, *_] = meeting_rows(
        occasion,
        a_meeting(),
        manage_url="https://www.example.com/meetings/s3cret",
        calendar_file=CalendarFile(CALENDAR, "CANCEL"),
        settings=SETTINGS,
        now=NOW,
        by_team=by_team,
    )

    assert visitor_text(occasion, row.payload, SETTINGS).opening[0].startswith(words)
