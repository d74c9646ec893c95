"""The monthly statement by mail: once for each partner and month, in the partner's language, and none for an empty month."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from email import message_from_bytes, policy

import pytest
from sqlmodel import Session, delete, update

from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.payments import PaymentEntry
from site_app.provider.affiliates.statements import mail_statements
from site_app.provider.api.mails import compose
from site_app.provider.api.tasks import write_due_mails
from site_app.provider.http.call import ApiContext
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, Outbox, Partner, Payout
from tests.support.records import a_quote, an_application
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
OWNER = Actor("o@agency.example", datetime(2030, 1, 11, 9, tzinfo=UTC))
FEBRUARY = datetime(2030, 3, 1, 0, 5, tzinfo=UTC)  # when February is over


@pytest.fixture
async def partner(context: ApiContext) -> Partner:
    """A partner with one customer, who paid in February, and a second partner without any."""

    def joined(session: Session) -> None:
        for number in (1, 2):
            reference, email = f"A-7F3K-2{number}", f"pat{number}@partner{number}.example"
            session.add(an_application(reference=reference, email=email, created_at=OWNER.now, language="th"))
            session.flush()
            program.approve(session, reference, OWNER, name="Pat", settings=context.settings)
        lead = a_quote(created_at=OWNER.now)
        session.add(lead)
        session.flush()
        program.credit_locked(session, lead, program.partner_by_id(session, 1).code, settings=context.settings)
        payment = {"reference": "INV-77", "lead": lead.reference, "net": "1234.55", "currency": "GBP", "billing": "monthly"}
        days = {"due_on": "2030-02-01", "contract_on": "2030-01-15", "received_on": "2030-02-10"}
        payments.add_payment(session, PaymentEntry.model_validate(payment | days), OWNER)

    await context.store.write(joined)
    return (await rows_in(context.store, Partner))[0]


async def statements(context: ApiContext) -> list[Outbox]:
    return [row for row in await rows_in(context.store, Outbox) if row.template == "partner-statement"]


async def test_each_partner_with_anything_in_a_month_gets_one_mail(context: ApiContext, partner: Partner) -> None:
    await mail_statements(context.store, context.settings, FEBRUARY - timedelta(minutes=10))
    assert [row.payload["month"] for row in await statements(context)] == ["2030-01-01"]  # the referral's month

    await asyncio.gather(*(mail_statements(context.store, context.settings, FEBRUARY) for _ in range(4)))

    _, mail = await statements(context)
    assert (mail.recipient, mail.language, mail.reference) == (partner.email, "th", "partner-1-2030-02")
    [balance] = mail.payload["balances"]
    assert (balance["earned"], balance["due"], balance["pay_by"]) == ("246.91", "246.91", "2030-03-12")
    text = text_of(mail, context)
    assert "ใบสรุปประจำเดือนกุมภาพันธ์" in text
    assert "246.91" in text
    assert mail.payload["page_url"] in text


async def test_a_month_ends_by_the_agencys_clock(context: ApiContext, partner: Partner) -> None:
    in_bangkok = replace(context.settings, booking_zone="Asia/Bangkok")

    await mail_statements(context.store, in_bangkok, datetime(2030, 2, 28, 17, 5, tzinfo=UTC))  # five past midnight there

    assert [row.payload["month"] for row in await statements(context)] == ["2030-02-01"]


def text_of(row: Outbox, context: ApiContext) -> str:
    body = message_from_bytes(compose(row, context.settings), policy=policy.default).get_body(("plain",))
    assert body
    return body.get_content()


def words_of(row: Outbox, context: ApiContext) -> str:
    return " ".join(text_of(row, context).split())


def enter(session: Session, net: str, currency: str = "GBP", received_on: str = "2030-02-10") -> None:
    """Stores a payment in the place of the customer's first one."""
    payment = {"reference": "INV-77", "lead": "Q-7F3K-29", "net": net, "currency": currency, "billing": "monthly"}
    days = {"due_on": "2030-02-01", "contract_on": "2030-01-15", "received_on": received_on}
    payments.add_payment(session, PaymentEntry.model_validate(payment | days), OWNER, is_correction=True)


async def test_a_mail_is_not_repeated_when_the_outbox_has_forgotten_it(context: ApiContext, partner: Partner) -> None:
    await mail_statements(context.store, context.settings, FEBRUARY)
    await context.store.write(lambda session: session.connection().execute(delete(Outbox)))

    await mail_statements(context.store, context.settings, FEBRUARY + timedelta(days=29))

    assert await statements(context) == []
    log = [row for row in await rows_in(context.store, AffiliateEntry) if row.action == "mail statement"]
    assert [(row.person, row.partner_id, row.subject) for row in log] == [("site", partner.id, "2030-02")]


async def test_earlier_links_stay_valid(context: ApiContext, partner: Partner) -> None:
    [token] = [
        row.payload["page_url"].rpartition("/")[2]
        for row in await rows_in(context.store, Outbox)
        if row.recipient == partner.email
    ]

    await mail_statements(context.store, context.settings, FEBRUARY)

    newest = (await statements(context))[0].payload["page_url"].rpartition("/")[2]
    for link in (token, newest):
        partner_id = await context.store.read(lambda session, link=link: program.partner_by_token(session, link).id)
        assert partner_id == partner.id


async def test_a_payout_is_named_in_the_month_in_which_it_was_made(context: ApiContext, partner: Partner) -> None:
    payout = {"month": date(2030, 2, 1), "partner_id": partner.id, "currency": "GBP", "paid_on": date(2030, 3, 4)}
    amount = Decimal("246.91")
    await context.store.write(lambda session: session.add(Payout(**payout, amount=amount)))

    await mail_statements(context.store, context.settings, datetime(2030, 4, 1, tzinfo=UTC))
    await mail_statements(context.store, context.settings, datetime(2030, 5, 1, tzinfo=UTC))

    [mail] = await statements(context)
    assert (mail.payload["month"], mail.payload["balances"]) == ("2030-03-01", [])
    assert mail.payload["paid_out"] == [{"currency": "GBP", "amount": "246.91", "paid_on": "2030-03-04"}]
    assert "246.91" in text_of(mail, context)
    mail.language = "en"
    assert "Paid to you on 4 March 2030: £246.91" in words_of(mail, context)
    mail.payload = mail.payload | {"paid_out": [{"currency": "GBP", "amount": "246.91"}]}
    assert "Paid to you in March 2030: £246.91" in words_of(mail, context)


async def test_a_payout_that_came_back_is_named_in_the_month_in_which_it_did(context: ApiContext, partner: Partner) -> None:
    for day, amount, paid_on in ((1, "246.91", date(2030, 3, 4)), (2, "-246.91", date(2030, 4, 6))):
        await pay_february(context, partner, day, amount, paid_on)

    await mail_statements(context.store, context.settings, APRIL)

    [mail] = await statements(context)
    mail.language = "en"
    text = words_of(mail, context)
    assert "Carried over from earlier months: £246.91 Commission in April 2030: £0.00 We’ll pay you: £246.91" in text
    assert "Came back to us on 6 April 2030: £246.91" in text


async def test_an_amount_paid_before_the_mail_is_written_is_named_as_paid(context: ApiContext, partner: Partner) -> None:
    await pay_february(context, partner, paid_on=date(2030, 3, 1))

    await mail_statements(context.store, context.settings, FEBRUARY)

    [mail] = await statements(context)
    mail.language = "en"
    text = words_of(mail, context)
    assert "Commission in February 2030: £246.91 We’ll pay you: £0.00 Carried over to the next month: £0.00" in text
    assert "Paid to you on 1 March 2030: £246.91" in text


async def test_a_further_payout_of_the_month_is_named_with_the_first(context: ApiContext, partner: Partner) -> None:
    for day, amount, paid_on in ((1, "200.00", date(2030, 2, 28)), (2, "46.91", date(2030, 3, 1))):
        await pay_february(context, partner, day, amount, paid_on)

    await mail_statements(context.store, context.settings, FEBRUARY)

    [mail] = await statements(context)
    mail.language = "en"
    text = words_of(mail, context)
    assert "Commission in February 2030: £246.91 We’ll pay you: £0.00 Carried over to the next month: £0.00" in text
    assert "£200.00 Paid to you on 1 March 2030: £46.91" in text


