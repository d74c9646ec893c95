"""The affiliate program in the office: approving, entering payments, marking months as paid, and PayPal's file."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape
from urllib.parse import urlencode

import pytest
from sqlmodel import Session

from site_app.core import business
from site_app.core.http.bodies import MAX_BODY_BYTES, MAX_IMPORT_BODY_BYTES
from site_app.provider.affiliates import program
from site_app.provider.affiliates.ledger import CarryReason, Reason, Standing
from site_app.provider.affiliates.mails import ended_text
from site_app.provider.affiliates.payments import MAX_LINES
from site_app.provider.affiliates.terms import announce_terms
from site_app.provider.http.call import ApiContext
from site_app.provider.office.affiliate_words import CARRY_REASONS, REASONS, STANDINGS, first_years
from site_app.provider.store.tables import CustomerPayment, Lead, Outbox, Partner, PartnerLink, Payout, Referral
from tests.support.clock import Clock
from tests.support.office_browser import ADA, BO, CY, Browser, text_of
from tests.support.records import a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, logged_actions, mail_text, rows_in

pytestmark = pytest.mark.anyio
APPLICATION, QUOTE = "A-7F3K-29", "Q-7F3K-29"
MONTH = "/affiliates?month=2030-01"
PAYMENT = {
    "do": "payment",
    "reference": "INV-1",
    "lead": QUOTE,
    "net": "1000",
    "currency": "GBP",
    "billing": "monthly",
    "due_on": "2030-01-03",
    "contract_on": "2030-01-03",
    "received_on": "2030-01-02",
    "repaid": "",
}


async def approved(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    *,
    email: str = "buyer@example.net",
    paypal: str = "=pat@partner.example",
) -> Partner:
    """Approves an application sent from the PayPal address, and credits a lead sent from `email` to it."""
    await add_rows(context.store, an_application(created_at=clock() - timedelta(days=3), email=paypal))
    await ada.do(APPLICATION, "approve")
    [partner] = await rows_in(context.store, Partner)

    def referred(session: Session) -> None:
        lead = a_quote(created_at=clock(), email=email)
        session.add(lead)
        session.flush()
        program.credit_locked(session, lead, partner.code, settings=context.settings)

    await context.store.write(referred)
    return partner


async def test_an_owner_approves_an_application_once(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await add_rows(context.store, an_application())

    first, second = await ada.do(APPLICATION, "approve"), await bo.do(APPLICATION, "decline")

    [partner] = await rows_in(context.store, Partner)
    assert (first.status_code, second.status_code, partner.name) == (303, 409, "Ada Lovelace")
    assert [row.template for row in await rows_in(context.store, Outbox)] == ["partner-approved"]
    assert [action for _, action, _ in await logged_actions(context)] == ["approve"]
    assert f"/office/affiliates/{partner.id}" in (await ada.get(f"/leads/{APPLICATION}")).text


async def test_an_owner_declines_an_application_once(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, an_application())

    statuses = [(await ada.do(APPLICATION, "decline")).status_code for _ in range(2)]

    assert statuses == [303, 409]
    assert [row.template for row in await rows_in(context.store, Outbox)] == ["partner-declined"]
    assert [row.status for row in await rows_in(context.store, Lead)] == ["lost"]


async def test_a_declined_application_is_not_declined_again_after_another_status(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, an_application())
    await ada.do(APPLICATION, "decline")
    await ada.do(APPLICATION, "handle", status="read", owner="", version="1")

    assert (await ada.do(APPLICATION, "decline")).status_code == 409
    assert [row.template for row in await rows_in(context.store, Outbox)] == ["partner-declined"]


async def test_a_declined_application_is_not_approved(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await add_rows(context.store, an_application())
    await ada.do(APPLICATION, "decline")

    response = await bo.do(APPLICATION, "approve")

    assert response.status_code == 409
    assert "Someone has approved or declined it" in text_of(response)
    assert [row.template for row in await rows_in(context.store, Outbox)] == ["partner-declined"]
    page = await bo.get(f"/leads/{APPLICATION}")
    assert "Declined." in text_of(page)
    assert 'value="approve"' not in page.text


async def test_an_application_marked_as_lost_by_hand_is_declined_with_its_mail(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, an_application())
    await ada.do(APPLICATION, "handle", status="lost", owner="", version="0")

    assert (await ada.do(APPLICATION, "decline")).status_code == 303
    assert [row.template for row in await rows_in(context.store, Outbox)] == ["partner-declined"]


async def test_a_reader_changes_nothing(context: ApiContext, ada: Browser, cy: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)

    for path, form in (
        (MONTH, PAYMENT),
        (MONTH, {"do": "pay", "partner": str(partner.id), "currency": "GBP", "amount": "200"}),
        (f"/affiliates/{partner.id}", {"do": "suspend"}),
    ):
        assert (await cy.post(path, **form)).status_code == 403

    assert (await cy.get(MONTH)).status_code == 200
    assert await rows_in(context.store, CustomerPayment) == []


async def test_two_owners_enter_one_payment_and_pay_one_month(
    context: ApiContext, ada: Browser, bo: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock)
    for browser in (ada, bo):
        assert (await browser.post(MONTH, **PAYMENT)).status_code == 303
    clock.advance(timedelta(days=29, hours=12))
    ada, bo = await sign_in(ADA), await sign_in(BO)
    pay = {"do": "pay", "partner": str(partner.id), "currency": "GBP", "amount": "200.00"}

    page = text_of(await ada.get(MONTH))
    statuses = [(await browser.post(MONTH, **pay)).status_code for browser in (ada, ada, bo)]

    assert "Mark GBP 200.00 as paid" in page
    assert [(row.reference, row.net) for row in await rows_in(context.store, CustomerPayment)] == [("INV-1", 1000)]
    assert statuses == [303, 409, 409]
    assert [row.amount for row in await rows_in(context.store, Payout)] == [200]


async def test_the_month_names_the_day_to_pay_by_and_the_terms_of_each_partner(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", date(2031, 6, 1))
    await announce_terms(context.store, context.settings, clock())

    month, page = text_of(await ada.get(MONTH)), text_of(await ada.get(f"/affiliates/{partner.id}"))

    assert "pay by 2030-02-01" in month
    assert "terms of 2024-08-14, notified of 2031-06-01 on 2030-01-02" in month
    assert (
        "agreed to the terms of 2024-08-14, in force: the terms of 2024-08-14, notified on 2030-01-02 of the terms of 2031-06-01, which apply from 2031-06-01"
        in page
    )


async def test_an_amount_that_was_only_carried_over_is_paid_by_the_months_end(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"net": "100"})  # below the threshold, until the agreement ends
    clock.now = datetime(2030, 2, 5, 9, tzinfo=UTC)
    await (await sign_in(ADA)).post(f"/affiliates/{partner.id}", do="end", rest="pay")
    ada = await sign_in(ADA)

    january, february, march = [text_of(await ada.get(f"/affiliates?month=2030-0{month}")) for month in (1, 2, 3)]

    for month in (february, march):
        assert "GBP 20.00 carried over from before 20.00, earned 0, carried over 0.00, pay by 2030-02-28" in month
    assert "pay by" not in january


async def test_the_office_shows_the_terms_agreed_to_and_those_that_came_into_force_since(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    sign_in: Callable[[str], Awaitable[Browser]],
) -> None:
    partner = await approved(context, ada, clock)
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", date(2030, 3, 3))
    await announce_terms(context.store, context.settings, clock())
    clock.now = datetime(2030, 3, 3, 9, tzinfo=UTC)
    ada = await sign_in(ADA)

    month, page = text_of(await ada.get(MONTH)), text_of(await ada.get(f"/affiliates/{partner.id}"))

    assert "in force: the terms of 2030-03-03, agreed to the terms of 2024-08-14" in month
    assert "agreed to the terms of 2024-08-14, in force: the terms of 2030-03-03" in page


@pytest.mark.parametrize(
    ("by", "template", "words"),
    [
        ("us", "partner-ended", "which apply from 2030-04-01"),
        ("partner", "partner-notice", "which do not apply: the partner gave notice before their day"),
    ],
)
async def test_a_notice_that_the_partner_mailed_is_entered_as_theirs(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    by: str,
    template: str,
    words: str,
    sign_in: Callable[[str], Awaitable[Browser]],
) -> None:
    partner = await approved(context, ada, clock)
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", date(2030, 4, 1))
    await announce_terms(context.store, context.settings, clock())
    clock.now = datetime(2030, 3, 1, 9, tzinfo=UTC)
    ada = await sign_in(ADA)

    await ada.post(f"/affiliates/{partner.id}", do="notice", by=by)

    assert words in text_of(await ada.get(f"/affiliates/{partner.id}"))
    mails = [row.template for row in await rows_in(context.store, Outbox)]
    assert [name for name in mails if name in ("partner-ended", "partner-notice", "partner-notice-to-team")] == [template]


@pytest.mark.parametrize(
    ("by", "received_on", "notice_on"),
    [("partner", "2030-02-20", date(2030, 2, 20)), ("partner", "", date(2030, 3, 1)), ("us", "2030-02-20", date(2030, 3, 1))],
)
async def test_a_notice_by_email_runs_from_its_arrival(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    by: str,
    received_on: str,
    notice_on: date,
    sign_in: Callable[[str], Awaitable[Browser]],
) -> None:
    partner = await approved(context, ada, clock)
    clock.now = datetime(2030, 3, 1, 9, tzinfo=UTC)
    ada = await sign_in(ADA)

    response = await ada.post(f"/affiliates/{partner.id}", do="notice", by=by, received_on=received_on)

    [row] = await rows_in(context.store, Partner)
    ends_on = notice_on + timedelta(days=60)
    assert (response.status_code, row.notice_on, row.ends_on) == (303, notice_on, ends_on)
    [mail] = [row for row in await rows_in(context.store, Outbox) if row.template in ("partner-ended", "partner-notice")]
    assert mail.payload["ends_on"] == str(ends_on)


@pytest.mark.parametrize("received_on", ["2030-01-01", "2030-01-03", "02/01/2030"])
async def test_a_notice_arrives_neither_before_the_approval_nor_in_the_future(
    context: ApiContext, ada: Browser, clock: Clock, received_on: str
) -> None:
    partner = await approved(context, ada, clock)

    response = await ada.post(f"/affiliates/{partner.id}", do="notice", by="partner", received_on=received_on)

    assert response.status_code == 422
    assert "A notice is received today or earlier" in text_of(response)
    assert [row.notice_on for row in await rows_in(context.store, Partner)] == [None]


async def test_a_payout_names_the_rate_that_was_used(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"currency": "USD"})
    clock.advance(timedelta(days=29, hours=12))
    ada = await sign_in(ADA)
    pay = {"do": "pay", "partner": str(partner.id), "currency": "USD", "amount": "200.00"}

    await ada.post(f"{MONTH}&rates=USD+1.27", **pay)

    assert [row.rate for row in await rows_in(context.store, Payout)] == [Decimal("1.27")]
    assert "paid at 1.27 to the pound" in text_of(await ada.get(MONTH))
    assert "USD 200.00 at 1.27" in text_of(await ada.get(f"/affiliates/{partner.id}"))


async def test_a_changed_payment_needs_a_confirmed_correction(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)

    refused = await ada.post(MONTH, **PAYMENT | {"net": "999"})
    corrected = await ada.post(MONTH, **PAYMENT | {"net": "999", "correct": "yes"})

    assert (refused.status_code, corrected.status_code) == (409, 303)
    assert "Correct it" in refused.text
    assert "Amount paid back, net" in refused.text
    assert [row.net for row in await rows_in(context.store, CustomerPayment)] == [999]


async def test_the_partners_page_shows_all_that_a_correction_asks_for(context: ApiContext, ada: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    returned = {"reversed_on": "2030-01-02", "repaid_on": "2030-01-02", "repaid": "55"}
    await ada.post(MONTH, **PAYMENT | {"contract_on": "2030-01-01", "term_months": "24"} | returned)

    _, _, payments = text_of(await ada.get(f"/affiliates/{partner.id}")).partition("All payments ")

    assert payments.startswith(
        "INV-1, Q-7F3K-29: GBP 1000, monthly, due 2030-01-03, signed 2030-01-01 for 24 months, received 2030-01-02, "
        "reversed 2030-01-02, 55 paid back 2030-01-02 History"
    )


async def test_a_payment_that_does_not_exist_is_taken_back_as_the_guide_says(
    context: ApiContext, ada: Browser, clock: Clock
) -> None:
    partner = await approved(context, ada, clock)
    token = await context.store.write(lambda session: program.new_link(session, partner))
    await ada.post(MONTH, **PAYMENT | {"reference": "INV-99"})
    taken_back = PAYMENT | {"reference": "INV-99", "due_on": "2000-01-01", "received_on": "", "correct": "yes"}

    assert (await ada.post(MONTH, **taken_back)).status_code == 303
    clock.now = datetime(2030, 6, 1, 9, tzinfo=UTC)
    page = text_of(await ada.client.get(f"/partners/{token}"))

    assert "did not become a customer" in page
    assert "£" not in page.partition("How commission is worked out")[0]


async def test_the_second_part_of_an_invoice_is_told_how_to_be_entered(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"net": "400"})
    second = PAYMENT | {"net": "600", "received_on": "2030-01-01"}

    refused = text_of(await ada.post(MONTH, **second))
    [number] = re.findall(r"such as (INV-1\S*?)[,.]? ", refused)
    entered = await ada.post(MONTH, **second | {"reference": number})

    assert entered.status_code == 303
    assert [row.net for row in await rows_in(context.store, CustomerPayment)] == [400, 600]


async def test_a_second_refund_is_told_how_to_be_entered(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    await approved(context, ada, clock)
    first = PAYMENT | {"repaid": "100", "repaid_on": "2030-01-02"}
    await ada.post(MONTH, **first)
    clock.advance(timedelta(days=40))
    ada = await sign_in(ADA)
    await ada.post(MONTH, do="pay", partner="1", currency="GBP", amount="180.00")

    moved = await ada.post(MONTH, **first | {"repaid": "150", "repaid_on": "2030-02-05", "correct": "yes"})
    added = await ada.post(MONTH, **first | {"repaid": "150", "correct": "yes"})

    assert (moved.status_code, added.status_code) == (409, 303)
    assert "100 was already paid back on 2030-01-02" in text_of(moved)
    assert "keep that day and enter the sum of both amounts" in text_of(moved)


@pytest.mark.parametrize("changes", [{"net": "x"}, {"lead": "Q-0000-00"}, {"lead": "x" * 5000}, {"due_on": ""}])
async def test_a_wrong_payment_is_shown_again(context: ApiContext, ada: Browser, clock: Clock, changes: dict[str, str]) -> None:
    await approved(context, ada, clock)

    response = await ada.post(MONTH, **PAYMENT | changes)

    assert response.status_code == 422
    assert 'value="INV-1"' in response.text
    assert await rows_in(context.store, CustomerPayment) == []


@pytest.mark.parametrize("field", ["received_on", "reversed_on", "repaid_on"])
async def test_money_is_not_received_or_returned_in_the_future(
    context: ApiContext, ada: Browser, clock: Clock, field: str
) -> None:
    await approved(context, ada, clock)
    days = {"reversed_on": "", "repaid_on": "", "repaid": "5" if field == "repaid_on" else ""}

    refused = await ada.post(MONTH, **PAYMENT | days | {field: "2030-01-03"})
    accepted = await ada.post(MONTH, **PAYMENT | days | {field: "2030-01-02"})

    assert (refused.status_code, accepted.status_code) == (422, 303)
    assert "this day is in the future" in refused.text


async def test_a_file_is_imported_or_its_lines_named(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await approved(context, ada, clock)
    head = "reference,lead,net,currency,billing,due_on,contract_on,term_months,received_on,reversed_on,repaid_on,repaid\r\n"
    line = f"INV-2,{QUOTE},10,THB,milestone,2030-01-03,2030-01-03,,2030-01-02,,,\r\n"

    refused = await ada.post(MONTH, do="import", file=head + line + "INV-3,x\r\n")
    response = await ada.post(MONTH, do="import", file=head + line)

    assert (refused.status_code, response.status_code) == (422, 303)
    assert "Line 3" in refused.text
    assert [row.currency for row in await rows_in(context.store, CustomerPayment)] == ["THB"]


async def test_a_file_of_the_largest_number_of_lines_is_imported(context: ApiContext, ada: Browser, clock: Clock) -> None:
    """A line is as long as lines are in practice, and a browser sends each of its commas as three bytes."""
    await approved(context, ada, clock)
    head = "reference,lead,net,currency,billing,due_on,contract_on,term_months,received_on,reversed_on,repaid_on,repaid\r\n"
    days = "2030-01-01,2030-01-01,12,2030-01-02"
    lines = [f"INV-2026-{number:05},{QUOTE},1000.00,GBP,monthly,{days},,,\r\n" for number in range(MAX_LINES)]

    too_long = await ada.post(MONTH, do="import", file=head + "".join(lines))
    accepted = await ada.post(MONTH, do="import", file=head + "".join(lines[1:]))

    assert (too_long.status_code, accepted.status_code) == (422, 303)
    assert "A file has at most 2,000 lines" in too_long.text
    assert "CSV of at most 2,000 lines" in (await ada.get(MONTH)).text
    assert len(await rows_in(context.store, CustomerPayment)) == MAX_LINES - 1


@pytest.mark.parametrize(
    ("path", "size"), [(MONTH, MAX_IMPORT_BODY_BYTES), ("/affiliates/1", MAX_BODY_BYTES), ("/mail", MAX_BODY_BYTES)]
)
async def test_only_the_import_is_larger_than_other_forms(ada: Browser, path: str, size: int) -> None:
    assert (await ada.post(path, do="import", file="x" * (size - 1000))).status_code != 413
    assert (await ada.post(path, do="import", file="x" * size)).status_code == 413


def csv_links(page: str) -> list[str]:
    """Returns the addresses of PayPal's files that a page links, below /office."""
    return [unescape(link) for link in re.findall(r'href="/office(/affiliates/paypal\.csv[^"]*)"', page)]


