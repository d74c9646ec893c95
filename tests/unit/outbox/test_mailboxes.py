"""A mailbox that a stranger enters in a form is not flooded, and no lead is lost for that."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from site_app.contracts.kinds.message import MESSAGE, Message
from site_app.provider.booking.limits import MAILBOX_MEETINGS_PER_DAY
from site_app.provider.booking.meeting import (
    MOVES_WITHOUT_MAILED_LINK,
    book_meeting,
    cancel_by_link,
    cancel_meeting,
    move_by_link,
    write_reminders,
)
from site_app.provider.booking.refusals import MailedLinkNeeded, TooManyMeetings
from site_app.provider.leads import quarantine, storing
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.outbox.mailboxes import MAILS_A_DAY, mailbox_of
from site_app.provider.store import Store
from site_app.provider.store.tables import Lead, Meeting, Outbox
from tests.support.bookings import NOON, NOW, SETTINGS, TEN, later, request, send, submission_context
from tests.support.builders import message
from tests.support.stored_rows import mark_mails_sent

pytestmark = pytest.mark.anyio
DAY = timedelta(days=1)
SECOND, THIRD = "20260604T0900Z", "20260604T1100Z"  # late enough for a reminder


async def send_as(store: Store, *, email: str = "ada@example.com", now: datetime = NOW, **changes: Any) -> str:
    return await send(store, submission_context(now, **changes), Message.model_validate(message(email=email)))


async def book(store: Store, slot: str, now: datetime) -> str:
    """Books the slot for one mailbox; returns the token of its manage link."""
    meeting_request, context = request(slot, email="ada@example.com"), submission_context(now)
    return (await store.write(lambda session: book_meeting(session, meeting_request, context))).token


async def mails(store: Store) -> list[Outbox]:
    return await store.read(lambda session: list(session.exec(select(Outbox).order_by(col(Outbox.id)))))


async def mail_templates(store: Store) -> list[str]:
    """Returns the templates of the mails to visitors in the outbox."""
    return [mail.template for mail in await mails(store) if mail.mailbox]


@pytest.mark.parametrize("signals", [(), ("honeypot",)])
async def test_a_mailbox_gets_so_many_mails_a_day_and_every_lead_is_kept(store: Store, signals: tuple[str, ...]) -> None:
    for number in range(5):
        await send_as(store, email=f"A.d.a+{number}@gmail.com", spam_signals=signals)

    assert len(await mail_templates(store)) == MAILS_A_DAY <= 2  # tests/trials/promises.md, 28
    assert len(await store.read(lambda session: session.exec(select(Lead)).all())) == 5
    if not signals:
        assert [mail.template for mail in await mails(store)].count("news") == 5


async def test_withheld_mails_are_recorded_without_texts(store: Store) -> None:
    references = [await send_as(store) for _ in range(MAILS_A_DAY + 1)]

    (noted,) = [mail for mail in await mails(store) if mail.status == "withheld"]
    assert (noted.reference, noted.template, noted.payload) == (references[-1], "answer", {})


@pytest.mark.parametrize(("status", "extra"), [("sent", 1), ("waiting", 0)])
async def test_the_next_day_there_are_mails_again_unless_those_before_still_wait(store: Store, status: str, extra: int) -> None:
    for _ in range(MAILS_A_DAY + 1):
        await send_as(store)
    await store.write(lambda session: [setattr(row, "status", status) for row in session.exec(select(Outbox))] and None)

    await send_as(store, now=NOW + DAY)

    assert len(await mail_templates(store)) == MAILS_A_DAY + extra


async def test_mails_of_a_clock_that_was_ahead_use_up_no_days_to_come(store: Store) -> None:
    ahead = NOW + 5 * DAY
    for _ in range(MAILS_A_DAY):
        await send_as(store, now=ahead)

    def mark_sent(session: Any) -> None:
        mark_mails_sent(session)
        for row in session.exec(select(Outbox)):
            row.sent_at = ahead

    await store.write(mark_sent)

    await send_as(store)

    assert len(await mail_templates(store)) == MAILS_A_DAY + 1


async def test_other_mailboxes_get_their_mails(store: Store) -> None:
    for _ in range(MAILS_A_DAY + 1):
        await send_as(store)

    await send_as(store, email="grace@example.com")

    assert len(await mail_templates(store)) == MAILS_A_DAY + 1


async def test_a_confirmation_is_always_answered(store: Store) -> None:
    references = [await send_as(store, spam_signals=("honeypot",)) for _ in range(MAILS_A_DAY)]

    context = submission_context()
    await store.write(
        lambda session: quarantine.release(session, references[0], context.tokens, settings=context.settings, now=context.now)
    )

    assert await mail_templates(store) == ["confirmation"] * MAILS_A_DAY + ["answer"]


async def test_a_repeated_submission_gets_the_same_answer_about_its_mail(store: Store) -> None:
    submissions = [Message.model_validate(message(email="ada@example.com")) for _ in range(MAILS_A_DAY + 1)]

    async def mailed() -> list[bool]:
        context = submission_context()
        entries = [
            await store.write(
                lambda session, submission=submission: storing.store_leads(
                    session, [storing.IncomingLead(MESSAGE, submission, context)]
                )[0]
            )
            for submission in submissions
        ]
        return [entry.mailed for entry in entries]

    assert await mailed() == await mailed() == [True] * MAILS_A_DAY + [False]


async def test_no_mail_of_a_meeting_is_withheld(store: Store) -> None:
    for _ in range(MAILS_A_DAY + 1):
        await send_as(store, email="ada@example.com")
    managed = await store.write(
        lambda session: book_meeting(session, request(SECOND, email="ada@example.com"), submission_context())
    )

    def change(session: Any) -> None:
        mark_mails_sent(session)
        move_by_link(session, managed.token, THIRD, settings=SETTINGS, now=NOW)
        write_reminders(session, settings=SETTINGS, now=later(days=2, hours=4))

    def cancel(session: Any) -> None:
        cancel_by_link(session, managed.token, settings=SETTINGS, now=later(days=2, hours=5))

    async def meeting_mails() -> list[Outbox]:
        return [mail for mail in await mails(store) if mail.reference == managed.meeting.reference and mail.mailbox]

    await store.write(change)
    before = await meeting_mails()
    await store.write(cancel)  # withdraws the reminder and the mail about the move
    all_mails = [*before, (await meeting_mails())[-1]]

    states = (("booked", "sent"), ("moved", "waiting"), ("reminder", "waiting"), ("cancelled", "waiting"))
    assert [(mail.template, mail.status) for mail in all_mails] == [
        (f"call-{occasion}-visitor", status) for occasion, status in states
    ]
    assert all(mail.payload["calendar"] for mail in all_mails)


async def test_after_several_moves_a_meeting_is_moved_only_by_the_link_of_a_mail(store: Store) -> None:
    managed = await store.write(lambda session: book_meeting(session, request(TEN), submission_context()))
    slots = [NOON, TEN] * MOVES_WITHOUT_MAILED_LINK
    for slot in slots[:MOVES_WITHOUT_MAILED_LINK]:
        await store.write(mark_mails_sent)
        await store.write(lambda session, slot=slot: move_by_link(session, managed.token, slot, settings=SETTINGS, now=NOW))

    with pytest.raises(MailedLinkNeeded):
        await store.write(
            lambda session: move_by_link(session, managed.token, slots[MOVES_WITHOUT_MAILED_LINK], settings=SETTINGS, now=NOW)
        )
    mailed = (await mails(store))[0].payload["manage_url"].rpartition("/")[2]
    await store.write(mark_mails_sent)
    await store.write(
        lambda session: move_by_link(session, mailed, slots[MOVES_WITHOUT_MAILED_LINK], settings=SETTINGS, now=NOW)
    )
    await store.write(mark_mails_sent)
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=SETTINGS, now=NOW))

    moved = ["call-moved-visitor"] * (MOVES_WITHOUT_MAILED_LINK + 1)
    assert await mail_templates(store) == ["call-booked-visitor", *moved, "call-cancelled-visitor"]


async def test_a_mailbox_books_so_many_meetings_a_day_however_many_it_cancels(store: Store) -> None:
    for number in range(MAILBOX_MEETINGS_PER_DAY):
        token = await book(store, SECOND, later(minutes=number))
        await store.write(lambda session, token=token: cancel_by_link(session, token, settings=SETTINGS, now=later(hours=1)))

    with pytest.raises(TooManyMeetings) as refused:
        await book(store, SECOND, later(hours=2))
    assert refused.value.for_mailbox
    assert await book(store, SECOND, later(days=1, hours=2))


async def test_calls_booked_while_the_clock_was_ahead_use_up_no_days_to_come(store: Store) -> None:
    for _ in range(MAILBOX_MEETINGS_PER_DAY):
        token = await book(store, THIRD, NOW + 2 * DAY)
        await store.write(lambda session, token=token: cancel_by_link(session, token, settings=SETTINGS, now=NOW + 2 * DAY))

    assert await book(store, THIRD, NOW)


async def test_changes_by_the_link_of_a_mail_are_always_mailed(store: Store) -> None:
    await store.write(lambda session: book_meeting(session, request(TEN), submission_context()))
    link = (await mails(store))[0].payload["manage_url"].rpartition("/")[2]

    for slot in (NOON, TEN, NOON):
        await store.write(mark_mails_sent)
        await store.write(lambda session, slot=slot: move_by_link(session, link, slot, settings=SETTINGS, now=NOW))
    await store.write(mark_mails_sent)
    await store.write(lambda session: cancel_by_link(session, link, settings=SETTINGS, now=NOW))

    assert await mail_templates(store) == ["call-booked-visitor", *["call-moved-visitor"] * 3, "call-cancelled-visitor"]


async def test_a_cancellation_by_the_host_is_always_mailed(store: Store) -> None:
    managed = await store.write(
        lambda session: book_meeting(session, request(TEN, email="ada@example.com"), submission_context())
    )
    for _ in range(MAILS_A_DAY):
        await send_as(store)

    def cancel_as_host(session: Any) -> None:
        meeting = find_by_reference(session, Meeting, managed.meeting.reference)
        assert meeting
        cancel_meeting(session, meeting, settings=SETTINGS, now=later(minutes=1))

    await store.write(cancel_as_host)

    assert (await mail_templates(store))[-1] == "call-cancelled-visitor"


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Ada.Lovelace+x@GMail.com", "adalovelace@gmail.com"),
        ("ada@googlemail.com", "ada@gmail.com"),
        ("Ada.L+x+y@example.com", "ada.l@example.com"),
        ("+ada@example.com", "+ada@example.com"),
    ],
)
def test_spellings_of_one_mailbox_are_normalised(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox
