"""Commission is paid within 30 days of receipt: the owners are reminded of each amount once, shortly before."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from sqlmodel import Session, delete

from site_app.core.settings import Settings
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.payments import PaymentEntry
from site_app.provider.affiliates.payout_reminders import REMIND_BEFORE, remind_of_payouts
from site_app.provider.http.call import ApiContext
from site_app.provider.outbox.rows import TEAM
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Outbox, Partner, Payout
from tests.support.records import a_quote, an_application
from tests.support.stored_rows import mail_text, rows_in

pytestmark = pytest.mark.anyio
JOINED = datetime(2030, 1, 2, 9, tzinfo=UTC)
OWNER = "o@agency.example"
JANUARY, PAY_BY = date(2030, 1, 1), datetime(2030, 2, 14, 9, tzinfo=UTC)  # 30 days after the payment of 15 January

ANOTHER: dict[str, Any] = {
    "code": "K7F3M29Q",
    "application": "A-7F3K-99",
    "name": "Sam",
    "email": "s@s.example",
    "paypal": "s@s.example",
    "terms_version": "2026-11-25",
    "applied_at": JOINED,
    "approved_on": JOINED.date(),
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, office=("ada@agency.example:owner", "bo@agency.example:owner", "cy@agency.example:reader"))


@pytest.fixture
async def partner(context: ApiContext) -> Partner:
    """A partner whose customer paid £1,000 on 15 January."""

    def joined(session: Session) -> None:
        session.add(an_application(reference="A-7F3K-21", email="pat@partner.example", created_at=JOINED))
        session.flush()
        program.approve(session, "A-7F3K-21", Actor(OWNER, JOINED), name="Pat", settings=context.settings)
        lead = a_quote(created_at=JOINED)
        session.add(lead)
        session.flush()
        program.credit_locked(session, lead, program.partner_by_id(session, 1).code, settings=context.settings)
        enter(session, "INV-1", "1000.00")

    await context.store.write(joined)
    return (await rows_in(context.store, Partner))[0]


def enter(session: Session, reference: str, net: str, currency: str = "GBP", received_on: str = "2030-01-15") -> None:
    payment = {"reference": reference, "lead": "Q-7F3K-29", "net": net, "currency": currency, "billing": "monthly"}
    days = {"due_on": "2030-01-10", "contract_on": "2030-01-05", "received_on": received_on}
    payments.add_payment(session, PaymentEntry.model_validate(payment | days), Actor(OWNER, JOINED))


async def remind(context: ApiContext, now: datetime) -> None:
    await remind_of_payouts(context.store, context.settings, now)


async def reminders(context: ApiContext) -> list[Outbox]:
    return [row for row in await rows_in(context.store, Outbox) if row.template == "payouts-due"]


@pytest.mark.usefixtures("partner")
async def test_owners_are_reminded_once_and_shortly_before(context: ApiContext) -> None:
    await remind(context, PAY_BY - REMIND_BEFORE - timedelta(days=1))
    first_reminders = await reminders(context)
    await asyncio.gather(*(remind(context, PAY_BY - REMIND_BEFORE) for _ in range(4)))
    await context.store.write(lambda session: session.add(Partner(**ANOTHER)))
    await remind(context, PAY_BY)

    mails = await reminders(context)
    assert first_reminders == []
    assert [mail.recipient for mail in mails] == ["ada@agency.example", "bo@agency.example"]
    assert "Pat, January 2030: £200.00 by 14 February 2030" in mail_text(mails[0], context)
    assert "/office/affiliates?month=2030-01" in mail_text(mails[0], context)
    assert "Please pay these commissions by the dates below." in mail_text(mails[0], context)


@pytest.mark.usefixtures("partner")
async def test_a_reminder_neither_greets_nor_is_signed_by_a_person(context: ApiContext) -> None:
    await remind(context, PAY_BY)

    text = mail_text((await reminders(context))[0], context)
    assert "Hello" not in text
    assert context.settings.brand_founder not in text


async def test_a_reminder_is_not_repeated_when_the_outbox_has_forgotten_it(context: ApiContext, partner: Partner) -> None:
    await remind(context, PAY_BY)
    await context.store.write(lambda session: session.connection().execute(delete(Outbox)))
    await remind(context, PAY_BY + timedelta(days=3))

    assert await reminders(context) == []


async def test_nobody_is_reminded_of_what_is_paid(context: ApiContext, partner: Partner) -> None:
    actor = Actor(OWNER, PAY_BY - timedelta(days=10))
    await context.store.write(
        lambda session: payments.mark_paid_out(session, 1, JANUARY, "GBP", Decimal(200), actor, settings=context.settings)
    )
    await remind(context, PAY_BY)

    assert await reminders(context) == []


async def test_an_amount_below_the_threshold_causes_no_reminder(context: ApiContext) -> None:
    await remind(context, PAY_BY)

    assert await reminders(context) == []


async def test_an_amount_that_only_a_rate_can_judge_is_named_with_that(context: ApiContext, partner: Partner) -> None:
    await context.store.write(lambda session: enter(session, "INV-2", "900.00", "USD"))
    await remind(context, PAY_BY)

    text = mail_text((await reminders(context))[0], context)
    assert "US$180.00 by 14 February 2030, if at that day’s rate it has reached the threshold for a first payout" in text


async def test_an_unpaid_month_is_reminded_of_before_those_that_carry_it_in(context: ApiContext, partner: Partner) -> None:
    await context.store.write(lambda session: enter(session, "INV-2", "500.00", received_on="2030-02-01"))
    await remind(context, PAY_BY)

    [amount] = (await reminders(context))[0].payload["amounts"]
    assert (amount["month"], amount["amount"], amount["pay_by"]) == ("2030-01-01", "200.00", "2030-02-14")


async def remind_daily(context: ApiContext, days: int) -> list[tuple[str, str, str, str]]:
    """Runs the reminder on each day from 1 February and returns what the first owner reads: the day, month, amount and last day."""
    for number in range(days):
        await remind(context, datetime(2030, 2, 1, 9, tzinfo=UTC) + timedelta(days=number))
    return [
        (f"{mail.created_at:%m-%d}", amount["month"], amount["amount"], amount["pay_by"])
        for mail in await reminders(context)
        if mail.recipient == "ada@agency.example"
        for amount in mail.payload["amounts"]
    ]


@pytest.mark.parametrize("currency", ["GBP", "USD"])
async def test_a_later_month_with_payments_is_reminded_of_though_an_earlier_one_is_unpaid(
    context: ApiContext, partner: Partner, currency: str
) -> None:
    await context.store.write(lambda session: enter(session, "INV-2", "50.00", currency))
    await context.store.write(lambda session: enter(session, "INV-3", "50000.00", currency, received_on="2030-02-10"))
    if currency == "USD":
        actor = Actor(OWNER, datetime(2030, 2, 1, tzinfo=UTC))
        await context.store.write(
            lambda session: payments.mark_paid_out(session, 1, JANUARY, "GBP", Decimal(200), actor, settings=context.settings)
        )

    first, both = ("10.00", "10010.00") if currency == "USD" else ("210.00", "10210.00")
    assert await remind_daily(context, 40) == [
        ("02-09", "2030-01-01", first, "2030-02-14"),
        ("03-07", "2030-02-01", both, "2030-03-12"),
    ]


async def test_an_amount_that_stays_unpaid_for_a_year_causes_one_reminder(context: ApiContext, partner: Partner) -> None:
    assert len(await remind_daily(context, 365)) == 1


async def test_an_amount_that_was_entered_months_later_is_reminded_of(context: ApiContext, partner: Partner) -> None:
    await remind(context, datetime(2030, 7, 1, 9, tzinfo=UTC))

    [amount] = (await reminders(context))[0].payload["amounts"]
    assert (amount["month"], amount["amount"]) == ("2030-04-01", "200.00")


async def test_an_amount_entered_after_its_month_was_paid_is_due_by_its_own_day(context: ApiContext, partner: Partner) -> None:
    """January is paid. £1,000 of it is entered late, and February earns £20, which is due by 27 March."""
    actor = Actor(OWNER, datetime(2030, 1, 31, 9, tzinfo=UTC))
    await context.store.write(
        lambda session: payments.mark_paid_out(session, 1, JANUARY, "GBP", Decimal(200), actor, settings=context.settings)
    )
    await context.store.write(lambda session: enter(session, "INV-2", "5000.00", received_on="2030-01-20"))
    await context.store.write(lambda session: enter(session, "INV-3", "100.00", received_on="2030-02-25"))

    assert await remind_daily(context, 60) == [
        ("02-14", "2030-01-01", "1000.00", "2030-02-19"),
        ("03-22", "2030-02-01", "1020.00", "2030-03-27"),
    ]


async def test_each_further_payout_of_a_month_is_reminded_of_once(context: ApiContext, partner: Partner) -> None:
    def pay(session: Session, shown_count: int, day: int) -> None:
        actor = Actor(OWNER, datetime(2030, 2, day, 9, tzinfo=UTC))
        payments.mark_paid_out(
            session, 1, JANUARY, "GBP", Decimal(200), actor, shown_count=shown_count, settings=context.settings
        )

    await remind(context, PAY_BY)
    for number, day in ((2, 15), (3, 16)):
        await context.store.write(partial(pay, shown_count=number - 2, day=day))
        await context.store.write(partial(enter, reference=f"INV-{number}", net="1000.00", received_on="2030-01-20"))
        for _ in range(2):
            await remind(context, datetime(2030, 2, day, 10, tzinfo=UTC))

    amounts = [mail.payload["amounts"] for mail in await reminders(context) if mail.recipient == "ada@agency.example"]
    named = [(amount["month"], amount["amount"], amount["pay_by"]) for [amount] in amounts]
    late = ("2030-01-01", "200.00", "2030-02-19")
    assert named == [("2030-01-01", "200.00", "2030-02-14"), late, late]


async def test_a_payout_that_came_back_is_reminded_of_once(context: ApiContext, partner: Partner) -> None:
    paid_at, returned_at = datetime(2030, 1, 31, 9, tzinfo=UTC), datetime(2030, 3, 3, 9, tzinfo=UTC)
    pay = partial(payments.mark_paid_out, partner_id=1, month=JANUARY, currency="GBP", shown_amount=Decimal(200))
    back = partial(payments.enter_money_back, partner_id=1, month=JANUARY, currency="GBP", amount=Decimal(200))
    await context.store.write(partial(pay, actor=Actor(OWNER, paid_at), settings=context.settings))
    await remind(context, returned_at)
    assert await reminders(context) == []
    await context.store.write(
        partial(back, actor=Actor(OWNER, returned_at), shown_limit=Decimal(200), shown_count=1, settings=context.settings)
    )

    for days in range(60):
        await remind(context, returned_at + timedelta(days=days))

    amounts = [mail.payload["amounts"] for mail in await reminders(context) if mail.recipient == "ada@agency.example"]
    assert [(amount["month"], amount["amount"], amount["pay_by"]) for [amount] in amounts] == [
        ("2030-01-01", "200.00", "2030-02-14")
    ]


async def test_without_an_office_the_team_is_reminded(context: ApiContext, partner: Partner) -> None:
    await remind_of_payouts(context.store, replace(context.settings, office=()), PAY_BY)

    assert [mail.recipient for mail in await reminders(context)] == [TEAM]


async def test_the_rate_that_was_used_is_kept_with_the_payout(context: ApiContext, partner: Partner) -> None:
    await context.store.write(lambda session: enter(session, "INV-2", "900.00", "USD"))
    rates = {"USD": Decimal("1.27")}

    for currency, amount in (("GBP", Decimal(200)), ("USD", Decimal(180))):
        await context.store.write(
            lambda session, currency=currency, amount=amount: payments.mark_paid_out(
                session, 1, JANUARY, currency, amount, Actor(OWNER, PAY_BY), rates=rates, settings=context.settings
            )
        )
    await context.store.write(lambda session: enter(session, "INV-3", "900.00", "USD", received_on="2030-02-03"))
    in_march = Actor(OWNER, datetime(2030, 3, 1, 9, tzinfo=UTC))
    await context.store.write(
        lambda session: payments.mark_paid_out(
            session, 1, date(2030, 2, 1), "USD", Decimal(180), in_march, rates=rates, settings=context.settings
        )
    )

    payouts = [(row.currency, row.month.month, row.rate) for row in await rows_in(context.store, Payout)]
    assert payouts == [("GBP", 1, None), ("USD", 1, Decimal("1.27")), ("USD", 2, None)]