async def paypal_files(browser: Browser, query: str) -> list[list[str]]:
    """Returns the lines of each file for PayPal's mass payout, in the order of their links."""
    page = await browser.get(f"/affiliates/paypal?{query}")
    return [(await browser.get(link)).text.splitlines() for link in csv_links(page.text)]


async def test_paypals_files_name_what_is_due_in_one_currency_each(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock, paypal="pat@partner.example")
    await ada.post(MONTH, **PAYMENT)
    await ada.post(MONTH, **PAYMENT | {"reference": "INV-2", "currency": "USD"})
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    assert "/office/affiliates/paypal?month=2030-01" in (await ada.get(MONTH)).text

    files = await paypal_files(ada, "month=2030-01&rates=USD+1.25,THB+45")
    without_rates = await paypal_files(ada, "month=2030-01")
    page = text_of(await ada.get("/affiliates/paypal?month=2030-01&rates=USD+1.25"))

    assert files == [
        [f"pat@partner.example,200.00,GBP,{partner.code},Commission 2030-01"],
        [f"pat@partner.example,200.00,USD,{partner.code},Commission 2030-01"],
    ]
    assert [len(lines) for lines in without_rates] == [1]
    assert "GBP : 1 payout, 200.00 in all USD : 1 payout, 200.00 in all" in page
    assert "Pay by hand" not in page


