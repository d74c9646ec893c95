"""Several processes on one database: the second one waits and sees the changes of the first."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, col, func, select, update

from site_app.contracts.kinds.message import MESSAGE, Message
from site_app.core.settings import Settings
from site_app.provider.api.sweep import sweep_batch
from site_app.provider.booking.busy import claim_reading, store_busy_times
from site_app.provider.booking.hold import hold_slot
from site_app.provider.booking.meeting import ManagedMeeting, book_meeting, write_reminders
from site_app.provider.booking.refusals import SlotTaken, TooManyHolds, TooManyMeetings
from site_app.provider.http.refusals import EntryNotFound, FieldRefused
from site_app.provider.leads.attachments import claim_files, discard
from site_app.provider.leads.quarantine import release
from site_app.provider.leads.storing import IncomingLead, store_leads
from site_app.provider.leads.word_index import index_words
from site_app.provider.office import actions
from site_app.provider.office.actions import Actor
from site_app.provider.outbox.mailboxes import MAILS_A_DAY
from site_app.provider.store import Store
from site_app.provider.store.clock import last_sweep_at, note_time
from site_app.provider.store.tables import Attachment, BookingCell, BusyTime, Hold, Lead, ManageLink, Meeting, Outbox
from tests.support.bookings import HALF_PAST_TEN, NOW, SETTINGS, TEN, later, request, submission_context
from tests.support.builders import message
from tests.support.databases import ON_POSTGRES
from tests.support.locks import another_process, commit_when_awaited
from tests.support.records import a_file, a_meeting, a_quote
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
Job = Callable[[Session], Any]


async def together(processes: list[Store], *jobs: Job) -> list[Any]:
    """Starts all jobs at once in different processes; returns each result or refusal."""
    running = (processes[number % len(processes)].write(job) for number, job in enumerate(jobs))
    return await asyncio.gather(*running, return_exceptions=True)


def count(table: type[Any]) -> Callable[[Session], int]:
    return lambda session: session.exec(select(func.count()).select_from(table)).one()


async def test_a_hold_requested_twelve_times_at_once_is_one_hold(processes: list[Store]) -> None:
    def ask(session: Session) -> str:
        return hold_slot(session, TEN, settings=SETTINGS, now=NOW, hold_id="mine").id

    results = await together(processes, *[ask] * 12)

    assert results == ["mine"] * 12
    assert await processes[0].read(count(Hold)) == 1


async def test_a_hold_moved_both_ways_at_once_keeps_one_of_the_two_slots(processes: list[Store]) -> None:
    def ask(slot: str) -> Job:
        return lambda session: hold_slot(session, slot, settings=SETTINGS, now=NOW, hold_id="mine").id

    await together(processes, ask(TEN))
    results = await together(processes, *[ask(HALF_PAST_TEN), ask(TEN)] * 4)

    assert results == ["mine"] * 8
    assert await processes[0].read(count(Hold)) == 1
    assert await processes[0].read(count(BookingCell)) == 3


async def test_a_slot_wanted_by_twelve_is_held_for_one(processes: list[Store]) -> None:
    def ask(session: Session) -> str:
        return hold_slot(session, TEN, settings=SETTINGS, now=NOW).id

    results = await together(processes, *[ask] * 12)

    assert [type(result) for result in results].count(str) == 1
    assert [type(result) for result in results].count(SlotTaken) == 11


async def test_a_networks_limits_hold_for_simultaneous_requests(processes: list[Store]) -> None:
    slots = [f"202606{day:02}T{hour}Z" for day in (2, 3, 4, 5) for hour in ("0900", "1300", "1500")]
    common: Any = {"settings": SETTINGS, "now": NOW, "network_hash": "one"}

    holds = await together(processes, *[partial(hold_slot, slot_id=slot, **common) for slot in slots])
    bookings = [partial(book_meeting, request=request(slot), context=submission_context(network_hash="one")) for slot in slots]
    booked = await together(processes, *bookings)

    assert [type(result) for result in holds].count(Hold) == SETTINGS.limit_open_holds
    assert {type(result) for result in holds} == {Hold, TooManyHolds}
    assert [type(result) for result in booked].count(ManagedMeeting) == SETTINGS.limit_calls
    assert {type(result) for result in booked} <= {ManagedMeeting, TooManyMeetings, SlotTaken}


async def test_a_mailboxs_daily_limit_holds_for_simultaneous_leads(processes: list[Store]) -> None:
    submissions = [Message.model_validate(message()) for _ in range(12)]

    await together(
        processes,
        *[
            partial(store_leads, incoming_leads=[IncomingLead(MESSAGE, submission, submission_context())])
            for submission in submissions
        ],
    )

    def mail_count(session: Session) -> int:
        return len(session.exec(select(Outbox).where(Outbox.mailbox != "")).all())

    assert await processes[0].read(mail_count) == MAILS_A_DAY


async def test_submissions_sent_to_several_processes_in_any_order_are_stored_once(processes: list[Store]) -> None:
    submissions = [Message.model_validate(message(email=f"person{number}@example.com")) for number in range(40)]
    orders = (submissions, submissions[::-1], submissions[20:] + submissions[:20])

    results = await asyncio.gather(
        *(
            process.write_together(store_leads, IncomingLead(MESSAGE, submission, submission_context()))
            for process, order in zip(processes, orders, strict=True)
            for submission in order
        )
    )

    assert len({entry.reference for entry in results}) == 40
    assert await processes[0].read(count(Lead)) == 40
    assert await processes[0].read(count(Outbox)) == 80


async def test_a_file_is_either_claimed_or_deleted(processes: list[Store]) -> None:
    for number in range(8):
        name = f"file{number}"
        row = a_file(name, created_at=datetime.now(UTC))
        await processes[0].write(lambda session, row=row: session.add(row))

        claimed, taken_back = await together(
            processes,
            lambda session, name=name: claim_files(session, [name], "Q-2222-22"),
            lambda session, name=name: discard(session, name),
        )

        assert isinstance(claimed, FieldRefused) != isinstance(taken_back, EntryNotFound)
        stored = await processes[0].read(lambda session, name=name: session.get(Attachment, name))
        assert (stored is not None) == isinstance(taken_back, EntryNotFound)


async def test_of_processes_that_start_together_one_reads_the_calendar(processes: list[Store]) -> None:
    every = timedelta(minutes=10)

    at_start = await together(processes, *[lambda session: claim_reading(session, now=NOW, pause=every)] * 6)
    after_nine_minutes = await together(processes, lambda session: claim_reading(session, now=later(minutes=9), pause=every))
    after_ten_minutes = await together(
        processes, *[lambda session: claim_reading(session, now=later(minutes=10), pause=every)] * 6
    )

    assert (sorted(at_start), after_nine_minutes, sorted(after_ten_minutes)) == (
        [False] * 5 + [True],
        [False],
        [False] * 5 + [True],
    )


async def test_a_calendar_read_by_a_clock_that_was_ahead_is_read_again(processes: list[Store]) -> None:
    every = timedelta(minutes=10)
    await processes[0].write(lambda session: claim_reading(session, now=later(days=365), pause=every))

    assert await processes[0].write(lambda session: claim_reading(session, now=NOW, pause=every))


async def test_a_calendar_stored_by_two_processes_is_stored_once(processes: list[Store]) -> None:
    spans = [(later(hours=1), later(hours=2)), (later(hours=5), later(hours=6))]

    def keep(session: Session) -> None:
        store_busy_times(session, "a", spans, now=NOW)

    assert await together(processes, *[keep] * 6) == [None] * 6
    assert await processes[0].read(count(BusyTime)) == 2


async def test_a_reminder_is_written_once_however_many_look(processes: list[Store]) -> None:
    await processes[0].write(lambda session: book_meeting(session, request("20260605T0900Z"), submission_context()))

    def remind(session: Session) -> int:
        return write_reminders(session, settings=SETTINGS, now=datetime(2026, 6, 4, 9, 30, tzinfo=UTC))

    results = await together(processes, *[remind] * 9)

    def reminders(session: Session) -> int:
        return len(session.exec(select(Outbox).where(col(Outbox.template).contains("reminder"))).all())

    assert sorted(results) == [0] * 8 + [1]
    assert await processes[0].read(reminders) == 2  # to the visitor and to the host


async def test_sweeps_at_once_share_the_work_and_disturb_nobody(processes: list[Store], tmp_path: Path) -> None:
    settings = Settings(var=tmp_path)
    old = [a_file(f"file{number}", created_at=NOW) for number in range(20)]
    await processes[0].write(lambda session: session.add_all(old))

    results = await together(processes, *[lambda session: sweep_batch(session, now=later(days=2), settings=settings)] * 6)

    assert sorted(len(result.files) for result in results) == [0] * 5 + [20]


async def test_only_one_of_several_owners_undoes_a_change(processes: list[Store]) -> None:
    actor = Actor("ada@example.com", NOW)
    await processes[0].write(lambda session: session.add(a_quote(status="new")))

    for status in ("won", "lost", "won", "lost"):
        set_status = partial(
            actions.set_status_and_owner, reference="Q-7F3K-29", actor=actor, settings=Settings(), status=status
        )
        await processes[0].write(set_status)
        save = await processes[0].read(lambda session: actions.last_save(session, "Q-7F3K-29"))
        undo = partial(actions.undo, reference="Q-7F3K-29", number=save[0].id, actor=actor, settings=Settings())

        results = await together(processes, *[undo] * 6)

        assert sorted(type(result).__name__ for result in results) == ["EditConflict"] * 5 + ["NoneType"]


async def test_only_one_of_several_owners_opens_a_blocked_time(processes: list[Store]) -> None:
    actor = Actor("ada@example.com", NOW)
    blocked = await processes[0].write(lambda session: actions.block(session, NOW, later(hours=1), actor))

    results = await together(processes, *[partial(actions.unblock, number=blocked.id or 0, actor=actor)] * 6)

    assert sorted(type(result).__name__ for result in results) == ["EntryNotFound"] * 5 + ["NoneType"]


@ON_POSTGRES
async def test_a_lead_that_is_being_released_is_not_swept(processes: list[Store], url: str, tmp_path: Path) -> None:
    settings = Settings(var=tmp_path)
    lead = a_quote(status="quarantined", created_at=NOW - timedelta(days=31))
    await add_rows(processes[0], lead)

    with another_process(url) as visitor:
        assert release(visitor, "Q-7F3K-29", submission_context().tokens, settings=settings, now=NOW)
        sweep = processes[1].write(lambda session: sweep_batch(session, now=NOW, settings=settings))
        swept = await commit_when_awaited(visitor, processes[2], sweep)

    assert swept.rows == 0
    assert [row.status for row in await rows_in(processes[0], Lead)] == ["released"]


@ON_POSTGRES
async def test_the_first_sweeps_of_two_processes_both_note_their_time(processes: list[Store], url: str) -> None:
    with another_process(url) as first:
        note_time(first, NOW)
        first.flush()
        second = processes[1].write(lambda session: note_time(session, later(seconds=1)))
        await commit_when_awaited(first, processes[2], second)

    assert await processes[0].read(last_sweep_at) == later(seconds=1)


@ON_POSTGRES
async def test_the_index_of_words_does_not_bring_a_removed_guest_back(processes: list[Store], url: str) -> None:
    meeting = a_meeting(guest_email="guest@example.net")
    await add_rows(processes[0], meeting)
    await processes[0].write(lambda session: session.connection().execute(update(Meeting).values(folded="")))

    with another_process(url) as team:
        actions.drop_guest(team, meeting.reference, Actor("ada@example.com", NOW), SETTINGS)
        team.flush()
        await commit_when_awaited(team, processes[2], processes[1].write(index_words))
    await processes[0].write(index_words)

    [row] = await rows_in(processes[0], Meeting)
    assert "looms" in row.folded
    assert "guest@example.net" not in row.folded


@ON_POSTGRES
async def test_a_link_to_a_meeting_does_not_wait_for_its_changes(processes: list[Store], url: str) -> None:
    meeting = a_meeting()
    await add_rows(processes[0], meeting)

    with another_process(url) as team:
        actions.note(team, meeting.reference, "Called back.", Actor("ada@example.com", NOW))
        await add_rows(processes[1], ManageLink(token_hash="a", meeting_id=meeting.id or 0))
        team.commit()

    assert [link.meeting_id for link in await rows_in(processes[0], ManageLink)] == [meeting.id]
