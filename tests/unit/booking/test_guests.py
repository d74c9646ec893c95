"""A visitor may bring a guest: they get the invitation, moves and the cancellation, and nobody can be flooded with them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from icalendar import Calendar
from sqlmodel import select

from site_app.contracts.meeting import MeetingRequest
from site_app.core import business
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.booking.calendar_file import calendar_entry, calendar_file
from site_app.provider.booking.meeting import (
    MOVES_WITHOUT_MAILED_LINK,
    ManagedMeeting,
    book_meeting,
    cancel_by_link,
    find_by_link,
    move_by_link,
    move_meeting,
    write_reminders,
)
from site_app.provider.http.refusals import FieldRefused
from site_app.provider.leads.erasing import delete_entries
from site_app.provider.store import Store
from site_app.provider.store.tables import Meeting, Outbox
from tests.support.bookings import HALF_PAST_TEN, NOON, NOW, SETTINGS, TEN, later, request, submission_context
from tests.support.stored_rows import mark_mails_sent, rows_in

pytestmark = pytest.mark.anyio
GUEST = "bo@guest.example.org"
WORDS = "Buy pills"


async def book(store: Store, slot: str = TEN, *, settings: Settings = SETTINGS, **changes: Any) -> ManagedMeeting:
    meeting_request = request(slot, **{"guest_email": GUEST} | changes)
    return await store.write(lambda session: book_meeting(session, meeting_request, submission_context(NOW, settings)))


async def move(store: Store, token: str, slot: str) -> None:
    await store.write(lambda session: move_by_link(session, token, slot, settings=SETTINGS, now=NOW))


async def to_guest(store: Store) -> list[Outbox]:
    return [row for row in await rows_in(store, Outbox) if row.recipient == GUEST]


def mail(row: Outbox, settings: Settings = SETTINGS) -> EmailMessage:
    return message_from_bytes(compose(row, settings), policy=policy.default)  # type: ignore[return-value]


def text(row: Outbox, settings: Settings = SETTINGS) -> str:
    body = mail(row, settings).get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


async def test_a_guest_is_mailed_the_invitation_moves_and_the_cancellation(store: Store) -> None:
    managed = await book(store)
    await store.write(mark_mails_sent)
    await move(store, managed.token, NOON)
    await store.write(mark_mails_sent)
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=SETTINGS, now=NOW))

    mails = await to_guest(store)
    files = [next(iter(mail(row).iter_attachments())) for row in mails]
    events = [Calendar.from_ical(file.get_payload(decode=True)).walk("VEVENT")[0] for file in files]  # pyright: ignore

    assert [row.template for row in mails] == ["call-booked-guest", "call-moved-guest", "call-cancelled-guest"]
    assert [file["Content-Type"].params["method"] for file in files] == ["REQUEST", "REQUEST", "CANCEL"]
    assert {str(event["uid"]) for event in events} == {managed.meeting.uid}
    assert [str(event["sequence"]) for event in events] == ["0", "1", "2"]
    assert managed.meeting.conferencing_url in text(mails[0])
    assert ["want to come" in text(row) for row in mails] == [True, True, False]  # nobody can come to a cancelled call


async def test_a_guest_reads_no_word_of_the_visitor_and_cannot_change_the_meeting(store: Store) -> None:
    typed = dict.fromkeys(("full_name", "company", "project_information", "additional_notes"), WORDS)
    managed = await book(store, email="pills@visitor.example.org", **typed)

    [invitation] = await to_guest(store)
    message = compose(invitation, SETTINGS).decode()
    all_texts = message + text(invitation) + str(invitation.payload)

    assert WORDS not in all_texts
    assert "pills@" not in all_texts
    assert "/meetings/" not in all_texts
    assert managed.token not in all_texts


async def test_a_guest_whose_time_zone_is_not_known_reads_whose_time_the_subject_names(store: Store) -> None:
    managed = await book(store, time_zone="America/New_York")
    await store.write(mark_mails_sent)
    await move(store, managed.token, NOON)
    await store.write(mark_mails_sent)
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=SETTINGS, now=NOW))

    assert all("New York" in mail(row)["Subject"] and "London" in mail(row)["Subject"] for row in await to_guest(store))


async def test_a_guest_reads_on_which_day_their_address_is_deleted(store: Store) -> None:
    await book(store)

    [invitation] = await to_guest(store)

    assert date_words((NOW + SETTINGS.keep_leads).date()) in text(invitation)


async def test_a_guest_reads_the_day_of_a_call_after_which_it_is_deleted_if_that_is_later(store: Store) -> None:
    kept_a_day = replace(SETTINGS, keep_leads=timedelta(days=1))
    managed = await book(store, "20260605T0900Z", settings=kept_a_day)

    [invitation] = await to_guest(store)

    assert f"the booking on {date_words(managed.meeting.ends_at.date())}" in text(invitation, kept_a_day)


async def test_visitor_and_guest_do_not_learn_each_others_address_from_files_or_mails(store: Store) -> None:
    managed = await book(store, email="ada@visitor.example.org")
    visitor_row = next(row for row in await rows_in(store, Outbox) if row.template == "call-booked-visitor")

    assert GUEST not in str(visitor_row.payload) + text(visitor_row)
    assert GUEST.encode() not in calendar_file(managed.meeting, SETTINGS).content
    assert b"ada@visitor" not in calendar_file(managed.meeting, SETTINGS, attendee=GUEST).content
    assert "We’ve emailed the invitation to your guest, too." in text(visitor_row)


async def test_the_host_sees_the_guest_in_mail_and_calendar(store: Store) -> None:
    managed = await book(store)
    host_row = next(row for row in await rows_in(store, Outbox) if row.template == "call-booked-host")
    [event] = Calendar.from_ical(calendar_entry(managed.meeting, SETTINGS)).walk("VEVENT")

    assert GUEST in text(host_row)
    assert f"Guest: {GUEST}" in str(event["description"])


async def test_invitations_to_one_mailbox_are_withheld_beyond_its_mails_of_the_day(store: Store) -> None:
    slots = ("20260603T0900Z", "20260604T0900Z", "20260605T0900Z", "20260608T0900Z")
    all_managed = [await book(store, slot, guest_email=address) for slot, address in zip(slots, _spellings(), strict=True)]

    guests = [
        await store.read(lambda session, token=managed.token: find_by_link(session, token).meeting.guest_email)
        for managed in all_managed
    ]
    invitations = [row for row in await rows_in(store, Outbox) if row.template == "call-booked-guest"]
    last_mail = [row for row in await rows_in(store, Outbox) if row.template == "call-booked-visitor"][-1]

    assert len(invitations) == business.MAILS_A_DAY == sum(map(bool, guests))
    assert "We can’t email your guest today." in text(last_mail)
    assert await store.read(lambda session: session.exec(select(Meeting.folded).order_by(Meeting.id)).all()[-1]) == ""  # pyright: ignore


def _spellings() -> tuple[str, ...]:
    return "bo@gmail.com", "b.o@gmail.com", "bo+x@googlemail.com", "B.O+y@gmail.com"


async def test_a_guest_is_mailed_few_moves_of_a_visitor_but_all_of_the_team(store: Store) -> None:
    managed = await book(store)
    mailed = (
        next(row for row in await rows_in(store, Outbox) if row.template == "call-booked-visitor")
        .payload["manage_url"]
        .rpartition("/")[2]
    )
    for slot in (NOON, TEN, HALF_PAST_TEN, NOON):
        await store.write(mark_mails_sent)
        await move(store, mailed, slot)
    of_visitor = len([row for row in await to_guest(store) if row.template == "call-moved-guest"])
    last_mail = [row for row in await rows_in(store, Outbox) if row.template == "call-moved-visitor"][-1]

    def move_by_team(session: Any) -> None:
        meeting = find_by_link(session, managed.token).meeting
        move_meeting(session, meeting, TEN, settings=SETTINGS, now=NOW, by_team=True)

    await store.write(mark_mails_sent)
    await store.write(move_by_team)
    of_team = len([row for row in await to_guest(store) if row.template == "call-moved-guest"]) - of_visitor

    assert (of_visitor, of_team) == (MOVES_WITHOUT_MAILED_LINK, 1)
    assert "Please tell your guest the new time" in text(last_mail)


async def test_a_guest_whose_invitation_never_left_is_invited_to_the_meeting_as_it_is_now(store: Store) -> None:
    managed = await book(store)
    for slot in (NOON, HALF_PAST_TEN):
        await move(store, managed.token, slot)

    [invitation] = await to_guest(store)
    event: Any = Calendar.from_ical(invitation.payload["calendar"]).walk("VEVENT")[0]
    visitor_row = next(row for row in await rows_in(store, Outbox) if row.template == "call-moved-visitor")

    assert invitation.template == "call-booked-guest"
    assert (event.start, event["sequence"]) == (datetime(2026, 6, 2, 9, 30, tzinfo=UTC), 2)
    assert "We’ve emailed the invitation to your guest, too." in text(visitor_row)


async def test_a_guest_whose_invitation_never_left_is_not_told_of_the_cancellation(store: Store) -> None:
    managed = await book(store)
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=SETTINGS, now=NOW))

    assert [row.template for row in await rows_in(store, Outbox)] == ["call-cancelled-visitor", "call-cancelled-host"]
    assert [row.guest_email for row in await rows_in(store, Meeting)] == [""]  # an export would not find it without a mail


async def test_a_withdrawn_mail_about_a_move_is_replaced_even_after_the_moves_a_guest_is_told_of(store: Store) -> None:
    managed = await book(store)
    mailed = next(row for row in await rows_in(store, Outbox)).payload["manage_url"].rpartition("/")[2]
    await store.write(mark_mails_sent)
    await move(store, managed.token, NOON)
    await store.write(mark_mails_sent)
    for slot in (TEN, HALF_PAST_TEN):  # the guest would no longer be told of the third move
        await move(store, mailed, slot)

    mails = await to_guest(store)

    assert [row.template for row in mails] == ["call-booked-guest", "call-moved-guest", "call-moved-guest"]
    assert mails[-1].payload["starts_at"].startswith("2026-06-02T09:30")


async def test_visitors_learn_from_a_move_that_the_guest_was_not_invited_if_the_confirmation_never_left(store: Store) -> None:
    slots = ("20260603T0900Z", "20260604T0900Z", "20260605T0900Z")
    for slot in slots[:2]:
        await book(store, slot)
    managed = await book(store, slots[2])
    await move(store, managed.token, NOON)

    last_mail = next(row for row in await rows_in(store, Outbox) if row.template == "call-moved-visitor")

    assert "We can’t email your guest today." in text(last_mail)


async def test_visitors_who_name_themselves_as_guest_get_one_mail(store: Store) -> None:
    await book(store, email="ada@gmail.com", guest_email="A.da+guest@gmail.com")

    assert [row.template for row in await rows_in(store, Outbox)] == ["call-booked-visitor", "call-booked-host"]


async def test_a_guest_of_a_refused_domain_is_refused_at_its_field(store: Store) -> None:
    with pytest.raises(FieldRefused) as refused:
        await book(store, settings=replace(SETTINGS, refused_email_domains=("guest.example.org",)))

    assert refused.value.args[0] == "guest_email"


async def test_a_reminder_is_for_the_visitor_alone(store: Store) -> None:
    await book(store, NOON)
    await store.write(lambda session: write_reminders(session, settings=SETTINGS, now=later(hours=20)))

    assert [row.template for row in await to_guest(store)] == ["call-booked-guest"]


async def test_erasing_the_meeting_erases_its_guest(store: Store) -> None:
    managed = await book(store)
    await store.write(lambda session: delete_entries(session, managed.meeting.reference))

    assert await rows_in(store, Outbox) == []
    assert await store.read(lambda session: session.exec(select(Meeting)).all()) == []


@pytest.mark.parametrize(
    "address", ["bo", "bo@", "a" * 250 + "@x.org", "bo@guest.example.org, eve@x.org", "bo@x.org\r\nBcc: eve@x.org"]
)
def test_a_guest_has_one_address(address: str) -> None:
    with pytest.raises(ValueError, match="guest_email"):
        request(guest_email=address)


def test_a_guest_is_optional() -> None:
    assert request().guest_email == request(guest_email=" ").guest_email == ""
    assert "guest_email" not in MeetingRequest.model_json_schema()["required"]