async def test_a_payment_entered_after_its_month_was_paid_is_paid_with_that_month(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock, paypal="pat@partner.example")
    await ada.post(MONTH, **PAYMENT)
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    pay = {"do": "pay", "partner": str(partner.id), "currency": "GBP"}
    await ada.post(MONTH, **pay, amount="200.00")
    clock.advance(timedelta(days=1))
    ada = await sign_in(ADA)
    await ada.post(MONTH, **PAYMENT | {"reference": "INV-2", "net": "500", "received_on": "2030-01-31"})

    page, files = text_of(await ada.get(MONTH)), await paypal_files(ada, "month=2030-01")
    pay |= {"payouts": "1"}
    statuses = [(await ada.post(MONTH, **pay, amount=amount)).status_code for amount in ("200.00", "100.00", "100.00")]
    paid, record = text_of(await ada.get(MONTH)), (await ada.get("/person.json?email=pat@partner.example")).json()

    assert "carried over 100.00, paid, GBP 100.00 more is due, pay by 2030-03-02" in page
    assert "Mark GBP 100.00 as paid" in page
    assert files == [[f"pat@partner.example,100.00,GBP,{partner.code},Commission 2030-01"]]
    assert statuses == [409, 303, 409]
    assert "GBP 300.00 carried over from before 0, earned 300.00, carried over 0.00, paid" in paid
    assert "more is due" not in paid
    payouts = record["partner"][0]["payouts"]
    assert [(payout["month"], payout["amount"]) for payout in payouts] == [("2030-01", "200.00"), ("2030-01", "100.00")]


