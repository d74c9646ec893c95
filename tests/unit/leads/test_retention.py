"""Expired rows are erased with everything that belongs to them, and nothing else is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select

from site_app.contracts.kinds.message import Message
from site_app.contracts.kinds.quote import QUOTE, QuoteRequest
from site_app.core.settings import Settings
from site_app.provider.api.mails import TEMPLATES, TEMPLATES_WITHOUT_LEAD
from site_app.provider.api.sweep import sweep_batch
from site_app.provider.insights.page_views import PageViewed, ViewCounts
from site_app.provider.leads.erasing import delete_entries
from site_app.provider.leads.mails import answer_text
from site_app.provider.leads.storing import IncomingLead, store_leads
from site_app.provider.outbox.rows import mail_row
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.tables import Attachment, IdempotencyKey, Lead, Meeting, Outbox, PageView
from tests.support.bookings import send, submission_context
from tests.support.builders import message, quote
from tests.support.records import a_file, a_meeting, a_message
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
START = datetime(2030, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path)


async def sweep_at(store: Store, settings: Settings, now: datetime) -> None:
    while (await store.write(lambda session: sweep_batch(session, now=now, settings=settings))).rows:
        pass


async def remaining(store: Store, column: Any) -> list[Any]:
    return await store.read(lambda session: list(session.exec(select(column).order_by(column))))


@pytest.mark.parametrize(
    ("signs", "days", "expected_count"), [((), 729, 1), ((), 731, 0), (("honeypot",), 29, 1), (("honeypot",), 31, 0)]
)
async def test_a_lead_is_erased_after_its_retention_period(
    store: Store, settings: Settings, signs: tuple[str, ...], days: int, expected_count: int
) -> None:
    await send(store, submission_context(START, settings, spam_signals=signs))

    await sweep_at(store, settings, START + timedelta(days=days))

    assert len(await remaining(store, Lead.reference)) == expected_count
    assert bool(await remaining(store, Outbox.reference)) == bool(expected_count)


@pytest.mark.parametrize(("days", "expected_count"), [(729, 1), (731, 0)])
async def test_a_meeting_is_erased_as_long_after_its_booking_as_a_lead(
    store: Store, settings: Settings, days: int, expected_count: int
) -> None:
    meeting = a_meeting(created_at=START, starts_at=START + timedelta(days=29), ends_at=START + timedelta(days=29, minutes=30))
    await store.write(lambda session: session.add(meeting))

    await sweep_at(store, settings, START + timedelta(days=days))

    assert len(await remaining(store, Meeting.reference)) == expected_count


async def test_the_mail_to_a_sender_names_the_day_of_the_deletion(store: Store, settings: Settings) -> None:
    await send(store, submission_context(START, settings))
    answer = next(row for row in await rows_in(store, Outbox) if row.template == "answer")

    assert "On 2 January 2032 we’ll delete" in " ".join(answer_text(answer.payload, settings).closing)
    await sweep_at(store, settings, datetime(2032, 1, 1, 23, 59, tzinfo=UTC))
    assert len(await remaining(store, Lead.reference)) == 1
    await sweep_at(store, settings, datetime(2032, 1, 2, 23, 59, tzinfo=UTC))
    assert await remaining(store, Lead.reference) == []


@pytest.mark.parametrize("keep", [timedelta(days=1), timedelta(days=14)])
async def test_a_call_longer_ahead_than_its_retention_period_is_kept_until_it_is_over(
    store: Store, settings: Settings, keep: timedelta
) -> None:
    short = replace(settings, keep_leads=keep, keep_quarantine=keep)
    begin = START + timedelta(days=29)
    rows = [
        a_meeting(
            reference=f"C-{state}",
            uid=state,
            state=state,
            created_at=START,
            starts_at=begin,
            ends_at=begin + timedelta(hours=1),
        )
        for state in ("booked", "cancelled")
    ]
    await store.write(lambda session: session.add_all(rows))

    for days in (15, 28, 29):
        await sweep_at(store, short, START + timedelta(days=days))
        assert await remaining(store, Meeting.reference) == ["C-booked"]
    await sweep_at(store, short, begin + timedelta(hours=2))

    assert await remaining(store, Meeting.reference) == []


async def test_a_submission_repeated_after_its_erasure_is_a_new_lead(store: Store, settings: Settings) -> None:
    submission, context = Message.model_validate(message()), submission_context(START, settings)

    first = await send(store, context, submission)
    await store.write(lambda session: delete_entries(session, first))
    second = await send(store, context, submission)

    assert second != first
    assert await send(store, context, submission) == second
    assert await remaining(store, Lead.reference) == [second]


async def test_a_long_sweep_is_many_short_ones(store: Store, settings: Settings) -> None:
    rows = [a_message(reference=f"M-{number:05}", created_at=START) for number in range(450)]
    await store.write(lambda session: session.add_all(rows))
    in_two_years = START + timedelta(days=731)

    first = await store.write(lambda session: sweep_batch(session, now=in_two_years, settings=settings))
    assert 0 < first.rows < 450
    await sweep_at(store, settings, in_two_years)

    assert await remaining(store, Lead.reference) == []


async def test_page_views_and_keys_are_erased_after_their_periods(store: Store, settings: Settings) -> None:
    counts = ViewCounts()
    counts.add(PageViewed(path="/faq"), page_tags={"/faq": "a-page"}, today=START.date(), own_hosts=frozenset())

    await send(store, submission_context(START, settings))
    await counts.write(store)
    await sweep_at(store, settings, START + timedelta(days=31))
    assert (await remaining(store, IdempotencyKey.key), len(await remaining(store, PageView.path))) == ([], 1)
    await sweep_at(store, settings, START + timedelta(days=762))
    assert await remaining(store, PageView.path) == []


async def test_mails_that_belong_to_no_lead_are_erased_by_their_age(store: Store, settings: Settings) -> None:
    rows = [
        mail_row(name, {"reference": name}, "a@example.org", "en", settings=settings, now=START)
        for name in (*TEMPLATES, *TEMPLATES_WITHOUT_LEAD)
    ]
    await store.write(lambda session: insert_rows(session, Outbox, list({row.template: row for row in rows}.values())))

    await sweep_at(store, settings, START + settings.keep_quarantine + timedelta(days=1))

    left = set(await remaining(store, Outbox.template))
    assert {"news", "answer", "partner-approved"} <= left
    assert left.isdisjoint(
        {"digest", "office-sign-in", "office-test", "partner-link", "partner-statement", "partner-terms", "payouts-due", "test"}
    )


async def test_erasing_a_lead_takes_its_files_and_mails_and_leaves_the_others(store: Store, settings: Settings) -> None:
    ids = ["A" * 22, "B" * 22]
    submissions = [QuoteRequest.model_validate(quote(attachments=[file_id])) for file_id in ids]

    def write(session: Session) -> list[str]:
        session.add_all(a_file(file_id[:3], id=file_id, created_at=START) for file_id in ids)
        session.flush()
        return [
            store_leads(session, [IncomingLead(QUOTE, submission, submission_context(START, settings))])[0].reference
            for submission in submissions
        ]

    first, second = await store.write(write)
    files = await store.write(lambda session: delete_entries(session, first))

    assert files == ["AAA"]
    assert await remaining(store, Lead.reference) == [second]
    assert set(await remaining(store, Outbox.reference)) == {second}
    assert await remaining(store, Attachment.claimed_by) == [second]
