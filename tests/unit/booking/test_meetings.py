"""A meeting is booked once, keeps its id, and every link to it shows its current state."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from sqlmodel import Session, select, update

from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.hold import hold_slot
from site_app.provider.booking.mails import Occasion, visitor_text
from site_app.provider.booking.meeting import (
    ManagedMeeting,
    book_meeting,
    cancel_by_link,
    find_by_link,
    manage_url,
    move_by_link,
    withdraw_outdated_mails,
    write_reminders,
)
from site_app.provider.booking.refusals import MeetingClosed, SlotTaken
from site_app.provider.booking.slots import Availability
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.outbox.rows import lease, retry, settle_failed
from site_app.provider.store import Store
from site_app.provider.store.tables import BookingCell, BusyTime, ManageLink, Meeting, Outbox, OutboxKind, OutboxStatus
from tests.support.bookings import HALF_PAST_TEN, NOON, NOW, SETTINGS, TEN, later, request, submission_context

pytestmark = pytest.mark.anyio


async def book(
    store: Store, slot: str = TEN, now: datetime = NOW, settings: Settings = SETTINGS, **changes: Any
) -> ManagedMeeting:
    context = submission_context(now, settings)
    return await store.write(lambda session: book_meeting(session, request(slot, **changes), context))


async def move(store: Store, token: str, slot: str, now: datetime = NOW, settings: Settings = SETTINGS) -> ManagedMeeting:
    return await store.write(lambda session: move_by_link(session, token, slot, settings=settings, now=now))


async def cancel(store: Store, token: str, now: datetime = NOW) -> ManagedMeeting:
    return await store.write(lambda session: cancel_by_link(session, token, settings=SETTINGS, now=now))


async def remind(store: Store, now: datetime, settings: Settings = SETTINGS) -> int:
    return await store.write(lambda session: write_reminders(session, settings=settings, now=now))


async def ids(store: Store, settings: Settings = SETTINGS) -> set[str]:
    return {slot.id for slot in await store.read(lambda session: Availability(session, settings, NOW).slots())}


async def mails(store: Store) -> list[Outbox]:
    return await store.read(lambda session: list(session.exec(select(Outbox).order_by(Outbox.id))))  # pyright: ignore


async def settle(store: Store, status: str) -> None:
    """Gives all mails this status."""
    await store.write(lambda session: session.connection().execute(update(Outbox).values(status=status)))


async def first_mailed_link(store: Store) -> str:
    """Returns the link of the first mail."""
    return (await mails(store))[0].payload["manage_url"].rpartition("/")[2]


def rows(session: Session) -> tuple[int, int]:
    return len(session.exec(select(Meeting)).all()), len(session.exec(select(BookingCell)).all())


async def test_a_booked_meeting_takes_its_slot_and_writes_to_both_sides(store: Store) -> None:
    managed = await book(store)

    assert {TEN, HALF_PAST_TEN} & await ids(store) == set()
    assert [mail.template for mail in await mails(store)] == ["call-booked-visitor", "call-booked-host"]
    assert managed.meeting.conferencing_url.startswith("https://meet.plumbline.example.com/")
    assert "{room}" not in managed.meeting.conferencing_url


async def test_a_booked_meeting_keeps_its_length_until_it_is_moved(store: Store) -> None:
    """The setting may have changed since it was booked; the cells of the longer call keep others off."""
    longer = replace(SETTINGS, booking_length=timedelta(hours=1), booking_buffer=timedelta())
    managed = await book(store, settings=longer)
    length_before = await store.read(lambda session: find_by_link(session, managed.token).meeting.minutes)
    slots = {TEN, HALF_PAST_TEN} & await ids(store, replace(SETTINGS, booking_buffer=timedelta()))
    await settle(store, OutboxStatus.SENT)
    await move(store, managed.token, NOON)
    [_, _, visitor_mail, _] = await mails(store)

    assert (length_before, slots) == (60, set())
    assert await store.read(lambda session: find_by_link(session, managed.token).meeting.minutes) == 30
    start, end = (datetime.fromisoformat(visitor_mail.payload[name]) for name in ("starts_at", "ends_at"))
    assert end - start == timedelta(minutes=30)
    assert b"30 minutes" in compose(visitor_mail, SETTINGS)


@pytest.mark.parametrize(
    ("room", "is_new"), [("https://meet.example.org/{room}", False), ("https://meet.example.org/a#{secret}", True)]
)
async def test_each_meeting_has_its_own_room_and_a_moved_meeting_a_new_secret(store: Store, room: str, is_new: bool) -> None:
    settings = replace(SETTINGS, booking_room=room)
    context = submission_context(settings=settings)
    next_meeting = await store.write(lambda session: book_meeting(session, request(NOON), context))
    managed = await store.write(lambda session: book_meeting(session, request(TEN), context))
    first = managed.meeting.conferencing_url
    await settle(store, OutboxStatus.SENT)

    moved = await store.write(
        lambda session: move_by_link(session, managed.token, "20260602T1400Z", settings=settings, now=NOW)
    )

    second = moved.meeting.conferencing_url
    beginning = room.partition("{")[0]
    assert all(url.startswith(beginning) and len(url) >= len(beginning) + 20 for url in (first, second))
    assert next_meeting.meeting.conferencing_url not in (first, second)
    assert (first != second) == is_new
    in_mail = {
        row.template: row.payload["conferencing_url"]
        for row in await mails(store)
        if row.reference == managed.meeting.reference
    }
    assert (in_mail["call-booked-visitor"], in_mail["call-moved-visitor"]) == (first, second)


async def test_links_are_stored_only_as_hashes(store: Store) -> None:
    managed = await book(store)

    hashes = await store.read(lambda session: session.exec(select(ManageLink.token_hash)).all())
    assert hashes
    assert managed.token not in hashes
    assert all(len(link_hash) == 64 for link_hash in hashes)


async def test_a_free_slot_is_booked_even_if_its_hold_was_lost(store: Store) -> None:
    own_hold = await store.write(lambda session: hold_slot(session, TEN, settings=SETTINGS, now=NOW))

    await book(store, now=later(hours=1), hold=own_hold.id)

    assert await store.read(rows) == (1, 3)


async def test_a_moved_meeting_keeps_its_id_and_every_old_link(store: Store) -> None:
    managed = await book(store)
    reference, uid = managed.meeting.reference, managed.meeting.uid
    await settle(store, OutboxStatus.SENT)

    await move(store, managed.token, NOON)

    meeting = (await store.read(lambda session: find_by_link(session, managed.token))).meeting
    assert (meeting.reference, meeting.uid, meeting.sequence) == (reference, uid, 1)
    assert f"{meeting.starts_at:%Y%m%dT%H%MZ}" == NOON
    assert f"{meeting.moved_from:%Y%m%dT%H%MZ}" == TEN
    assert TEN in await ids(store)
    assert [mail.template for mail in await mails(store)][2:] == ["call-moved-visitor", "call-moved-host"]


async def test_every_mail_has_a_link_to_the_meeting_and_the_calendar_file_of_its_moment(store: Store) -> None:
    managed = await book(store)
    await settle(store, OutboxStatus.SENT)
    await move(store, await first_mailed_link(store), NOON)
    await settle(store, OutboxStatus.SENT)
    await cancel(store, await first_mailed_link(store))

    to_visitor = [mail for mail in await mails(store) if mail.template.endswith("visitor")]

    links = {mail.payload["manage_url"].rpartition("/")[2] for mail in to_visitor}
    matches = [await store.read(lambda session, link=link: find_by_link(session, link)) for link in links]
    assert len(links) == 3
    assert {match.meeting.reference for match in matches} == {managed.meeting.reference}
    files = [Calendar.from_ical(mail.payload["calendar"]) for mail in to_visitor]
    events = [file.walk("VEVENT")[0] for file in files]
    assert [str(file["method"]) for file in files] == ["REQUEST", "REQUEST", "CANCEL"]
    assert [event["sequence"] for event in events] == [0, 1, 2]
    assert {str(event["uid"]) for event in events} == {managed.meeting.uid}


async def test_a_raised_buffer_is_kept_after_meetings_booked_before(store: Store) -> None:
    wider = replace(SETTINGS, booking_buffer=timedelta(hours=2))
    managed = await book(store, TEN)
    assert NOON in await ids(store)

    assert NOON not in await ids(store, wider)
    with pytest.raises(SlotTaken):
        await book(store, NOON, settings=wider)
    assert (await move(store, managed.token, NOON, settings=wider)).meeting.starts_at.hour == 11


async def test_a_meeting_may_move_into_its_own_buffer_only_and_staying_changes_nothing(store: Store) -> None:
    managed = await book(store)
    await book(store, NOON)

    await move(store, managed.token, TEN)
    assert len(await mails(store)) == 4
    with pytest.raises(SlotTaken):
        await move(store, managed.token, "20260602T1030Z")
    await move(store, managed.token, HALF_PAST_TEN)

    assert await store.read(rows) == (2, 6)


async def test_a_cancelled_meeting_frees_its_slot_and_cancelling_again_changes_nothing(store: Store) -> None:
    managed = await book(store)
    await settle(store, OutboxStatus.SENT)

    for _ in range(2):
        await cancel(store, managed.token)

    assert TEN in await ids(store)
    assert [mail.template for mail in await mails(store)][2:] == ["call-cancelled-visitor", "call-cancelled-host"]
    with pytest.raises(MeetingClosed):
        await move(store, managed.token, NOON)


async def test_a_meeting_that_has_begun_can_be_neither_moved_nor_cancelled(store: Store) -> None:
    managed = await book(store)
    begun = managed.meeting.starts_at

    with pytest.raises(MeetingClosed):
        await move(store, managed.token, "20260604T0900Z", now=begun)
    with pytest.raises(MeetingClosed):
        await cancel(store, managed.token, now=begun)


async def test_an_unknown_link_finds_no_meeting(store: Store) -> None:
    for change in (move(store, "x" * 43, NOON), cancel(store, "x" * 43)):
        with pytest.raises(EntryNotFound):
            await change


async def test_a_link_speaks_the_language_of_the_booking(store: Store) -> None:
    managed = await book(store, language="th")

    assert manage_url(managed, SETTINGS) == f"http://localhost:3000/th/meetings/{managed.token}"


async def test_a_blocked_time_is_offered_to_nobody(store: Store) -> None:
    noon = datetime.fromisoformat("2026-06-02T11:00Z")

    await store.write(lambda session: session.add(BusyTime(source=BLOCKED, starts_at=noon, ends_at=noon + timedelta(hours=1))))

    assert not {"20260602T1030Z", NOON, "20260602T1130Z", "20260602T1200Z"} & await ids(store)
    assert {"20260602T1000Z", "20260602T1230Z"} <= await ids(store)


async def test_each_reminder_is_sent_once_at_its_time_before_a_meeting(store: Store) -> None:
    managed = await book(store, "20260604T0900Z")
    for reminder in SETTINGS.booking_reminders:
        due = managed.meeting.starts_at - reminder

        assert await remind(store, due - timedelta(seconds=1)) == 0
        assert [await remind(store, due), await remind(store, due)] == [1, 0]
        await settle(store, OutboxStatus.SENT)

    sent = [mail.template for mail in await mails(store)][2:]
    assert sent == ["call-reminder-visitor", "call-reminder-host"] * 2


async def test_reminders_that_were_missed_are_a_single_mail(store: Store) -> None:
    managed = await book(store, "20260604T0900Z")
    shortly_before = managed.meeting.starts_at - timedelta(minutes=10)

    assert [await remind(store, shortly_before), await remind(store, shortly_before + timedelta(minutes=5))] == [1, 0]


async def test_a_meeting_booked_between_its_reminders_gets_only_the_later_one(store: Store) -> None:
    managed = await book(store, "20260602T0800Z")  # for tomorrow
    due = managed.meeting.starts_at - timedelta(hours=1)

    assert await remind(store, due - timedelta(seconds=1)) == 0
    assert [await remind(store, due), await remind(store, managed.meeting.starts_at - timedelta(seconds=1))] == [1, 0]


async def test_without_reminders_none_is_sent(store: Store) -> None:
    managed = await book(store, "20260604T0900Z", settings=replace(SETTINGS, booking_reminders=()))

    assert await remind(store, managed.meeting.starts_at - timedelta(seconds=1)) == 0


async def test_a_moved_meeting_gets_its_reminder_at_the_new_time_and_a_cancelled_one_none(store: Store) -> None:
    moved, cancelled = await book(store, "20260604T0900Z"), await book(store, "20260604T1100Z")
    await move(store, moved.token, "20260605T0900Z")
    await cancel(store, cancelled.token)

    assert await remind(store, later(hours=1)) == 0
    assert await remind(store, datetime.fromisoformat("2026-06-03T12:00Z")) == 0
    assert await remind(store, datetime.fromisoformat("2026-06-04T09:00Z")) == 1


async def reminders(store: Store) -> list[str]:
    return [mail.payload["starts_at"] for mail in await mails(store) if mail.template == "call-reminder-visitor"]


@pytest.mark.parametrize("status", [OutboxStatus.WAITING, OutboxStatus.DEAD, OutboxStatus.SENT])
async def test_an_undelivered_reminder_is_withdrawn_when_the_meeting_changes_or_begins(store: Store, status: str) -> None:
    """The mail server may be down when a reminder is due; later the mail would remind of a call that is cancelled, moved or over."""
    changes = {
        TEN: lambda managed: cancel(store, managed.token),
        NOON: lambda managed: move(store, managed.token, "20260604T0900Z"),
        "20260602T1300Z": lambda managed: remind(store, managed.meeting.starts_at),
    }
    for slot, change in changes.items():
        managed = await book(store, slot)
        await remind(store, managed.meeting.starts_at - timedelta(hours=1))
        await settle(store, status)
        reminder_count = len(await reminders(store))

        await change(managed)

        assert len(await reminders(store)) == reminder_count - (status != OutboxStatus.SENT)


async def test_a_reminder_replaces_an_earlier_one_that_was_not_delivered(store: Store) -> None:
    managed = await book(store, "20260604T0900Z")

    for lead in SETTINGS.booking_reminders:
        await remind(store, managed.meeting.starts_at - lead)

    assert len(await reminders(store)) == 1


BOTH_SIDES = ("visitor", "host")


@pytest.mark.parametrize("status", [OutboxStatus.WAITING, OutboxStatus.DEAD])
@pytest.mark.parametrize("occasion", ["moved", "cancelled"])
async def test_an_undelivered_mail_is_withdrawn_when_a_newer_one_makes_it_untrue(
    store: Store, status: str, occasion: str
) -> None:
    """The mail server may come back just then: the last mail to arrive must be the last word, whenever others are retried."""
    managed = await book(store)
    await settle(store, status)

    await (move(store, managed.token, NOON) if occasion == "moved" else cancel(store, managed.token))
    await store.write(lambda session: retry(session, now=later(days=3)))

    assert [mail.template for mail in await mails(store)] == [f"call-{occasion}-{side}" for side in BOTH_SIDES]


@pytest.mark.parametrize("status", [OutboxStatus.SENDING, OutboxStatus.SENT])
async def test_a_mail_that_has_left_or_is_leaving_stays(store: Store, status: str) -> None:
    managed = await book(store)
    await settle(store, status)

    await cancel(store, managed.token)

    templates = [f"call-{occasion}-{side}" for occasion in ("booked", "cancelled") for side in BOTH_SIDES]
    assert [mail.template for mail in await mails(store)] == templates


async def test_a_mail_whose_delivery_fails_after_a_change_is_withdrawn(store: Store) -> None:
    managed, unchanged = await book(store), await book(store, NOON)
    [leased] = await store.write(lambda session: lease(session, now=NOW, until=later(minutes=5), mails=1))
    await cancel(store, managed.token, later(seconds=10))
    await store.write(lambda session: settle_failed(session, leased, reason="timeout", due=later(hours=1)))
    failed = [mail.template for mail in await mails(store) if mail.reference == managed.meeting.reference]

    await store.write(withdraw_outdated_mails)

    templates = {(mail.reference, mail.template) for mail in await mails(store)}
    assert failed[0] == "call-booked-visitor"
    assert templates == {
        (meeting.reference, f"call-{occasion}-{side}")
        for meeting, occasion in ((managed.meeting, "cancelled"), (unchanged.meeting, "booked"))
        for side in BOTH_SIDES
    }


async def test_the_targets_of_notifications_get_each_event(store: Store) -> None:
    target = "webhook=https://crm.example.com/hook key=whsec_" + "c2VjcmV0" * 4 + " meeting.booked meeting.moved"
    settings = replace(SETTINGS, notify=target)
    managed = await book(store, settings=settings)
    await move(store, managed.token, NOON, settings=settings)

    events = [row.template for row in await mails(store) if row.kind == OutboxKind.WEBHOOK]

    assert events == ["meeting.booked", "meeting.moved"]


@pytest.mark.parametrize("status", [OutboxStatus.WAITING, OutboxStatus.SENT])
async def test_the_mail_about_a_move_says_what_a_withdrawn_confirmation_would_have_said(store: Store, status: str) -> None:
    managed = await book(store)
    await settle(store, status)
    await move(store, managed.token, NOON)
    await move(store, managed.token, HALF_PAST_TEN)

    row = next(row for row in await mails(store) if row.template == "call-moved-visitor")
    text = " ".join(visitor_text(Occasion.MOVED, row.payload, SETTINGS).steps)
    [event] = Calendar.from_ical(row.payload["calendar"]).walk("VEVENT")

    assert event["sequence"] == 2
    assert ("Have three things ready" in text) == (status == OutboxStatus.WAITING)
    assert ("to add the call to your calendar" in text) == (status == OutboxStatus.WAITING)
    assert ("to update the call in your calendar" in text) == (status == OutboxStatus.SENT)