def limits_of_money_back(page: str) -> list[str]:
    return re.findall(r'name="limit" value="([0-9.]+)"', page)


async def test_a_payout_that_came_back_is_paid_again(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock, paypal="pat@partner.example")
    await ada.post(MONTH, **PAYMENT)
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    of_partner = {"partner": str(partner.id), "currency": "GBP"}
    unpaid = await ada.get(MONTH)
    await ada.post(MONTH, **of_partner, do="pay", amount="200.00")
    clock.advance(timedelta(days=30))
    ada = await sign_in(ADA)
    page = await ada.get(MONTH)
    [limit] = limits_of_money_back(page.text)
    back = of_partner | {"do": "money-back", "limit": limit, "payouts": "1"}

    typed = ("200.01", "0", "-1", "1e2", "0.001", "", "200.00", "200.00")
    statuses = [(await ada.post(MONTH, **back, amount=amount)).status_code for amount in typed]
    returned, files = await ada.get(MONTH), await paypal_files(ada, "month=2030-01")
    paid_again = await ada.post(MONTH, **of_partner, do="pay", amount="200.00", payouts="2")

    assert (limits_of_money_back(unpaid.text), limit) == ([], "200.00")
    assert statuses == [409] * 6 + [303, 409]
    assert "200.00 came back, GBP 200.00 more is due, pay by 2030-02-01" in text_of(returned)
    assert limits_of_money_back(returned.text) == []
    assert files == [[f"pat@partner.example,200.00,GBP,{partner.code},Commission 2030-01"]]
    assert paid_again.status_code == 303
    assert [row.amount for row in await rows_in(context.store, Payout)] == [200, -200, 200]
    assert "money back" in text_of(await ada.get(f"/affiliates/{partner.id}"))
    assert limits_of_money_back((await (await sign_in(CY)).get(MONTH)).text) == []