@pytest.mark.parametrize(
    ("net", "currency", "words"),
    [
        ("9000.00", "USD", "US$0.00 (carried over until it reaches the threshold at the day’s rate)"),
        ("300.00", "GBP", "£0.00 (carried over: below the threshold of the first payout)"),
    ],
)
async def test_an_amount_that_is_not_paid_says_why(
    context: ApiContext, partner: Partner, net: str, currency: str, words: str
) -> None:
    await context.store.write(lambda session: enter(session, net, currency))

    await mail_statements(context.store, context.settings, FEBRUARY)

    [mail] = await statements(context)
    mail.language = "en"
    assert f"We’ll pay you: {words} Carried over to the next month" in words_of(mail, context)


async def test_a_chinese_mail_sets_the_reason_in_full_width_brackets(context: ApiContext, partner: Partner) -> None:
    await context.store.write(lambda session: enter(session, "300.00", "GBP"))

    await mail_statements(context.store, context.settings, FEBRUARY)

    [mail] = await statements(context)
    mail.language = "cn"
    assert "£0.00（结转" in words_of(mail, context)


async def test_the_figures_of_a_mail_add_up_when_an_earlier_month_is_unpaid(context: ApiContext, partner: Partner) -> None:
    payment = {"reference": "INV-78", "lead": "Q-7F3K-29", "net": "500.00", "currency": "GBP", "billing": "monthly"}
    days = {"due_on": "2030-03-01", "contract_on": "2030-01-15", "received_on": "2030-03-10"}
    entry = PaymentEntry.model_validate(payment | days)
    await context.store.write(lambda session: payments.add_payment(session, entry, OWNER))

    await mail_statements(context.store, context.settings, datetime(2030, 4, 1, tzinfo=UTC))

    [mail] = await statements(context)
    mail.language = "en"
    text = words_of(mail, context)
    assert "Carried over from earlier months: £246.91 Commission in March 2030: £100.00 We’ll pay you: £346.91" in text
    mail.payload = mail.payload | {"balances": [{k: v for k, v in mail.payload["balances"][0].items() if k != "carried_in"}]}
    assert "Carried over from earlier months" not in text_of(mail, context)


MARCH = datetime(2030, 4, 1, 0, 5, tzinfo=UTC)  # when March is over
APRIL = datetime(2030, 5, 1, 0, 5, tzinfo=UTC)


async def pay_february(
    context: ApiContext, partner: Partner, day: int = 1, amount: str = "246.91", paid_on: date = date(2030, 3, 4)
) -> None:
    """Stores a payout for February; its month is written as another day for each further payout."""
    await store_payout(context, partner, date(2030, 2, day), amount, paid_on)


async def store_payout(context: ApiContext, partner: Partner, month: date, amount: str, paid_on: date) -> None:
    payout = {"month": month, "partner_id": partner.id, "currency": "GBP", "paid_on": paid_on}
    await context.store.write(lambda session: session.add(Payout(**payout, amount=Decimal(amount))))


async def test_what_is_due_for_a_month_in_which_the_partner_repaid_something_is_named(
    context: ApiContext, partner: Partner
) -> None:
    refunded = {"reference": "INV-77", "lead": "Q-7F3K-29", "net": "1234.55", "currency": "GBP", "billing": "monthly"}
    days = {"due_on": "2030-02-01", "contract_on": "2030-01-15", "received_on": "2030-02-10", "repaid_on": "2030-03-02"}
    correction = PaymentEntry.model_validate(refunded | days | {"repaid": "1234.55"})
    in_march = {"reference": "INV-78", "received_on": "2030-03-25", "repaid_on": ""}
    payment_in_march = PaymentEntry.model_validate(refunded | days | in_march)
    await pay_february(context, partner)
    await context.store.write(lambda session: payments.add_payment(session, correction, OWNER, is_correction=True))
    await store_payout(context, partner, date(2030, 3, 1), "-246.91", date(2030, 3, 20))
    await context.store.write(lambda session: payments.add_payment(session, payment_in_march, OWNER))

    await mail_statements(context.store, context.settings, MARCH)

    [mail] = await statements(context)
    mail.language = "en"
    text = words_of(mail, context)
    assert "We’ll pay you: £246.91, by 24 April 2030 Carried over to the next month: £0.00" in text
    assert "Came back to us on 20 March 2030: £246.91" in text


