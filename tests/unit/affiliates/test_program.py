"""Partners, referrals, payments and payouts are stored once even if two processes compete; a forged code stores none."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlmodel import Session, update

from site_app.contracts.attribution import CODE_LENGTH, partner_code
from site_app.contracts.input import SPOKEN_ALPHABET
from site_app.core.settings import Settings
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.payments import ImportRefused, PaymentDiffers, PaymentEntry, PayoutRefused, RefundMoved
from site_app.provider.affiliates.program import AlreadyDecided
from site_app.provider.affiliates.statements import mail_statement
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads import quarantine
from site_app.provider.office import actions
from site_app.provider.store import Store
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import (
    AffiliateEntry,
    CustomerPayment,
    Lead,
    Outbox,
    Partner,
    Payout,
    Referral,
)
from tests.support.databases import ON_POSTGRES
from tests.support.locks import another_process, commit_when_awaited
from tests.support.records import a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
T = TypeVar("T")
NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
OWNER = Actor("owner@agency.example", NOW)
IN_MARCH = OWNER._replace(now=datetime(2026, 3, 1, 12, tzinfo=UTC))
FEBRUARY = date(2026, 2, 1)
LONDON = Settings()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path)


async def a_partner(store: Store, settings: Settings, number: int = 1, **changes: Any) -> Partner:
    reference = f"A-7F3K-2{number}"
    email = f"partner{number}@partner{number}.example"
    await add_rows(store, an_application(reference=reference, created_at=NOW - timedelta(days=9), email=email))
    actor = OWNER._replace(now=NOW - timedelta(days=2))
    approve = partial(program.approve, reference=reference, actor=actor, name="Pat", settings=settings)
    partner = await store.write(approve)
    if changes:
        await store.write(lambda session: session.add(session.merge(Partner(**partner.model_dump() | changes))))
    return partner


async def credit(store: Store, lead: Any, code: object) -> Referral | None:
    """Stores the lead and credits it, in one transaction."""

    def stored(session: Session) -> Referral | None:
        session.add(lead)
        session.flush()
        return program.credit_locked(session, lead, code, settings=LONDON)

    return await store.write(stored)


def entry(**changes: Any) -> PaymentEntry:
    standard = {
        "reference": "INV-1",
        "lead": "Q-7F3K-29",
        "net": "1000.00",
        "currency": "GBP",
        "billing": "monthly",
        "due_on": "2026-02-01",
        "contract_on": "2026-02-01",
        "received_on": "2026-02-10",
    }
    return PaymentEntry.model_validate(standard | changes)


def enter_payment(payment: PaymentEntry, **options: Any) -> Callable[[Session], bool]:
    return lambda session: payments.add_payment(session, payment, OWNER, **options)


def pay_out(
    partner: Partner, month: date = FEBRUARY, shown_amount: str = "200", now: datetime | None = None, shown_count: int = 0
) -> Callable[[Session], Payout]:
    actor = OWNER._replace(now=now or datetime(2026, 3, 1, tzinfo=UTC))
    return lambda session: payments.mark_paid_out(
        session, partner.id or 0, month, "GBP", Decimal(shown_amount), actor, shown_count=shown_count, settings=LONDON
    )


async def test_an_application_is_approved_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    approve_again = partial(program.approve, reference=partner.application, actor=OWNER, name="Pat", settings=settings)

    for second in (approve_again, lambda session: program.decline(session, partner.application, OWNER, settings=settings)):
        with pytest.raises(AlreadyDecided):
            await store.write(second)

    assert partner_code(partner.code) == partner.code
    assert [row.template for row in await rows_in(store, Outbox)] == ["partner-approved"]
    assert [row.status for row in await rows_in(store, Lead)] == ["won"]


async def test_two_owners_approve_at_once_and_make_one_partner(store: Store, settings: Settings) -> None:
    await add_rows(store, an_application())
    approve = partial(program.approve, reference="A-7F3K-29", actor=OWNER, name="Pat", settings=settings)

    results = await asyncio.gather(*(store.write(approve) for _ in range(4)), return_exceptions=True)

    assert sum(isinstance(result, AlreadyDecided) for result in results) == 3
    assert len(await rows_in(store, Partner)) == 1


async def test_a_declined_application_makes_no_partner(store: Store, settings: Settings) -> None:
    await add_rows(store, an_application())

    await store.write(lambda session: program.decline(session, "A-7F3K-29", OWNER, settings=settings))
    with pytest.raises(AlreadyDecided):
        await store.write(partial(program.approve, reference="A-7F3K-29", actor=OWNER, name="Pat", settings=settings))

    assert await rows_in(store, Partner) == []
    assert [row.template for row in await rows_in(store, Outbox)] == ["partner-declined"]


@pytest.mark.parametrize("reference", ["Q-7F3K-29", "A-0000-00"])
async def test_only_affiliate_applications_can_be_approved(store: Store, settings: Settings, reference: str) -> None:
    await add_rows(store, a_quote())

    with pytest.raises(EntryNotFound):
        await store.write(partial(program.approve, reference=reference, actor=OWNER, name="", settings=settings))


async def test_a_lead_is_credited_to_the_partner_whose_code_it_carries(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)

    referral = await credit(store, a_quote(created_at=NOW), partner.code.lower())

    assert referral
    assert (referral.lead, referral.partner_id, referral.first_submission_on) == ("Q-7F3K-29", partner.id, NOW.date())
    assert (referral.prior_contact_on, referral.resemblance) == (None, "")


FORGED = (
    "",
    "x",
    "' OR 1=1",
    "AAAAAAAA",
    "0" * CODE_LENGTH,
    "A" * 5000,
    "ＡＡＡＡＡＡＡＡ",
    None,
    7,
    ["AAAAAAAA"],
    {"$ne": ""},
    "\0" * 8,
)


@pytest.mark.parametrize("code", FORGED)
async def test_a_forged_or_guessed_code_credits_nobody(store: Store, settings: Settings, code: object) -> None:
    await a_partner(store, settings)

    assert await credit(store, a_quote(created_at=NOW), code) is None
    assert await rows_in(store, Referral) == []
    assert len(await rows_in(store, Lead)) == 2


def test_a_code_is_hard_to_guess() -> None:
    assert len(SPOKEN_ALPHABET) ** CODE_LENGTH > 10**11
    assert len({program.new_code() for _ in range(1000)}) == 1000


@pytest.mark.parametrize("changes", [{"state": "suspended"}, {"ends_on": NOW.date()}])
async def test_the_code_of_a_partner_who_is_suspended_or_gone_credits_nobody(
    store: Store, settings: Settings, changes: dict[str, Any]
) -> None:
    partner = await a_partner(store, settings, **changes)

    assert await credit(store, a_quote(created_at=NOW), partner.code) is None


@pytest.mark.parametrize("build", [a_quote, a_meeting])
async def test_a_customer_whose_address_payouts_go_to_later_is_marked(
    store: Store, settings: Settings, build: Callable[..., Any]
) -> None:
    partner = await a_partner(store, settings)
    await credit(store, build(created_at=NOW, email="Priv@x.example"), partner.code)
    await credit(store, a_message(created_at=NOW, email="eve@y.example"), partner.code)
    token = await store.write(lambda session: program.new_link(session, partner))

    for address in ("priv+pay@x.example", "partner1@partner1.example"):
        change = partial(program.change_paypal, token=token, address=address, settings=settings, now=NOW)
        await store.write(change)

    assert [referral.resemblance for referral in await rows_in(store, Referral)] == ["mail", ""]


async def test_what_came_during_a_suspension_is_credited_when_it_ends(store: Store, settings: Settings) -> None:
    partner, other = await a_partner(store, settings), await a_partner(store, settings, 2)
    sent_before = a_quote(reference="Q-7F3K-30", created_at=NOW - timedelta(days=1), email="x@x.example")
    sent_before.attribution = {"ref": partner.code}
    await add_rows(store, sent_before)
    await store.write(lambda session: program.suspend(session, 1, OWNER))
    codes = [partner.code, partner.code.lower(), other.code, "", partner.code]
    leads = [a_quote(), a_message(), a_message(), a_message(), a_meeting()]
    for number, (lead, code) in enumerate(zip(leads, codes, strict=True)):
        lead.reference, lead.email = f"{lead.reference[:-1]}{number + 2}", f"x{number}@x{number}.example"
        lead.created_at, lead.attribution = NOW + timedelta(days=number), {"ref": code} if code else {}
        await credit(store, lead, code)
    again = a_message(reference="M-7F3K-99", created_at=NOW + timedelta(days=9), email=leads[0].email)
    again.attribution = {"ref": partner.code}
    await credit(store, again, partner.code)
    actor = OWNER._replace(now=NOW + timedelta(days=10))

    for _ in range(2):
        await store.write(partial(program.resume, partner_id=1, actor=actor, settings=settings))

    referrals = [row for row in await rows_in(store, Referral) if row.partner_id == partner.id]
    assert [(row.lead, row.first_submission_on, row.prior_contact_on) for row in referrals] == [
        (lead.reference, lead.created_at.date(), None) for lead in (leads[0], leads[1], leads[4])
    ]


async def test_what_left_quarantine_during_a_suspension_is_credited_when_it_ends(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    sent_before = a_quote(created_at=NOW - timedelta(days=1), status="quarantined", status_reason="too-fast")
    sent_before.attribution = {"ref": partner.code}
    await add_rows(store, sent_before)
    await store.write(lambda session: program.suspend(session, 1, OWNER))
    release = partial(quarantine.release, settings=settings, now=NOW)
    tokens = Tokens("secret" * 8, lambda: NOW)
    await store.write(lambda session: release(session, sent_before.reference, tokens))
    actor = OWNER._replace(now=NOW + timedelta(days=10))

    await store.write(partial(program.resume, partner_id=1, actor=actor, settings=settings))

    assert [row.lead for row in await rows_in(store, Referral)] == [sent_before.reference]


async def test_the_first_of_two_partners_keeps_a_lead(store: Store, settings: Settings) -> None:
    first, second = await a_partner(store, settings), await a_partner(store, settings, 2)
    lead = a_quote(created_at=NOW)
    await add_rows(store, lead)

    first_credit = await store.write(lambda session: program.credit_locked(session, lead, first.code, settings=settings))
    refused = await store.write(lambda session: program.credit_locked(session, lead, second.code, settings=settings))
    second_credit = await store.write(lambda session: program.credit_locked(session, lead, first.code, settings=settings))

    assert first_credit
    assert second_credit
    assert refused is None
    assert [row.partner_id for row in await rows_in(store, Referral)] == [first.id]


async def test_the_first_of_two_partners_keeps_a_customer_for_the_window(store: Store, settings: Settings) -> None:
    first, second = await a_partner(store, settings), await a_partner(store, settings, 2)
    await credit(store, a_quote(created_at=NOW), first.code)

    inside = a_message(created_at=NOW + timedelta(days=30), email="ADA@example.org")
    outside = a_meeting(created_at=NOW + timedelta(days=300))

    assert await credit(store, inside, second.code) is None
    referral = await credit(store, outside, second.code)
    assert referral
    assert referral.prior_contact_on == inside.created_at.date()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("jane@acme.example", "Jane+x@acme.example"),
        ("jane+x@acme.example", "jane@acme.example"),
        ("jane+x@acme.example", "jane+y@acme.example"),
        ("j.doe@gmail.com", "jd.oe+x@googlemail.com"),
    ],
)
async def test_a_customer_with_another_spelling_of_their_address_is_no_new_customer(
    store: Store, settings: Settings, first: str, second: str
) -> None:
    partner, other = await a_partner(store, settings), await a_partner(store, settings, 2)
    await credit(store, a_quote(created_at=NOW, email=first), partner.code)

    again = a_message(created_at=NOW + timedelta(days=120), email=second)
    assert await credit(store, again, partner.code) is None
    by_other = a_message(reference="M-7F3K-22", created_at=NOW + timedelta(days=30), email=second)
    assert await credit(store, by_other, other.code) is None


async def test_a_message_in_another_spelling_is_an_earlier_contact(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await add_rows(store, a_message(created_at=NOW - timedelta(days=40), email="jane@acme.example"))

    referral = await credit(store, a_quote(created_at=NOW, email="jane+x@acme.example"), partner.code)

    assert referral
    assert referral.prior_contact_on == (NOW - timedelta(days=40)).date()


async def test_colleagues_are_two_referrals(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW, email="jane@acme.example"), partner.code)

    assert await credit(store, a_message(created_at=NOW, email="janet@acme.example"), partner.code)


async def test_a_customer_who_has_paid_stays_with_the_first_partner(store: Store, settings: Settings) -> None:
    first, second = await a_partner(store, settings), await a_partner(store, settings, 2)
    await credit(store, a_quote(created_at=NOW), first.code)
    await store.write(enter_payment(entry()))

    assert await credit(store, a_meeting(created_at=NOW + timedelta(days=300)), second.code) is None


async def test_a_second_lead_begins_no_new_window(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)

    assert await credit(store, a_message(created_at=NOW + timedelta(days=300)), partner.code) is None
    assert [row.first_submission_on for row in await rows_in(store, Referral)] == [NOW.date()]


async def test_all_days_are_those_of_the_agency(store: Store, settings: Settings) -> None:
    """At 18:00 UTC on 27 February it is 1:00 on the last day of that month in Bangkok."""
    in_bangkok = replace(settings, booking_zone="Asia/Bangkok")
    evening = datetime(2026, 2, 27, 18, tzinfo=UTC)
    owner = OWNER._replace(now=evening)
    await add_rows(store, an_application(created_at=NOW), a_message(created_at=evening - timedelta(days=1)))
    approve = partial(program.approve, reference="A-7F3K-29", actor=owner, name="Pat", settings=in_bangkok)
    partner = await store.write(approve)

    def refer_and_pay(session: Session) -> Referral | None:
        session.add(lead := a_quote(created_at=evening))
        session.flush()
        referral = program.credit_locked(session, lead, partner.code, settings=in_bangkok)
        program.ignore_prior_contact(session, lead.reference, owner)
        payments.add_payment(session, entry(received_on="2026-02-28", contract_on="2026-02-28"), owner)
        payments.mark_paid_out(session, 1, FEBRUARY, "GBP", Decimal(200), owner, settings=in_bangkok)
        return referral

    referral = await store.write(refer_and_pay)
    token = await store.write(lambda session: program.new_link(session, partner))
    await store.write(partial(program.leave, token=token, settings=in_bangkok, now=evening))
    after_notice = (await rows_in(store, Partner))[0]
    await store.write(partial(program.end_at_once, partner_id=1, actor=owner, is_forfeited=False, settings=in_bangkok))

    today = date(2026, 2, 28)
    assert referral
    assert (referral.first_submission_on, referral.prior_contact_on) == (today, date(2026, 2, 27))
    assert [row.paid_on for row in await rows_in(store, Payout)] == [today]
    assert (after_notice.approved_on, after_notice.notice_on, after_notice.ends_on) == (today, today, date(2026, 4, 29))
    assert [row.ends_on for row in await rows_in(store, Partner)] == [today]


async def test_an_earlier_contact_is_noted(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    spam = a_message(reference="M-SPAM-22", created_at=NOW - timedelta(days=1), status="quarantined")
    await add_rows(store, a_message(created_at=NOW - timedelta(days=40)), spam)

    referral = await credit(store, a_quote(created_at=NOW), partner.code)

    assert referral
    assert referral.prior_contact_on == (NOW - timedelta(days=40)).date()


async def balances_in_february(store: Store, partner: Partner) -> list[Decimal]:
    month = await store.read(lambda session: payments.book_of(session, partner).statement(FEBRUARY))
    return [balance.payout for balance in month.balances]


async def test_a_contact_that_was_about_no_project_costs_no_commission_until_that_is_taken_back(
    store: Store, settings: Settings
) -> None:
    partner = await a_partner(store, settings)
    await add_rows(store, a_message(created_at=NOW - timedelta(days=40)))
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry()))
    payouts = [await balances_in_february(store, partner)]

    for judge in (program.ignore_prior_contact, program.ignore_prior_contact, program.respect_prior_contact):
        await store.write(partial(judge, lead="Q-7F3K-29", actor=OWNER))
        payouts.append(await balances_in_february(store, partner))

    assert payouts == [[0], [200], [200], [0]]
    log = [line for line in await rows_in(store, AffiliateEntry) if line.action == "earlier contact"]
    assert [(line.person, line.subject, line.before, line.after) for line in log] == [
        (OWNER.name, "Q-7F3K-29", "about a project", "about no project"),
        (OWNER.name, "Q-7F3K-29", "about no project", "about a project"),
    ]


async def test_a_later_contact_is_judged_anew(store: Store, settings: Settings) -> None:
    """A message that leaves quarantine after the owner has decided may be about a project."""
    partner = await a_partner(store, settings)
    waiting = a_message(reference="M-WAIT-22", created_at=NOW - timedelta(days=5), status="quarantined")
    await add_rows(store, a_message(created_at=NOW - timedelta(days=40)), waiting)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry()))
    await store.write(partial(program.ignore_prior_contact, lead="Q-7F3K-29", actor=OWNER))

    await store.write(lambda session: program.credit_released(session, waiting, settings=settings))

    assert await balances_in_february(store, partner) == [0]
    await store.write(partial(program.ignore_prior_contact, lead="Q-7F3K-29", actor=OWNER))
    assert await balances_in_february(store, partner) == [200]


async def test_only_a_referral_has_an_earlier_contact_to_judge(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)

    for judge in (program.ignore_prior_contact, program.respect_prior_contact):
        await store.write(partial(judge, lead="Q-7F3K-29", actor=OWNER))
        with pytest.raises(EntryNotFound):
            await store.write(partial(judge, lead="Q-0000-00", actor=OWNER))

    assert [line.action for line in await rows_in(store, AffiliateEntry)] == ["approve"]


@pytest.mark.parametrize(
    ("email", "resemblance"),
    [
        ("Partner1+me@partner1.example", "mail"),
        ("boss@PARTNER1.example", "domain"),
        ("ada@example.org", ""),
    ],
)
async def test_a_partner_who_refers_themselves_is_shown_not_refused(
    store: Store, settings: Settings, email: str, resemblance: str
) -> None:
    partner = await a_partner(store, settings)

    referral = await credit(store, a_quote(created_at=NOW, email=email), partner.code)

    assert referral
    assert referral.resemblance == resemblance


async def test_two_owners_enter_one_payment_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)

    results = await asyncio.gather(*(store.write(enter_payment(entry())) for _ in range(4)))

    assert sorted(results) == [False, False, False, True]
    [row] = await rows_in(store, CustomerPayment)
    assert (row.net, type(row.net)) == (Decimal("1000.00"), Decimal)
    assert [line.action for line in await rows_in(store, AffiliateEntry)].count("payment") == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("INV-1", "inv-1"),
        ("inv-1", "Inv-1"),
        ("INV-7a", "INV-7A"),
        ("inv-7A", "INV-7A"),
        ("Inv/Abc-1", "INV/ABC-1"),
        ("Rechnung-Ä1", "RECHNUNG-Ä1"),
        ("INV-7", "ＩＮＶ-７"),
        ("INV-é", "INV-e\N{COMBINING ACUTE ACCENT}"),
    ],
)
async def test_a_number_in_another_spelling_is_the_same_payment(
    store: Store, settings: Settings, first: str, second: str
) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry(reference=first)))

    assert not await store.write(enter_payment(entry(reference=second)))
    with pytest.raises(PaymentDiffers):
        await store.write(enter_payment(entry(reference=second, net="900")))
    assert await store.write(enter_payment(entry(reference=second, net="900"), is_correction=True))

    assert [(row.reference, row.net) for row in await rows_in(store, CustomerPayment)] == [(first, 900)]


async def test_two_owners_enter_two_spellings_of_one_number_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    spellings = ("INV-7a", "INV-7A", "inv-7A", "Inv-7a")

    results = await asyncio.gather(*(store.write(enter_payment(entry(reference=spelling))) for spelling in spellings))

    assert sorted(results) == [False, False, False, True]
    assert len(await rows_in(store, CustomerPayment)) == 1


async def test_a_payment_that_the_release_before_stores_after_the_upgrade_is_found(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    values = entry(reference="INV-7a").model_dump() | {"billing": "monthly", "reference_key": ""}
    await store.write(lambda session: session.add(CustomerPayment.model_validate(values)))

    assert not await store.write(enter_payment(entry(reference="INV-7A")))


async def test_of_one_number_stored_twice_each_spelling_can_be_corrected(store: Store, settings: Settings) -> None:
    """Releases before may have stored both."""
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    values = entry().model_dump() | {"billing": "monthly"}
    await add_rows(
        store, *(CustomerPayment.model_validate(values | {"reference": spelling}) for spelling in ("INV-7a", "INV-7A"))
    )

    for spelling, net in (("INV-7A", "70"), ("inv-7a", "50")):
        await store.write(enter_payment(entry(reference=spelling, net=net), is_correction=True))

    assert {row.reference: row.net for row in await rows_in(store, CustomerPayment)} == {"INV-7a": 50, "INV-7A": 70}


async def test_another_payment_of_one_reference_is_a_correction(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry(received_on="", net="999.00")))

    with pytest.raises(PaymentDiffers):
        await store.write(enter_payment(entry()))
    assert await store.write(enter_payment(entry(), is_correction=True))

    [row] = await rows_in(store, CustomerPayment)
    assert row.received_on == date(2026, 2, 10)
    assert (await rows_in(store, AffiliateEntry))[-1].action == "correct payment"


async def test_a_second_refund_is_added_to_the_first_and_does_not_move_it(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    march, april = date(2026, 3, 1), date(2026, 4, 1)
    for payment in (entry(), entry(reference="INV-2", received_on="2026-03-05")):
        await store.write(enter_payment(payment))
    await store.write(pay_out(partner))
    correct = partial(enter_payment, is_correction=True)
    await store.write(correct(entry(repaid="400", repaid_on="2026-03-02")))
    await store.write(pay_out(partner, march, "120", datetime(2026, 3, 31, 9, tzinfo=UTC)))

    with pytest.raises(RefundMoved):
        await store.write(correct(entry(repaid="500", repaid_on="2026-05-04")))
    await store.write(correct(entry(repaid="500", repaid_on="2026-03-02")))

    month = await store.read(lambda session: payments.book_of(session, partner).statement(april))
    assert [(balance.carried_in, balance.earned) for balance in month.balances] == [(-20, 0)]


async def test_the_day_of_a_refund_is_corrected_until_its_month_is_stated(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry(repaid="400", repaid_on="2026-02-20")))
    moved = enter_payment(entry(repaid="400", repaid_on="2026-03-02"), is_correction=True)
    moved_again = enter_payment(entry(repaid="400", repaid_on="2026-04-02"), is_correction=True)

    assert await store.write(moved)
    in_april = datetime(2026, 4, 1, tzinfo=UTC)
    await store.write(lambda session: mail_statement(session, 1, date(2026, 3, 1), settings=settings, now=in_april))

    with pytest.raises(RefundMoved):
        await store.write(moved_again)


async def test_a_correction_moves_a_payment_to_another_partner(store: Store, settings: Settings) -> None:
    wrong, right = await a_partner(store, settings), await a_partner(store, settings, 2)
    await credit(store, a_quote(created_at=NOW), wrong.code)
    await credit(store, a_message(created_at=NOW, email="bob@example.net"), right.code)
    await store.write(enter_payment(entry()))
    await store.write(pay_out(wrong))
    moved = entry(lead="M-7F3K-29")

    with pytest.raises(PaymentDiffers):
        await store.write(enter_payment(moved))
    assert await store.write(enter_payment(moved, is_correction=True))

    march, balances = date(2026, 3, 1), []
    for partner in (wrong, right):
        month = await store.read(lambda session, partner=partner: payments.book_of(session, partner).statement(march))
        balances += [(balance.carried_in, balance.payout) for balance in month.balances]
    assert balances == [(-200, 0), (200, 200)]
    log = [line for line in await rows_in(store, AffiliateEntry) if line.action == "correct payment"]
    assert [line.partner_id for line in log] == [wrong.id, right.id]
    assert all(line.before.startswith("lead Q-7F3K-29") and line.after.startswith("lead M-7F3K-29") for line in log)


async def test_a_payment_needs_a_referral(store: Store) -> None:
    with pytest.raises(EntryNotFound):
        await store.write(enter_payment(entry()))


@pytest.mark.parametrize(
    "changes",
    [
        {"net": "0"},
        {"net": "-1"},
        {"net": "NaN"},
        {"net": "1e400"},
        {"currency": "XXY"},
        {"billing": "yearly"},
        {"term_months": "-1"},
        {"repaid": "1"},
        {"repaid_on": "2026-03-01"},
        {"repaid": "1001", "repaid_on": "2026-03-01"},
        {"reversed_on": "2026-02-09"},
        {"reversed_on": "2026-02-11", "received_on": ""},
        {"reference": "x" * 5000},
        {"extra": "1"},
        {"due_on": "9999-12-31"},
        {"contract_on": "9999-12-31", "term_months": "24"},
        {"received_on": "2200-01-01"},
        {"due_on": "1999-12-31"},
        {"net": "1.000"},
        {"net": "0.0049"},
        {"net": "1000.5", "currency": "JPY"},
        {"net": "1.000", "currency": "JPY"},
        {"net": "1000.0005", "currency": "KWD"},
        {"repaid": "1.000", "repaid_on": "2026-03-01"},
        {"net": "1e3"},
        {"net": "1_000"},
        {"net": "+1000"},
        {"net": "１０００"},
        {"repaid": "1e2", "repaid_on": "2026-03-01"},
        {"term_months": "1_2"},
        {"term_months": "12.0"},
        {"due_on": "1769904000"},
        {"contract_on": "1769904000"},
        {"received_on": "1770681600"},
        {"due_on": "2026-02-01T00:00"},
    ],
)
def test_a_payment_that_cannot_be_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        entry(**changes)


@pytest.mark.parametrize(("net", "currency"), [("1000.00", "JPY"), ("1000.005", "KWD"), ("1000.5", "GBP"), ("1000", "GBP")])
def test_an_amount_has_the_decimals_of_its_currency_or_two_zeros(net: str, currency: str) -> None:
    assert entry(net=net, currency=currency).net == Decimal(net)


@pytest.mark.parametrize(
    ("net", "currency", "shown"), [("150000000", "IDR", 30_000_000), ("2500000000.00", "VND", 500_000_000)]
)
async def test_a_payment_in_a_currency_of_large_numbers_is_paid_out(
    store: Store, settings: Settings, net: str, currency: str, shown: int
) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry(net=net, currency=currency)))

    await store.write(
        lambda session: payments.mark_paid_out(
            session,
            partner.id or 0,
            FEBRUARY,
            currency,
            Decimal(shown),
            OWNER._replace(now=datetime(2026, 3, 1, tzinfo=UTC)),
            rates={currency: Decimal(20000)},
            settings=settings,
        )
    )

    assert [row.amount for row in await rows_in(store, Payout)] == [shown]


FILE = """reference,lead,net,currency,billing,due_on,contract_on,term_months,received_on,reversed_on,repaid_on,repaid
INV-1,Q-7F3K-29,1000.00,GBP,monthly,2026-02-01,2026-02-01,,2026-02-10,,,
INV-2,Q-7F3K-29,0.30,THB,milestone,2026-02-01,2026-02-01,,,,,
"""
HEAD, *_ = FILE.splitlines()


async def test_an_invoice_imported_as_unpaid_is_imported_as_paid(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    paid = FILE.replace("milestone,2026-02-01,2026-02-01,,,,,", "milestone,2026-02-01,2026-02-01,,2026-02-20,,2026-02-25,0.10")
    counts = [
        await store.write(partial(payments.import_csv, text=text, actor=IN_MARCH, settings=settings))
        for text in (FILE, paid, paid)
    ]

    rows = await rows_in(store, CustomerPayment)
    assert (counts, [row.received_on for row in rows]) == ([2, 1, 0], [date(2026, 2, 10), date(2026, 2, 20)])
    line = (await rows_in(store, AffiliateEntry))[-1]
    assert (line.action, line.subject, "received_on" in line.before) == ("payment", "INV-2", False)
    assert "received_on 2026-02-20" in line.after


@pytest.mark.parametrize(
    ("stored", "changes"),
    [
        ({"received_on": ""}, {"net": "1001"}),
        ({"received_on": ""}, {"due_on": "2026-02-02"}),
        ({"received_on": ""}, {"received_on": "", "term_months": "12"}),
        ({}, {"received_on": ""}),
        ({}, {"received_on": "2026-02-11"}),
        ({}, {"reversed_on": "2026-02-20"}),
        ({}, {"repaid_on": "2026-02-20", "repaid": "100"}),
    ],
)
async def test_any_other_change_of_a_payment_needs_a_correction(
    store: Store, settings: Settings, stored: dict[str, str], changes: dict[str, str]
) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry(**stored)))

    with pytest.raises(PaymentDiffers):
        await store.write(enter_payment(entry(**changes)))


async def test_a_file_may_have_its_columns_in_any_order_and_blanks_around_its_cells(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    lines = [", ".join(reversed(line.split(","))) for line in FILE.splitlines()]

    await store.write(partial(payments.import_csv, text="\n\n".join(lines), actor=IN_MARCH, settings=settings))

    rows = await rows_in(store, CustomerPayment)
    assert [(row.reference, row.received_on) for row in rows] == [("INV-1", date(2026, 2, 10)), ("INV-2", None)]


async def test_a_file_is_imported_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    load = partial(payments.import_csv, text="\ufeff" + FILE, actor=IN_MARCH, settings=settings)

    assert (await store.write(load), await store.write(load)) == (2, 0)
    assert sorted(str(row.net) for row in await rows_in(store, CustomerPayment)) == ["0.30", "1000.00"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "each of these names once"),
        (f"{HEAD}\n\n", "no payments"),
        (FILE + "INV-3,Q-0000-00,1,GBP,monthly,2026-02-01,2026-02-01,,,,,\n", "Line 4: no referral"),
        (FILE + "INV-1,Q-7F3K-29,7,GBP,monthly,2026-02-01,2026-02-01,,,,,\n", "Line 4: INV-1 "),
        (FILE + "INV-3,Q-7F3K-29,=1+1,GBP,monthly,2026-02-01,2026-02-01,,,,,\n", "Line 4: net"),
        (FILE + "INV-3\n", "Line 4: it has 1 cells, and the first line 12"),
        (FILE + "INV-3,Q-7F3K-29,1,GBP,monthly,2026-02-01,2026-02-01,12,2026-02-10\n", "Line 4: it has 9 cells"),
        (
            FILE + "INV-3,Q-7F3K-29,1,GBP,monthly,2026-02-01,2026-02-01,,2026-03-02,,,\n",
            "Line 4: received_on: this day is in the future",
        ),
        (
            FILE + "INV-3,Q-7F3K-29,1.000,GBP,monthly,2026-02-01,2026-02-01,,,,,\n",
            "Line 4: an amount in GBP has at most 2 decimals",
        ),
        (
            FILE.replace("\n", ",surplus\n", 1).replace("2026-02-10", "2026-02-10,x"),
            "each of these names once: reference, lead, net",
        ),
        (FILE.replace("received_on", "term_months", 1), "each of these names once"),
        (FILE.replace("received_on,", "", 1).replace("2026-02-10,", "", 1), "each of these names once"),
        (FILE.replace(",", ";"), "each of these names once"),
    ],
)
async def test_a_file_with_a_wrong_line_stores_nothing(store: Store, settings: Settings, text: str, problem: str) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)

    with pytest.raises(ImportRefused, match=problem):
        await store.write(partial(payments.import_csv, text=text, actor=IN_MARCH, settings=settings))

    assert await rows_in(store, CustomerPayment) == []


async def test_a_month_is_paid_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry()))

    results = await asyncio.gather(*(store.write(pay_out(partner)) for _ in range(4)), return_exceptions=True)

    assert sum(isinstance(result, PayoutRefused) for result in results) == 3
    assert [(row.month, row.amount) for row in await rows_in(store, Payout)] == [(FEBRUARY, 200)]


async def test_a_month_that_was_paid_is_paid_further_after_late_entries_each_once(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    for number in range(3):
        await store.write(enter_payment(entry(reference=f"INV-{number}", received_on=f"2026-02-2{number}")))
        attempts = (store.write(pay_out(partner, shown_count=number)) for _ in range(4))
        results = await asyncio.gather(*attempts, return_exceptions=True)
        assert sum(isinstance(result, PayoutRefused) for result in results) == 3

    rows = await rows_in(store, Payout)
    assert [(row.month, row.amount) for row in rows] == [(date(2026, 2, day), 200) for day in (1, 2, 3)]
    log = [(line.subject, line.after) for line in await rows_in(store, AffiliateEntry) if line.action == "pay"]
    assert log == [("2026-02", "GBP 200.00")] * 3
    february, march = await store.read(
        lambda session: [payments.book_of(session, partner).statement(month) for month in (FEBRUARY, date(2026, 3, 1))]
    )
    assert [(balance.payout, balance.carried_out) for balance in february.balances] == [(600, 0)]
    assert [balance.carried_in for balance in march.balances] == [0]


async def test_a_month_is_not_paid_before_it_is_over_nor_with_another_amount(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry()))

    for attempt in (pay_out(partner, now=datetime(2026, 2, 27, tzinfo=UTC)), pay_out(partner, shown_amount="199")):
        with pytest.raises(PayoutRefused):
            await store.write(attempt)

    assert await rows_in(store, Payout) == []


async def test_a_month_before_one_that_was_paid_is_not_paid_again(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(enter_payment(entry()))
    await store.write(pay_out(partner, date(2026, 3, 1), now=datetime(2026, 4, 1, tzinfo=UTC)))

    with pytest.raises(PayoutRefused):
        await store.write(pay_out(partner, now=datetime(2026, 4, 1, tzinfo=UTC)))


async def test_a_referral_outlives_its_lead(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    lead = a_quote(created_at=NOW)
    await credit(store, lead, partner.code)
    await store.write(lambda session: session.delete(session.merge(lead)))

    await store.write(enter_payment(entry()))

    month = await store.read(lambda session: payments.book_of(session, partner).statement(FEBRUARY))
    assert [balance.payout for balance in month.balances] == [200]


async def test_a_repeated_leave_keeps_the_first_notice(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    token = await store.write(lambda session: program.new_link(session, partner))

    for days in (0, 5):
        await store.write(partial(program.leave, token=token, settings=settings, now=NOW + timedelta(days=days)))

    [row] = await rows_in(store, Partner)
    assert (row.notice_on, row.ends_on) == (NOW.date(), date(2026, 3, 21))


async def test_a_new_link_replaces_the_older_one(store: Store, settings: Settings) -> None:
    partner = await a_partner(store, settings)
    old = await store.write(lambda session: program.new_link(session, partner))
    new = await store.write(lambda session: program.new_link(session, partner))

    assert (await store.read(lambda session: program.partner_by_token(session, new))).code == partner.code
    for token in (old, "", "x" * 5000):
        with pytest.raises(EntryNotFound):
            await store.read(partial(program.partner_by_token, token=token))


@pytest.mark.parametrize(
    ("partner_email", "paypal", "email", "resemblance"),
    [
        ("pat@gmail.com", "pat@gmail.com", "somebody@gmail.com", ""),
        ("pat@gmail.com", "pat@gmail.com", "P.at+shop@googlemail.com", "mail"),
        ("pat@partner.example", "pay@home.example", "pay@home.example", "mail"),
        ("pat@partner.example", "pay@home.example", "boss@home.example", ""),
    ],
)
def test_a_shared_mail_domain_is_no_resemblance_but_the_paypal_address_is(
    partner_email: str, paypal: str, email: str, resemblance: str
) -> None:
    partner = Partner.model_construct(email=partner_email, paypal=paypal)

    assert program.resemblance(partner, email) == resemblance


@ON_POSTGRES
async def test_an_approval_counts_a_change_that_it_has_waited_for(store: Store, settings: Settings, url: str) -> None:
    await add_rows(store, an_application())

    with another_process(url) as owner:
        actions.set_status_and_owner(owner, "A-7F3K-29", OWNER, settings, status="read")
        approval = store.write(lambda session: actions.approve(session, "A-7F3K-29", OWNER, settings))
        await commit_when_awaited(owner, store, approval)

    assert [(row.status, row.version) for row in await rows_in(store, Lead)] == [("won", 2)]


JUDGEMENTS = {
    "declined": lambda session: program.decline_referral(session, "Q-7F3K-29", OWNER),
    "about no project": lambda session: program.ignore_prior_contact(session, "Q-7F3K-29", OWNER),
}


@ON_POSTGRES
@pytest.mark.parametrize("name", JUDGEMENTS)
async def test_a_payment_does_not_wait_for_the_judgement_of_its_referral(
    store: Store, settings: Settings, url: str, name: str
) -> None:
    partner = await a_partner(store, settings)
    await credit(store, a_quote(created_at=NOW), partner.code)
    await store.write(lambda session: session.connection().execute(update(Referral).values(prior_contact_on=NOW.date())))

    with another_process(url) as owner:
        JUDGEMENTS[name](owner)
        owner.flush()
        assert await store.write(enter_payment(entry()))
        owner.commit()

    assert len(await rows_in(store, CustomerPayment)) == 1


@ON_POSTGRES
async def test_a_visitor_with_a_partners_code_does_not_wait_for_changes_of_the_partner(
    store: Store, settings: Settings, url: str
) -> None:
    partner = await a_partner(store, settings)
    token = await store.write(lambda session: program.add_link(session, partner))

    with another_process(url) as owner:
        program.suspend(owner, partner.id or 0, OWNER)
        assert await credit(store, a_quote(created_at=NOW), partner.code)
        owner.commit()
        program.change_paypal(owner, token, "other@partner1.example", settings=settings, now=NOW)
        await store.write(lambda session: program.add_link(session, partner))
        owner.commit()