async def test_forms_shown_before_another_owner_entered_the_same_change_nothing(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    ada, _ = await paid_for_january(context, ada, clock, sign_in)

    async def post_both(form: dict[str, str]) -> list[int]:
        return [(await browser.post(MONTH, **form)).status_code for browser in (ada, await sign_in(BO))]

    async def shown_form() -> dict[str, str]:
        page = (await ada.get(MONTH)).text.partition("Enter a payment")[0]
        fields = re.findall(r'name="(do|partner|currency|amount|back|limit|payouts)" value="([^"]*)"', page)
        return dict(fields)

    back = await shown_form()
    assert (await ada.post(MONTH, **back)).status_code == 303
    pay = await shown_form()
    assert (await ada.post(MONTH, **pay)).status_code == 303
    assert await post_both(back) == [409, 409]  # the payout that was made again has not come back
    await ada.post(MONTH, **PAYMENT | {"reference": "INV-2"})
    assert await post_both(pay) == [409, 409]  # the next one of the same amount is not made

    assert [row.amount for row in await rows_in(context.store, Payout)] == [200, -200, 200]
    assert "Mark GBP 200.00 as paid" in text_of(await ada.get(MONTH))


async def paid_for_january(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> tuple[Browser, dict[str, str]]:
    """Pays a partner £200 for January; returns the owner, signed in again, and the fields that name partner and currency in a form."""
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    of_partner = {"partner": str(partner.id), "currency": "GBP"}
    await ada.post(MONTH, **of_partner, do="pay", amount="200.00")
    return ada, of_partner


async def test_what_a_partner_repaid_is_no_longer_owed(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    ada, of_partner = await paid_for_january(context, ada, clock, sign_in)
    clock.advance(timedelta(days=10))
    ada = await sign_in(ADA)
    await ada.post(MONTH, **PAYMENT | {"repaid": "500", "repaid_on": "2030-02-05", "correct": "yes"})
    february = "/affiliates?month=2030-02"

    limits = limits_of_money_back((await ada.get(february)).text)
    repaid = await ada.post(february, **of_partner, do="money-back", back="repaid", limit=limits[0], amount="60")
    page = text_of(await ada.get(february))

    assert (limits, repaid.status_code) == (["100.00"], 303)
    assert "carried over -40.00, 60 came back" in page
    assert limits_of_money_back((await ada.get("/affiliates?month=2030-03")).text) == []  # a month that is still to come


async def test_what_a_partner_repaid_of_a_payout_of_twice_as_much_is_entered_once(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    ada, of_partner = await paid_for_january(context, ada, clock, sign_in)
    await ada.post(MONTH, **PAYMENT | {"net": "500", "correct": "yes"})

    repaid = of_partner | {"do": "money-back", "back": "repaid", "limit": "100.00", "payouts": "1", "amount": "100.00"}
    statuses = [(await ada.post(MONTH, **repaid)).status_code for _ in range(2)]

    assert statuses == [303, 409]
    assert [row.amount for row in await rows_in(context.store, Payout)] == [200, -100]


async def test_a_payout_made_before_a_refund_was_entered_can_be_marked_after_it(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)
    clock.advance(timedelta(days=39))
    ada = await sign_in(ADA)
    correct = PAYMENT | {"correct": "yes"}
    refund = correct | {"repaid": "500", "repaid_on": "2030-02-05"}

    for payment in (refund, correct):
        assert (await ada.post(MONTH, **payment)).status_code == 303
    marked = await ada.post(MONTH, partner=str(partner.id), currency="GBP", do="pay", amount="200.00")
    await ada.post(MONTH, **refund)

    assert marked.status_code == 303
    assert "carried over -100.00" in text_of(await ada.get("/affiliates?month=2030-02"))


async def test_a_paypal_address_that_reads_as_a_formula_is_paid_by_hand_and_not_changed(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock, paypal="=pat@partner.example")
    await ada.post(MONTH, **PAYMENT)
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)

    month, page = text_of(await ada.get(MONTH)), await ada.get("/affiliates/paypal?month=2030-01")
    file = await ada.get("/affiliates/paypal.csv?month=2030-01&currency=GBP")

    reason = "a spreadsheet would read the PayPal address as a formula"
    assert (csv_links(page.text), file.text) == ([], "")
    assert f"Ada Lovelace , =pat@partner.example: GBP 200.00 ({reason})" in text_of(page)
    assert f"{reason}: pay it by hand" in month
    assert f"/office/affiliates/{partner.id}" in page.text


async def test_what_paypal_cannot_pay_is_in_no_file_but_to_be_paid_by_hand(
    context: ApiContext, ada: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    await approved(context, ada, clock, paypal="pat@partner.example")
    for currency, net in (("HUF", "617258"), ("KWD", "1234.565"), ("IDR", "10000000"), ("JPY", "1000003")):
        await ada.post(MONTH, **PAYMENT | {"reference": f"INV-{currency}", "net": net, "currency": currency})
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    rates = urlencode({"rates": "HUF 450, KWD 0.4, IDR 20000, JPY 190"})

    page, files = text_of(await ada.get(f"{MONTH}&{rates}")), await paypal_files(ada, f"month=2030-01&{rates}")
    by_hand = text_of(await ada.get(f"/affiliates/paypal?month=2030-01&{rates}")).partition("Pay by hand")[2]
    paid = await ada.post(f"{MONTH}&{rates}", do="pay", partner="1", currency="KWD", amount="246.913")

    assert [[line.split(",")[1:3] for line in lines] for lines in files] == [[["123451", "HUF"]], [["200001", "JPY"]]]
    assert [currency in page for currency in ("KWD: pay it", "IDR: pay it", "HUF: pay it")] == [True, True, False]
    assert [words in by_hand for words in ("IDR 2000000.00", "KWD 246.913", "HUF")] == [True, True, False]
    assert "HUF 123451 carried over from before 0, earned 123451.60, carried over 0.60" in page
    assert (paid.status_code, [row.amount for row in await rows_in(context.store, Payout)]) == (303, [Decimal("246.913")])


@pytest.mark.parametrize(
    ("rates", "refused"),
    [
        ("USD 1,15", "15"),
        ("USD 1.15; EUR 1.2", "USD 1.15; EUR 1.2"),
        ("USD=1.15", "USD=1.15"),
        ("USD 1.15, NOPE 1", "NOPE 1"),
        *((f"USD {rate}", f"USD {rate}") for rate in ("9E999999", "1E-9", "0", "-1", "NaN", "x", "１", "1.", "9" * 5000)),
    ],
)
async def test_a_rate_that_cannot_be_is_named_and_no_rate_is_used(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    sign_in: Callable[[str], Awaitable[Browser]],
    rates: str,
    refused: str,
) -> None:
    await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"currency": "USD"})
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)
    query = urlencode({"month": "2030-01", "rates": rates})

    page, files = await ada.get(f"/affiliates?{query}"), await ada.get(f"/affiliates/paypal?{query}")
    file = await ada.get(f"/affiliates/paypal.csv?{query}&currency=USD")
    paid = await ada.post(f"/affiliates?{query}", do="pay", partner="1", currency="USD", amount="200.00")

    assert [page.status_code, files.status_code, file.status_code, paid.status_code] == [200, 303, 303, 422]
    assert files.headers["Location"] == f"/office/affiliates?{query}"
    assert CARRY_REASONS[CarryReason.NO_RATE] in text_of(page)
    assert all(f"“{refused}” is not an exchange rate" in text_of(response) for response in (page, paid))
    assert await rows_in(context.store, Payout) == []


async def test_rates_in_small_letters_and_with_a_trailing_comma_are_used(
    context: ApiContext, ada: Browser, clock: Clock
) -> None:
    await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"currency": "USD"})

    page = text_of(await ada.get("/affiliates", params={"month": "2030-01", "rates": "usd 1.27, THB 45,"}))

    assert "is not an exchange rate" not in page
    assert CARRY_REASONS[CarryReason.NO_RATE] not in page


