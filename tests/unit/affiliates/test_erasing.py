"""The records of a partner are erased together, once their time after the agreement has passed, and those of others stay."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from site_app.core.settings import Settings
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.erasing import delete_expired_partners
from site_app.provider.affiliates.payments import PaymentEntry
from site_app.provider.affiliates.payout_reminders import REMINDED
from site_app.provider.api.sweep import sweep_batch
from site_app.provider.store import Store
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, Partner, PartnerLink, Payout, Referral
from tests.support.databases import ON_POSTGRES
from tests.support.locks import another_process, commit_when_awaited
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
ENDED = date(2027, 3, 1)
TABLES = (Partner, PartnerLink, Referral, CustomerPayment, Payout, AffiliateEntry)
KEEP = Settings().keep_affiliates


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path)


def a_partner(number: int, **changes: Any) -> Partner:
    fields: dict[str, Any] = {
        "id": number,
        "code": f"K7F3M2{number:02}",
        "application": f"A-7F3K-{number:02}",
        "name": "Pat",
        "email": f"pat@partner{number}.example",
        "paypal": f"pat@partner{number}.example",
        "terms_version": "2024-08-14",
        "applied_at": datetime(2026, 1, 1, tzinfo=UTC),
        "approved_on": date(2026, 1, 5),
        "notice_on": date(2026, 12, 31),
        "ends_on": ENDED,
    }
    return Partner(**fields | changes)


def a_payment(number: int, **changes: Any) -> CustomerPayment:
    fields: dict[str, Any] = {
        "reference": f"INV-{number}",
        "lead": f"Q-7F3K-{number:02}",
        "net": Decimal(1000),
        "currency": "GBP",
        "billing": "monthly",
        "due_on": date(2026, 2, 1),
        "contract_on": date(2026, 2, 1),
        "received_on": date(2026, 2, 10),
    }
    return CustomerPayment(**fields | changes)


async def store_with_records(store: Store, number: int, **changes: Any) -> None:
    """Stores a partner with a row in every table."""
    await add_rows(store, a_partner(number, **changes))
    await add_rows(store, Referral(lead=f"Q-7F3K-{number:02}", partner_id=number, first_submission_on=date(2026, 1, 20)))
    await add_rows(store, a_payment(number), a_payout(number), an_entry(number, "pay", date(2026, 3, 1)))
    await store.write(lambda session: program.add_link(session, program.partner_by_id(session, number)))


def a_payout(number: int, month: date = date(2026, 2, 1), paid_on: date = date(2026, 3, 1)) -> Payout:
    return Payout(month=month, partner_id=number, currency="GBP", amount=Decimal(200), paid_on=paid_on)


def an_entry(number: int, action: str, day: date) -> AffiliateEntry:
    at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return AffiliateEntry(at=at, person="site", action=action, partner_id=number, subject="2026-02 GBP")


async def sweep(store: Store, settings: Settings, days_after_end: int) -> int:
    """Sweeps on a day after the end of ENDED and the period. Returns the number of batches that deleted something."""
    now = (
        datetime(ENDED.year, ENDED.month, ENDED.day, 12, tzinfo=UTC) + settings.keep_affiliates + timedelta(days=days_after_end)
    )
    batches = 0
    while (await store.write(lambda session: sweep_batch(session, now=now, settings=settings))).rows:
        batches += 1
    return batches


async def counts(store: Store) -> dict[str, int]:
    return {table.__name__: len(await rows_in(store, table)) for table in TABLES}


async def test_a_partner_is_erased_with_all_records_when_their_time_has_passed(store: Store, settings: Settings) -> None:
    await store_with_records(store, 1)
    await store_with_records(store, 2, notice_on=None, ends_on=None)

    await sweep(store, settings, 0)
    before = await counts(store)
    await sweep(store, settings, 1)

    assert before == {table.__name__: 2 for table in TABLES}
    assert await counts(store) == {table.__name__: 1 for table in TABLES}
    assert [row.id for row in await rows_in(store, Partner)] == [2]


@pytest.mark.parametrize("state", ["active", "suspended"])
async def test_a_partner_whose_agreement_goes_on_is_never_erased(store: Store, settings: Settings, state: str) -> None:
    await store_with_records(store, 1, state=state, notice_on=None, ends_on=None)

    await sweep(store, settings, 36500)

    assert await counts(store) == {table.__name__: 1 for table in TABLES}


async def test_a_partner_who_brought_nobody_is_erased_after_the_same_time(store: Store, settings: Settings) -> None:
    await add_rows(store, a_partner(1))

    await sweep(store, settings, 0)
    assert len(await rows_in(store, Partner)) == 1
    await sweep(store, settings, 1)
    assert await rows_in(store, Partner) == []


LATER = ENDED + timedelta(days=200)
YOUNGER = {
    "invoiced": a_payment(9, lead="Q-7F3K-01", due_on=LATER, received_on=None),
    "received": a_payment(9, lead="Q-7F3K-01", received_on=LATER),
    "reversed": a_payment(9, lead="Q-7F3K-01", reversed_on=LATER),
    "paid back": a_payment(9, lead="Q-7F3K-01", repaid_on=LATER, repaid=Decimal(5)),
    "paid out": a_payout(1, LATER.replace(day=1), LATER),
    "reminded": an_entry(1, REMINDED, LATER),
}


@pytest.mark.parametrize("name", YOUNGER)
async def test_a_younger_payment_payout_or_reminder_keeps_all_records(store: Store, settings: Settings, name: str) -> None:
    await store_with_records(store, 1)
    row = YOUNGER[name]
    await add_rows(store, type(row)(**row.model_dump()))

    await sweep(store, settings, 200)
    before = await counts(store)
    await sweep(store, settings, 201)

    assert before["Partner"] == before["Referral"] == before["PartnerLink"] == 1
    assert await counts(store) == {table.__name__: 0 for table in TABLES}


async def test_many_partners_are_erased_a_few_at_a_time(store: Store, settings: Settings) -> None:
    for number in range(1, 13):
        await store_with_records(store, number)

    batches = await sweep(store, settings, 1)

    assert batches == 3
    assert await counts(store) == {table.__name__: 0 for table in TABLES}


async def test_the_sweep_keeps_what_a_decision_of_today_needs(store: Store, settings: Settings) -> None:
    """An agreement that ends today by a breach has its whole time before it."""
    await store_with_records(store, 1, notice_on=None, ends_on=None)
    today = datetime(2040, 1, 1, tzinfo=UTC)
    end = partial(program.end_at_once, partner_id=1, actor=Actor("o@agency.example", today), is_forfeited=True)
    await store.write(lambda session: end(session, settings=settings))

    for now, left in ((today + KEEP, 1), (today + KEEP + timedelta(days=1), 0)):
        await store.write(lambda session, now=now: sweep_batch(session, now=now, settings=settings))
        assert len(await rows_in(store, Partner)) == left


@ON_POSTGRES
async def test_a_payment_that_is_being_entered_keeps_its_partner(store: Store, url: str) -> None:
    await store_with_records(store, 1)
    row = a_payment(9, lead="Q-7F3K-22", due_on=LATER, received_on=None)
    await store.write(lambda session: session.add(Referral(lead=row.lead, partner_id=1, first_submission_on=date(2026, 1, 20))))
    payment = PaymentEntry.model_validate(row.model_dump(exclude={"id", "reference_key"}))
    actor = Actor("o@agency.example", datetime(2027, 9, 1, tzinfo=UTC))

    with another_process(url) as owner:
        assert payments.add_payment(owner, payment, actor)
        owner.flush()
        before = datetime(ENDED.year, ENDED.month, ENDED.day, tzinfo=UTC) + timedelta(days=100)
        deletion = store.write(lambda session: delete_expired_partners(session, before=before))
        count = await commit_when_awaited(owner, store, deletion)

    assert count == 0
    assert [row.reference for row in await rows_in(store, CustomerPayment)] == ["INV-1", "INV-9"]