async def test_a_judgement_that_takes_paid_commission_back_is_mailed_once(context: ApiContext, partner: Partner) -> None:
    await mail_statements(context.store, context.settings, FEBRUARY)
    await pay_february(context, partner)
    await mail_statements(context.store, context.settings, MARCH)  # names the payout
    await context.store.write(lambda session: program.decline_referral(session, "Q-7F3K-29", OWNER))

    for month in (5, 6, 7):
        await mail_statements(context.store, context.settings, datetime(2030, month, 1, 0, 5, tzinfo=UTC))

    _, _, april = await statements(context)
    april.language = "en"
    text = words_of(april, context)
    assert april.payload["month"] == "2030-04-01"
    assert "Carried over from earlier months: -£246.91 (by your last statement: £0.00)" in text
    assert "Carried over to the next month: -£246.91" in text
    await context.store.write(lambda session: program.count_referral(session, "Q-7F3K-29", OWNER))
    await mail_statements(context.store, context.settings, datetime(2030, 8, 1, 0, 5, tzinfo=UTC))
    july = (await statements(context))[-1]
    july.language = "en"
    assert july.payload["month"] == "2030-07-01"
    assert "Carried over from earlier months: £0.00 (by your last statement: -£246.91)" in words_of(july, context)


async def test_an_amount_that_stays_unpaid_is_no_change(context: ApiContext, partner: Partner) -> None:
    for now in (FEBRUARY, MARCH, APRIL):
        await mail_statements(context.store, context.settings, now)

    last = (await statements(context))[-1]
    last.language = "en"
    assert "Carried over from earlier months: £246.91 Commission" in words_of(last, context)


async def test_what_is_carried_over_below_the_threshold_is_mailed_again_only_if_it_changes(
    context: ApiContext, partner: Partner
) -> None:
    await context.store.write(lambda session: enter(session, "100.00"))
    for now in (FEBRUARY, MARCH):
        await mail_statements(context.store, context.settings, now)
    assert [row.payload["month"] for row in await statements(context)] == ["2030-02-01"]

    await context.store.write(lambda session: enter(session, "200.00"))
    await mail_statements(context.store, context.settings, APRIL)

    april = (await statements(context))[-1]
    april.language = "en"
    assert "Carried over from earlier months: £40.00 (by your last statement: £20.00)" in words_of(april, context)


async def test_a_payment_that_moves_away_is_mailed_to_the_partner_who_loses_it(context: ApiContext, partner: Partner) -> None:
    await context.store.write(lambda session: enter(session, "100.00"))
    await mail_statements(context.store, context.settings, FEBRUARY)
    await context.store.write(lambda session: session.connection().execute(delete(CustomerPayment)))
    await mail_statements(context.store, context.settings, MARCH)

    [_, march] = await statements(context)
    march.language = "en"
    assert "Carried over from earlier months: £0.00 (by your last statement: £20.00)" in words_of(march, context)


async def test_forfeited_commission_is_mailed(context: ApiContext, partner: Partner) -> None:
    await mail_statements(context.store, context.settings, FEBRUARY)
    actor = Actor(OWNER.name, datetime(2030, 3, 5, 9, tzinfo=UTC))
    await context.store.write(
        lambda session: program.end_at_once(session, partner.id or 0, actor, is_forfeited=True, settings=context.settings)
    )
    for now in (MARCH, APRIL):
        await mail_statements(context.store, context.settings, now)

    [_, march] = await statements(context)
    march.language = "en"
    assert "Forfeited: £246.91 Carried over to the next month: £0.00" in words_of(march, context)


async def test_a_mail_of_an_earlier_release_is_compared_with_nothing(context: ApiContext, partner: Partner) -> None:
    await mail_statements(context.store, context.settings, FEBRUARY)
    await context.store.write(lambda session: session.connection().execute(update(AffiliateEntry).values(after="")))
    await pay_february(context, partner)
    await context.store.write(lambda session: program.decline_referral(session, "Q-7F3K-29", OWNER))

    await mail_statements(context.store, context.settings, MARCH)

    assert [balance["expected"] for balance in (await statements(context))[-1].payload["balances"]] == [""]


async def test_monthly_statements_are_due_mails(context: ApiContext, partner: Partner) -> None:
    await write_due_mails(context.store, context.settings, FEBRUARY)

    assert [row.recipient for row in await statements(context)] == [partner.email]