async def test_there_is_no_file_for_paypal_before_amounts_can_be_marked_as_paid(
    context: ApiContext, ada: Browser, clock: Clock
) -> None:
    await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)

    page = await ada.get(MONTH)
    responses = [await ada.get(f"/affiliates/{name}month=2030-01") for name in ("paypal?", "paypal.csv?currency=GBP&")]

    assert "affiliates/paypal" not in page.text
    assert [response.status_code for response in responses] == [303, 303]
    assert responses[0].headers["Location"] == "/office/affiliates?month=2030-01"


async def test_a_partner_who_refers_themselves_is_shown(context: ApiContext, ada: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock, email="boss@partner.example")
    path = f"/affiliates/{partner.id}"

    assert "same domain as the partner" in text_of(await ada.get(path))
    await ada.post(path, do="decline", lead=QUOTE)

    assert [row.state for row in await rows_in(context.store, Referral)] == ["declined"]
    assert "Count it again" in (await ada.get(path)).text


async def test_a_referral_of_a_company_that_was_referred_before_is_shown(
    context: ApiContext, ada: Browser, clock: Clock
) -> None:
    partner = await approved(context, ada, clock, email="jane@acme.example")
    emails = {"M-7F3K-22": "john@Acme.example", "M-7F3K-23": "a@gmail.com", "M-7F3K-24": "b@gmail.com"}
    for reference, email in emails.items():
        await add_rows(context.store, a_message(reference=reference, created_at=clock(), email=email))
        await add_rows(context.store, Referral(lead=reference, partner_id=1, first_submission_on=clock().date()))

    page = text_of(await ada.get(f"/affiliates/{partner.id}"))

    assert page.count("same domain as") == 1
    assert f"M-7F3K-22 2030-01-02, {STANDINGS[Standing.OPEN]} same domain as {QUOTE}" in page


@pytest.mark.parametrize("days", [1, -1])
async def test_a_referral_of_a_company_that_another_partner_referred_before_is_shown(
    context: ApiContext, ada: Browser, clock: Clock, days: int
) -> None:
    """The order of the rows says nothing: a lead may leave quarantine after one that was sent later."""
    partner = await approved(context, ada, clock, email="jane@acme.example")
    other = Partner.model_validate(partner.model_dump(exclude={"id"}) | {"code": "K7M2X", "application": "A-7F3K-30"})
    await add_rows(context.store, other, a_message(created_at=clock(), email="john@acme.example"))
    sent_on = clock().date() + timedelta(days=days)
    await add_rows(context.store, Referral(lead="M-7F3K-29", partner_id=2, first_submission_on=sent_on))

    pages = [text_of(await ada.get(f"/affiliates/{number}")) for number in (1, 2)]

    assert ["same domain as M-7F3K-29" in pages[0], f"same domain as {QUOTE}" in pages[1]] == [days < 0, days > 0]


async def test_the_owner_says_that_an_earlier_contact_was_about_no_project(
    context: ApiContext, ada: Browser, cy: Browser, clock: Clock
) -> None:
    await add_rows(context.store, a_message(created_at=clock() - timedelta(days=40), email="buyer@example.net"))
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)
    path = f"/affiliates/{partner.id}"
    ignore, respect = "That was about no project: count it", "It was about a project after all"
    asked = text_of(await ada.get(path))

    assert (await cy.post(path, do="ignore-contact", lead=QUOTE)).status_code == 403
    assert (await ada.post(path, do="ignore-contact", lead=QUOTE)).status_code == 303
    counted = text_of(await ada.get(f"{path}?month=2030-01"))
    await ada.post(path, do="respect-contact", lead=QUOTE)
    excluded = text_of(await ada.get(path))

    assert (ignore in asked, respect in asked, "already in contact on 2029-11-23" in asked) == (True, False, True)
    assert (ignore in counted, respect in counted, "about no project" in counted) == (False, True, True)
    assert (STANDINGS[Standing.OPEN] in counted, "INV-1, Q-7F3K-29 GBP 1000 200.00" in counted) == (True, True)
    assert (ignore in excluded, respect in excluded, STANDINGS[Standing.PRIOR_CONTACT] in excluded) == (True, False, True)
    assert ignore not in text_of(await cy.get(path))


@pytest.mark.parametrize("days", [None, 91])
async def test_nothing_is_asked_about_a_contact_that_excludes_nobody(
    context: ApiContext, ada: Browser, clock: Clock, days: int | None
) -> None:
    if days:
        await add_rows(context.store, a_message(created_at=clock() - timedelta(days=days), email="buyer@example.net"))
    partner = await approved(context, ada, clock)

    assert "about no project" not in text_of(await ada.get(f"/affiliates/{partner.id}"))


async def test_a_partner_is_suspended_resumed_and_sent_a_link(context: ApiContext, ada: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    states = []
    for do in ("suspend", "resume", "link", "notice"):
        assert (await ada.post(f"/affiliates/{partner.id}", do=do)).status_code == 303
        states += [row.state for row in await rows_in(context.store, Partner)]

    [row] = await rows_in(context.store, Partner)
    assert states == ["suspended", "active", "active", "active"]
    assert row.ends_on == clock().date() + timedelta(days=60)
    [mail] = [row for row in await rows_in(context.store, Outbox) if row.template == "partner-link"]
    assert re.fullmatch(r"http://[^/]+/partners/[\w-]{43}", mail.payload["page_url"])


@pytest.mark.parametrize(("rest", "can_resume"), [("partner", True), ("pay", True), ("forfeit", False)])
async def test_a_suspension_can_be_ended_after_the_agreement(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    sign_in: Callable[[str], Awaitable[Browser]],
    rest: str,
    can_resume: bool,
) -> None:
    partner = await approved(context, ada, clock)
    path = f"/affiliates/{partner.id}"
    await ada.post(path, do="suspend")
    clock.advance(timedelta(minutes=1))
    lead = a_message(created_at=clock(), email="eve@example.net", attribution={"ref": partner.code})
    await add_rows(context.store, lead)
    clock.advance(timedelta(days=1))
    ada = await sign_in(ADA)
    await ada.post(path, do="end", rest=rest)

    page = text_of(await ada.get(path))
    await ada.post(path, do="resume")

    assert ("End the suspension" in page, "Suspend their link" in page) == (can_resume, False)
    assert ["M-7F3K-29"] * can_resume == [row.lead for row in await rows_in(context.store, Referral)][1:]


async def test_an_owner_sets_the_paypal_address_back(context: ApiContext, ada: Browser, cy: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    path = f"/affiliates/{partner.id}"
    change = {"do": "paypal", "paypal": " pat@partner.example "}

    statuses = [(await browser.post(path, **change)).status_code for browser in (cy, ada, ada)]
    refused = await ada.post(path, do="paypal", paypal="nobody")

    assert (statuses, refused.status_code) == ([403, 303, 303], 422)
    assert [row.paypal for row in await rows_in(context.store, Partner)] == ["pat@partner.example"]
    [mail] = [row for row in await rows_in(context.store, Outbox) if row.template == "partner-paypal"]
    assert mail.recipient == partner.email
    words = mail_text(mail, context)
    assert "reply to this email at once with the right address" in words
    assert "stop payments" not in words
    assert "change PayPal address" in text_of(await ada.get(path))


async def test_an_owner_enters_a_partners_new_address_and_both_addresses_hear_of_it(
    context: ApiContext, ada: Browser, cy: Browser, clock: Clock
) -> None:
    partner = await approved(context, ada, clock, email="buyer@new.example", paypal="pat@partner.example")
    path = f"/affiliates/{partner.id}"
    await ada.post(path, do="link")
    old_links = await rows_in(context.store, PartnerLink)
    change = {"do": "email", "email": " pat@new.example "}

    statuses = [(await browser.post(path, **change)).status_code for browser in (cy, ada, ada)]
    refused = await ada.post(path, do="email", email="nobody")

    assert (statuses, refused.status_code) == ([403, 303, 303], 422)
    [changed] = await rows_in(context.store, Partner)
    assert (changed.email, changed.paypal) == ("pat@new.example", "pat@partner.example")
    [link] = await rows_in(context.store, PartnerLink)
    assert link.token_hash not in [old.token_hash for old in old_links]
    *_, to_old, to_new = sorted(await rows_in(context.store, Outbox), key=lambda row: row.id or 0)
    assert (to_old.template, to_old.recipient, to_old.mailbox) == ("partner-email", partner.email, partner.email)
    assert (to_new.template, to_new.recipient) == ("partner-link", "pat@new.example")
    words = mail_text(to_old, context)
    assert "reply to this email at once with the right address" in words
    assert "new.example" not in words
    assert "/partners/" not in words
    page = text_of(await ada.get(path))
    assert "change email address" in page
    assert "same domain as the partner" in page


async def test_a_breach_ends_the_agreement_at_once(
    context: ApiContext, ada: Browser, cy: Browser, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)
    path = f"/affiliates/{partner.id}"
    assert (await cy.post(path, do="end", rest="forfeit")).status_code == 403
    clock.advance(timedelta(days=7))
    ada = await sign_in(ADA)

    for _ in range(2):
        assert (await ada.post(path, do="end", rest="forfeit")).status_code == 303
    await ada.post(path, do="resume")

    [row] = await rows_in(context.store, Partner)
    assert (row.state, row.notice_on, row.ends_on) == ("forfeited", clock().date(), clock().date())
    [mail] = [row for row in await rows_in(context.store, Outbox) if row.template == "partner-ended"]
    assert (mail.recipient, mail.payload["is_forfeited"]) == (row.email, True)
    assert "forfeited 200.00" in text_of(await ada.get(MONTH))
    assert 'name="do" value="end"' not in (await ada.get(path)).text


async def test_the_second_of_two_owners_reads_that_nothing_was_changed(
    context: ApiContext, ada: Browser, bo: Browser, clock: Clock
) -> None:
    page = f"/affiliates/{(await approved(context, ada, clock)).id}"

    for first, second in (
        ({"do": "notice", "by": "us"}, {"do": "notice", "by": "us"}),
        ({"do": "end", "rest": "pay"}, {"do": "end", "rest": "forfeit"}),
    ):
        replies = [(await ada.post(page, **first)), (await bo.post(page, **second))]
        assert [reply.headers["Location"].rpartition("done=")[2] for reply in replies] == [first["do"], "unchanged"]

    [partner] = await rows_in(context.store, Partner)
    assert partner.state == "active"


async def test_a_partner_may_end_the_agreement_at_once(context: ApiContext, ada: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT)

    for _ in range(2):
        assert (await ada.post(f"/affiliates/{partner.id}", do="end", rest="partner")).status_code == 303

    [row] = await rows_in(context.store, Partner)
    assert (row.state, row.ends_on) == ("active", clock().date())
    [mail] = [row for row in await rows_in(context.store, Outbox) if row.template.startswith("partner-ended")]
    words = mail_text(mail, context)
    assert (mail.recipient, "You ended our affiliate agreement without notice" in words) == (row.email, True)
    assert "breach" not in words
    assert "end for a breach by the partner" in text_of(await ada.get(f"/affiliates/{partner.id}"))


async def test_an_end_in_the_morning_of_the_agency_still_pays_for_its_day_before(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    change_settings: Callable[..., None],
    sign_in: Callable[[str], Awaitable[Browser]],
) -> None:
    """At 23:00 UTC on 4 January it is 6:00 on 5 January in Bangkok."""
    partner = await approved(context, ada, clock)
    change_settings(booking_zone="Asia/Bangkok")
    clock.now = datetime(2030, 1, 4, 23, tzinfo=UTC)
    ada = await sign_in(ADA)
    await ada.post(MONTH, **PAYMENT | {"received_on": "2030-01-04"})

    await ada.post(f"/affiliates/{partner.id}", do="end", rest="pay")

    assert [row.ends_on for row in await rows_in(context.store, Partner)] == [date(2030, 1, 5)]
    assert "INV-1, Q-7F3K-29 GBP 1000 200.00" in text_of(await ada.get(f"/affiliates/{partner.id}?month=2030-01"))


async def test_an_immediate_end_may_still_pay_what_is_due(context: ApiContext, ada: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(f"/affiliates/{partner.id}", do="notice")

    await ada.post(f"/affiliates/{partner.id}", do="end", rest="pay")

    [row] = await rows_in(context.store, Partner)
    mails = [row.payload for row in await rows_in(context.store, Outbox) if row.template == "partner-ended"]
    assert (row.state, row.ends_on) == ("active", clock().date())
    assert [(mail["is_breach"], mail["is_forfeited"]) for mail in mails] == [(False, False), (True, False)]
    notice, breach = (ended_text(mail, context.settings).closing[0] for mail in mails)
    assert "except for referrals that result from the breach" in breach
    assert "except" not in notice
    assert "The agreement ended on" in text_of(await ada.get(f"/affiliates/{partner.id}"))


async def test_a_lead_names_the_partner_who_referred_it(context: ApiContext, ada: Browser, cy: Browser, clock: Clock) -> None:
    partner = await approved(context, ada, clock)
    link = f'href="/office/affiliates/{partner.id}"'

    assert link in (await cy.get(f"/leads/{QUOTE}")).text
    await ada.post(f"/affiliates/{partner.id}", do="decline", lead=QUOTE)

    assert "the referral does not count" in text_of(await ada.get(f"/leads/{QUOTE}"))


@pytest.mark.parametrize("path", ["/affiliates/999", "/affiliates/x", "/affiliates/99999999999999999999"])
async def test_an_unknown_partner_is_not_found(ada: Browser, path: str) -> None:
    assert (await ada.get(path)).status_code == 404


@pytest.mark.parametrize("month", ["", "x", "9999-99", "2030-13", "9999-12", "0001-01"])
async def test_the_statement_of_any_month_is_shown(context: ApiContext, ada: Browser, clock: Clock, month: str) -> None:
    await approved(context, ada, clock)

    assert (await ada.get(f"/affiliates?month={month}")).status_code == 200


def partner_number(number: int) -> Partner:
    return Partner(
        code=f"{number:08}",
        application=f"A-{number}",
        name=f"Partner {number}",
        email=f"partner{number}@example.org",
        paypal=f"partner{number}@example.org",
        terms_version="2024-08-14",
        applied_at=Clock().now,
        approved_on=date(2029, 1, 1),
    )


async def test_many_partners_are_listed_page_by_page_and_found_by_name_mail_or_code(
    context: ApiContext, ada: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.affiliate_pages._PARTNERS_A_PAGE", 3)
    await add_rows(context.store, *(partner_number(number) for number in range(1, 8)))

    pages, address = list[str](), MONTH
    while address:
        pages.append((await ada.get(address)).text)
        following = re.search(r'href="(\?[^"]*)" rel="next"', pages[-1])
        address = "/affiliates" + following[1].replace("&amp;", "&") if following else ""

    assert [re.findall(r"<bdi>Partner (\d)</bdi>", page) for page in pages] == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    for words in ("partner 5", "PARTNER5@example", "00000005"):
        found = (await ada.get("/affiliates", params={"words": words})).text
        assert re.findall(r"<bdi>Partner (\d)</bdi>", found) == ["5"]
    assert "No partner matches" in (await ada.get("/affiliates?words=nobody")).text


@pytest.mark.parametrize("words", ["wojcik", "ŁUKASZ", "łukasz wójcik", "WOJ"])
async def test_a_partner_is_found_without_capitals_and_accents(context: ApiContext, ada: Browser, words: str) -> None:
    lukasz, other = partner_number(1), partner_number(2)
    lukasz.name = "Łukasz Wójcik"
    await add_rows(context.store, lukasz, other)

    page = (await ada.get("/affiliates", params={"words": words})).text

    assert re.findall(r"<bdi>(.*?)</bdi>", page) == ["Łukasz Wójcik"]


async def test_paypals_files_hold_all_partners_and_stay_the_same_as_months_are_paid(
    context: ApiContext,
    ada: Browser,
    clock: Clock,
    sign_in: Callable[[str], Awaitable[Browser]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("site_app.provider.affiliates.payments.BOOKS_AT_ONCE", 2)
    monkeypatch.setattr("site_app.provider.office.affiliate_pages.MAX_PAYOUTS_A_FILE", 2)
    await add_rows(context.store, *(partner_number(number) for number in range(1, 6)))
    referrals = [
        Referral(lead=f"Q-AAAA-A{number}", partner_id=number, first_submission_on=date(2030, 1, 2)) for number in range(1, 6)
    ]
    await add_rows(context.store, *referrals)
    for number in range(1, 6):
        await ada.post(MONTH, **PAYMENT | {"reference": f"INV-{number}", "lead": f"Q-AAAA-A{number}"})
    clock.advance(timedelta(days=29))
    ada = await sign_in(ADA)

    links = csv_links((await ada.get("/affiliates/paypal?month=2030-01")).text)
    files = [(await ada.get(link)).text.splitlines() for link in links]
    for number in (1, 2):
        await ada.post(MONTH, do="pay", partner=str(number), currency="GBP", amount="200.00")
    files_since = [(await ada.get(link)).text.splitlines() for link in links[1:]]

    payees = [[line.partition("@")[0] for line in lines] for lines in files]
    assert payees == [["partner1", "partner2"], ["partner3", "partner4"], ["partner5"]]
    assert files_since == files[1:]


async def test_the_form_asks_for_the_day_of_signing_and_says_what_came_too_late(
    context: ApiContext, ada: Browser, clock: Clock
) -> None:
    partner = await approved(context, ada, clock)
    await ada.post(MONTH, **PAYMENT | {"contract_on": "2030-04-03"})  # the day after the conversion window

    form, page = text_of(await ada.get(MONTH)), text_of(await ada.get(f"/affiliates/{partner.id}?month=2030-01"))

    assert "Contract signed" in form
    assert "the contract or the first payment came too late" in page


def test_the_years_that_earn_are_counted_in_words() -> None:
    assert [first_years(count) for count in (1, 2)] == ["the first year", "the first 2 years"]


def test_every_standing_and_reason_has_its_words() -> None:
    assert set(STANDINGS) == set(Standing)
    assert set(REASONS) == set(Reason)
    assert set(CARRY_REASONS) == set(CarryReason)
