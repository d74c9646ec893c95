"""Each sentence of the affiliate terms about money, by an example."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from site_app.core import business
from site_app.provider.affiliates.ledger import (
    Agreement,
    Balance,
    Billing,
    CarryReason,
    CommissionLine,
    PartnerPayout,
    PaymentFacts,
    Reason,
    ReferralFacts,
    Standing,
    add_months,
    commission,
    last_chance,
    notice_ends,
    standing,
    statement,
)
from tests.unit.affiliates.builders import AGREEMENT, FEBRUARY, MARCH, RECEIVED, SUBMITTED, a_payment, a_payout, a_referral

DAY = timedelta(days=1)


def month_of(
    *payments: PaymentFacts,
    month: date = FEBRUARY,
    referral: ReferralFacts | None = None,
    agreement: Agreement = AGREEMENT,
    **options: Any,
) -> tuple[tuple[CommissionLine, ...], tuple[Balance, ...]]:
    result = statement(agreement, [referral or a_referral()], payments, month, **options)
    return result.lines, result.balances


def earned(payment: PaymentFacts, **options: Any) -> tuple[Decimal, Reason | None]:
    (line,), _ = month_of(payment, **options)
    return line.commission, line.reason


def test_the_commission_is_a_fifth_of_the_net_payment() -> None:
    assert earned(a_payment("1234.55")) == (Decimal("246.91"), None)
    assert commission(Decimal("0.02"), "GBP", RECEIVED) == Decimal("0.00")
    assert commission(Decimal("0.03"), "GBP", RECEIVED) == Decimal("0.01")
    assert commission(Decimal("103"), "JPY", RECEIVED) == Decimal("21")


def test_another_commission_changes_nothing_that_has_accrued(monkeypatch: pytest.MonkeyPatch) -> None:
    payments = (
        a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)),
        a_payment(reference="P-2", received_on=date(2026, 2, 28)),
        a_payment(reference="P-3", received_on=date(2026, 3, 1)),
    )
    monkeypatch.setattr(business, "COMMISSION", Decimal("0.15"))
    monkeypatch.setattr(
        business, "EARLIER_COMMISSIONS", ((date(2026, 1, 1), Decimal("0.10")), (date(2026, 3, 1), Decimal("0.20")))
    )

    _, (february,) = month_of(*payments)
    lines, (march,) = month_of(*payments, month=MARCH, payouts=[a_payout("400")])

    assert (february.payout, march.carried_in) == (400, 0)
    assert [(line.payment, line.commission) for line in lines] == [("P-1", -80), ("P-3", 150)]


def test_commission_is_due_on_every_payment_in_the_window() -> None:
    months = [date(2026, number, 1) for number in range(2, 13)]
    payments = [a_payment(reference=f"P-{month:%m}", due_on=month, received_on=month + 9 * DAY) for month in months]

    for month in months:
        (line,), _ = month_of(*payments, month=month)
        assert (line.payment, line.commission) == (f"P-{month:%m}", 200)


def test_only_money_that_was_received_earns() -> None:
    lines, (balance,) = month_of(a_payment(received_on=None))

    assert lines == ()
    assert (balance.earned, balance.payout) == (0, 0)


def test_a_project_at_a_fixed_price_earns_by_milestone_and_has_no_shortest_term() -> None:
    assert earned(a_payment("15000", billing=Billing.MILESTONE, term_months=0)) == (3000, None)


def test_a_hybrid_project_earns_on_both_kinds_of_payment() -> None:
    fixed = a_payment("5000", reference="P-1", billing=Billing.MILESTONE)
    monthly = a_payment("900", reference="P-2")

    _, (balance,) = month_of(fixed, monthly)

    assert balance.earned == 1180


@pytest.mark.parametrize(
    ("due_on", "term_months", "reason"),
    [
        (date(2027, 1, 31), 24, None),
        (date(2027, 2, 1), 24, Reason.AFTER_FIRST_YEARS),
        (date(2027, 2, 1), 13, Reason.AFTER_FIRST_YEARS),
        (date(2027, 2, 1), 12, None),
        (date(2027, 2, 1), None, None),
    ],
)
def test_a_contract_of_several_years_earns_in_its_first_year(due_on: date, term_months: int | None, reason: Reason) -> None:
    first = a_payment()
    second_payment = a_payment(reference="P-2", due_on=due_on, term_months=term_months, received_on=date(2027, 3, 1))

    (line,), _ = month_of(first, second_payment, month=date(2027, 3, 1))

    assert (line.commission, line.reason) == (0 if reason else 200, reason)


@pytest.mark.parametrize(("received_on", "reason"), [(date(2026, 4, 20), None), (date(2026, 4, 21), Reason.LATE_CUSTOMER)])
def test_a_referral_becomes_a_customer_within_the_conversion_window(received_on: date, reason: Reason) -> None:
    assert add_months(SUBMITTED, business.CONVERSION_MONTHS) == date(2026, 4, 20)
    assert earned(a_payment(received_on=received_on), month=date(2026, 4, 1))[1] == reason


@pytest.mark.parametrize(
    ("ends_on", "today", "expected", "last_day"),
    [
        (None, date(2026, 4, 20), Standing.OPEN, date(2026, 4, 20)),
        (None, date(2026, 4, 21), Standing.EXPIRED, date(2026, 4, 20)),
        (date(2026, 3, 1), date(2026, 2, 28), Standing.OPEN, date(2026, 2, 28)),
        (date(2026, 3, 1), date(2026, 3, 1), Standing.EXPIRED, date(2026, 2, 28)),
        (date(2026, 6, 1), date(2026, 4, 20), Standing.OPEN, date(2026, 4, 20)),
    ],
)
def test_a_referral_can_become_a_customer_no_longer_than_the_agreement(
    ends_on: date | None, today: date, expected: Standing, last_day: date
) -> None:
    assert standing(a_referral(), [], today, ends_on=ends_on) == expected
    assert last_chance(a_referral(), ends_on) == last_day


def test_a_customer_needs_contract_and_payment() -> None:
    ahead = a_payment(contract_on=date(2026, 4, 21))

    assert earned(ahead)[1] == Reason.LATE_CUSTOMER


def test_payments_after_the_window_earn_if_the_first_was_inside() -> None:
    second_payment = a_payment(reference="P-2", received_on=date(2026, 9, 1))

    assert earned(second_payment, referral=a_referral(), month=date(2026, 9, 1))[1] == Reason.LATE_CUSTOMER
    (line,), _ = month_of(a_payment(), second_payment, month=date(2026, 9, 1))
    assert line.reason is None


@pytest.mark.parametrize(("days", "reason"), [(0, Reason.PRIOR_CONTACT), (90, Reason.PRIOR_CONTACT), (91, None)])
def test_an_opportunity_of_the_days_before_is_not_eligible(days: int, reason: Reason | None) -> None:
    referral = a_referral(opportunity_on=SUBMITTED - timedelta(days=days))

    assert earned(a_payment(), referral=referral)[1] == reason


@pytest.mark.parametrize(("term_months", "reason"), [(0, Reason.SHORT_SUBSCRIPTION), (1, None), (None, None)])
def test_a_subscription_has_a_shortest_term(term_months: int | None, reason: Reason | None) -> None:
    assert earned(a_payment(term_months=term_months))[1] == reason


def test_a_declined_referral_earns_nothing() -> None:
    assert earned(a_payment(), referral=a_referral(is_declined=True)) == (0, Reason.DECLINED)


@pytest.mark.parametrize(
    ("net", "payout", "carry_reason"), [("499.97", "0", CarryReason.BELOW_THRESHOLD), ("500", "100", None)]
)
def test_the_first_payout_is_made_once_the_threshold_has_accrued(
    net: str, payout: str, carry_reason: CarryReason | None
) -> None:
    _, (balance,) = month_of(a_payment(net))

    assert (balance.payout, balance.carry_reason) == (Decimal(payout), carry_reason)


def test_an_amount_below_the_threshold_is_carried_forward() -> None:
    payments = a_payment("300"), a_payment("300", reference="P-2", received_on=date(2026, 3, 3))

    _, (february,) = month_of(*payments)
    _, (march,) = month_of(*payments, month=MARCH)

    assert (february.payout, february.carried_out) == (0, 60)
    assert (march.carried_in, march.payout, march.carried_out) == (60, 120, 0)


def test_the_threshold_is_for_the_first_payout_only() -> None:
    payments = a_payment(), a_payment("10", reference="P-2", received_on=date(2026, 3, 3))

    _, (march,) = month_of(*payments, month=MARCH, payouts=[a_payout()])

    assert (march.carried_in, march.payout) == (0, 2)


def test_a_payment_is_paid_out_within_days_of_its_receipt() -> None:
    (line,), (balance,) = month_of(a_payment())

    assert line.pay_by == balance.pay_by == RECEIVED + timedelta(days=business.PAYOUT_DAYS)


def test_a_rest_that_paypal_cannot_pay_makes_no_later_payout_late() -> None:
    payments = (
        a_payment("1003", currency="HUF"),
        a_payment("500", reference="P-2", currency="HUF", received_on=date(2026, 3, 5)),
    )

    _, (march,) = month_of(*payments, month=MARCH, payouts=[a_payout(currency="HUF")])

    assert (march.carried_in, march.payout, march.pay_by) == (Decimal("0.60"), 100, date(2026, 4, 4))


def test_each_currency_has_a_balance_of_its_own() -> None:
    payments = (
        a_payment("400"),
        a_payment("1000", reference="P-2", currency="THB"),
        a_payment("9000", reference="P-3", currency="USD"),
    )

    _, balances = month_of(*payments, rates={"USD": Decimal("1.27"), "THB": Decimal(45)})

    assert [(balance.currency, balance.earned, balance.payout, balance.carry_reason) for balance in balances] == [
        ("GBP", 80, 0, CarryReason.BELOW_THRESHOLD),
        ("THB", 200, 0, CarryReason.BELOW_THRESHOLD),
        ("USD", 1800, 1800, None),
    ]


def test_a_foreign_first_payout_waits_for_a_rate() -> None:
    _, (balance,) = month_of(a_payment(currency="USD"))

    assert (balance.payout, balance.carry_reason) == (0, CarryReason.NO_RATE)


def test_a_reversed_payment_is_refunded_once_it_is_overdue_for_long() -> None:
    overdue_on = date(2026, 2, 1) + timedelta(days=business.UNPAID_DAYS)
    assert overdue_on == date(2026, 4, 2)
    reversed_payment = a_payment(reversed_on=date(2026, 2, 20))

    for month, change in ((FEBRUARY, 200), (MARCH, None), (date(2026, 4, 1), -200), (date(2026, 5, 1), None)):
        lines, _ = month_of(reversed_payment, month=month, payouts=[a_payout()])
        assert [line.commission for line in lines] == ([] if change is None else [change])


def test_a_reversed_payment_keeps_its_credit_until_the_deadline() -> None:
    last_day_in_time = date(2026, 3, 31)
    due_on = last_day_in_time - timedelta(days=business.UNPAID_DAYS)
    reversed_payment = a_payment(due_on=due_on, reversed_on=date(2026, 2, 20))

    assert month_of(reversed_payment, month=MARCH)[0] == ()
    assert earned(reversed_payment, month=date(2026, 4, 1)) == (-200, Reason.UNPAID)


def test_an_unpaid_payment_shows_its_reason_once() -> None:
    unpaid = a_payment(received_on=None)

    assert month_of(unpaid, month=MARCH)[0] == ()
    assert earned(unpaid, month=date(2026, 4, 1)) == (0, Reason.UNPAID)
    assert month_of(unpaid, month=date(2026, 5, 1))[0] == ()


def test_a_late_payment_is_due_again() -> None:
    payments = a_payment("500"), a_payment(reference="P-2", due_on=date(2026, 2, 1), received_on=date(2026, 8, 1))

    assert month_of(*payments, month=date(2026, 8, 1))[0][0].commission == 200


def test_what_is_paid_back_is_deducted_from_the_next_payouts() -> None:
    back = a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal("400"))
    new = a_payment("100", reference="P-2", received_on=date(2026, 4, 2))

    _, (march,) = month_of(back, new, month=MARCH, payouts=[a_payout()])
    _, (april,) = month_of(back, new, month=date(2026, 4, 1), payouts=[a_payout()])

    assert (march.earned, march.payout, march.carried_out, march.carry_reason) == (-80, 0, -80, CarryReason.NEGATIVE)
    assert (april.carried_in, april.payout, april.carried_out) == (-80, 0, -60)


@pytest.mark.parametrize(
    ("payment", "month", "net", "commission_of_month"),
    [
        (a_payment(repaid_on=date(2026, 2, 20), repaid=Decimal(400)), FEBRUARY, 600, 120),
        (a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), FEBRUARY, 1000, 200),
        (a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), MARCH, -400, -80),
        (a_payment(reversed_on=date(2026, 2, 20)), FEBRUARY, 1000, 200),
        (a_payment(reversed_on=date(2026, 2, 20)), date(2026, 4, 1), -1000, -200),
        (a_payment(received_on=None), date(2026, 4, 1), 1000, 0),  # an invoice that nobody has paid
        (a_payment(received_on=date(2026, 4, 15)), date(2026, 4, 1), 1000, 200),
        (a_payment(term_months=0, repaid_on=date(2026, 2, 20), repaid=Decimal(400)), FEBRUARY, 600, 0),
    ],
)
def test_a_line_names_the_net_payment_of_its_month(
    payment: PaymentFacts, month: date, net: int, commission_of_month: int
) -> None:
    (line,), _ = month_of(payment, month=month)

    assert (line.net, line.commission) == (net, commission_of_month)


def test_notice_ends_the_agreement_after_its_days() -> None:
    assert notice_ends(date(2026, 3, 1)) == date(2026, 3, 1) + timedelta(days=business.TERMINATION_NOTICE_DAYS)


def test_the_last_payout_has_no_threshold_and_later_payments_earn_nothing() -> None:
    ended = Agreement(AGREEMENT.approved_on, date(2026, 2, 15))
    first_payment, second_payment = (
        a_payment("50", received_on=date(2026, 2, 14)),
        a_payment("900", reference="P-2", received_on=date(2026, 2, 15)),
    )

    lines, (balance,) = month_of(first_payment, second_payment, agreement=ended)

    assert [(line.commission, line.reason) for line in lines] == [(10, None), (0, Reason.AFTER_END)]
    assert (balance.payout, balance.carry_reason) == (10, None)


def test_nothing_accrues_before_the_approval() -> None:
    assert earned(a_payment(received_on=AGREEMENT.approved_on - DAY), month=date(2026, 1, 1))[1] == Reason.BEFORE_APPROVAL


def test_a_month_that_was_paid_stays_paid() -> None:
    _, (balance,) = month_of(a_payment(), payouts=[a_payout()])

    assert (balance.payout, balance.is_paid, balance.carried_out) == (200, True, 0)


def test_a_payment_entered_after_its_month_was_paid_comes_with_the_next_payout() -> None:
    payments = a_payment(), a_payment("50", reference="P-2")

    _, (march,) = month_of(*payments, month=MARCH, payouts=[a_payout()])

    assert (march.carried_in, march.payout) == (10, 10)


def test_what_is_entered_after_a_month_was_paid_is_a_further_payout_of_it() -> None:
    payments = a_payment(), a_payment(reference="P-2", received_on=date(2026, 2, 28))

    _, (entered,) = month_of(*payments, payouts=[a_payout()])
    _, (paid,) = month_of(*payments, payouts=[a_payout(), a_payout()])

    assert (entered.payout, entered.is_paid, entered.carried_out) == (200, True, 200)
    assert (entered.due, entered.pay_by) == (200, date(2026, 3, 30))
    assert (paid.payout, paid.due, paid.carried_out) == (400, 0, 0)


def test_a_payout_that_came_back_is_due_again() -> None:
    back = a_payout("-200")

    _, (february,) = month_of(a_payment(), payouts=[a_payout(), back])
    _, (march,) = month_of(a_payment(), month=MARCH, payouts=[a_payout(), back])
    _, (paid_again,) = month_of(a_payment(), payouts=[a_payout(), back, a_payout()])

    assert (february.payout, february.returned, february.returnable) == (0, 200, 0)
    assert (february.due, february.pay_by) == (200, date(2026, 3, 12))
    assert (march.carried_in, march.payout) == (200, 200)
    assert (paid_again.payout, paid_again.due, paid_again.carried_out) == (200, 0, 0)


def test_a_payout_that_came_back_after_a_later_one_is_due_with_that() -> None:
    payments = a_payment(), a_payment(reference="P-2", received_on=date(2026, 3, 10))
    payouts = [a_payout(), a_payout("-200"), a_payout(month=MARCH)]

    _, (february,) = month_of(*payments, payouts=payouts)
    _, (march,) = month_of(*payments, month=MARCH, payouts=payouts)

    assert (february.due, march.due) == (0, 200)


@pytest.mark.parametrize(("net_of_april", "due"), [("0.01", 120), ("100", 140)])
def test_a_payout_that_came_back_is_due_less_what_was_refunded_since(net_of_april: str, due: int) -> None:
    refunded = a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400))
    april = a_payment(net_of_april, reference="P-2", received_on=date(2026, 4, 2))

    _, (february,) = month_of(refunded, april, payouts=[a_payout(), a_payout("-200")])

    assert (february.due, february.carried_out) == (due, 200)


def test_what_is_earned_after_a_refund_was_deducted_is_due_within_its_own_days() -> None:
    refunded = a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400))
    march = a_payment("500", reference="P-2", received_on=date(2026, 3, 9))

    _, (february,) = month_of(refunded, march, payouts=[a_payout("120")])

    assert (february.due, february.pay_by) == (80, date(2026, 4, 8))


def test_what_a_partner_repaid_is_not_deducted_again() -> None:
    payments = (
        a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(1000)),
        a_payment("500", reference="P-2", received_on=date(2026, 4, 2)),
    )
    payouts = [a_payout()]

    _, (owing,) = month_of(*payments, month=MARCH, payouts=payouts)
    _, (april,) = month_of(*payments, month=date(2026, 4, 1), payouts=[*payouts, a_payout("-200", month=MARCH)])

    assert (owing.returnable, owing.repayable) == (0, 200)
    assert (april.carried_in, april.payout) == (0, 100)


@pytest.mark.parametrize(
    ("changes", "agreement", "payouts"),
    [
        ({}, AGREEMENT, [a_payout()]),
        ({"repaid_on": date(2026, 2, 20), "repaid": Decimal(400)}, AGREEMENT, [a_payout()]),
        ({"net": Decimal(2000)}, AGREEMENT, [a_payout(), a_payout(month=MARCH)]),
        ({"net": Decimal(2000)}, Agreement(AGREEMENT.approved_on, date(2026, 3, 15), is_forfeited=True), [a_payout()]),
        ({"currency": "HUF", "net": Decimal(1002)}, AGREEMENT, [a_payout(currency="HUF")]),
    ],
)
def test_a_paid_month_has_no_further_payout_of_what_is_paid_later_refunded_forfeited_or_a_fraction(
    changes: dict[str, Any], agreement: Agreement, payouts: list[PartnerPayout]
) -> None:
    _, (balance,) = month_of(a_payment(**changes), agreement=agreement, payouts=payouts)

    assert (balance.is_paid, balance.due) == (True, 0)


def test_a_month_before_one_that_was_paid_is_not_due_again() -> None:
    _, (balance,) = month_of(a_payment(), payouts=[a_payout(month=MARCH)])

    assert (balance.payout, balance.is_paid, balance.carry_reason) == (0, False, CarryReason.PAID_LATER)


def test_a_month_of_refunds_before_one_that_was_paid_is_carried_over() -> None:
    payments = (
        a_payment("300", repaid_on=date(2026, 3, 2), repaid=Decimal(300)),
        a_payment(reference="P-2", received_on=date(2026, 4, 2)),
    )
    payouts = [a_payout("60"), a_payout("140", date(2026, 4, 1))]

    _, (march,) = month_of(*payments, month=MARCH, payouts=payouts)

    assert (march.payout, march.carried_out, march.carry_reason) == (0, -60, CarryReason.NEGATIVE)


BREACH = Agreement(AGREEMENT.approved_on, date(2026, 3, 15), is_forfeited=True)


def test_a_breach_forfeits_what_was_not_paid_out() -> None:
    payments = a_payment(), a_payment("500", reference="P-2", received_on=date(2026, 3, 14))

    _, (february,) = month_of(*payments, agreement=BREACH)
    _, (march,) = month_of(*payments, month=MARCH, agreement=BREACH)
    _, (april,) = month_of(*payments, month=date(2026, 4, 1), agreement=BREACH)

    assert (february.payout, february.carried_out, february.carry_reason) == (0, 200, CarryReason.FORFEITED)
    assert (march.carried_in, march.earned, march.payout, march.forfeited, march.carried_out) == (200, 100, 0, 300, 0)
    assert (april.carried_in, april.payout, april.forfeited, april.carried_out) == (0, 0, 0, 0)


def test_a_breach_takes_back_nothing_that_was_paid_out() -> None:
    _, (march,) = month_of(a_payment(), month=MARCH, agreement=BREACH, payouts=[a_payout()])

    assert (march.carried_in, march.forfeited, march.carried_out) == (0, 0, 0)


def test_a_refund_after_a_breach_is_owed_only_if_its_commission_was_paid_out() -> None:
    back = a_payment(repaid_on=date(2026, 4, 2), repaid=Decimal(1000))

    _, (unpaid,) = month_of(back, month=date(2026, 4, 1), agreement=BREACH)
    _, (was_paid,) = month_of(back, month=date(2026, 4, 1), agreement=BREACH, payouts=[a_payout()])

    assert (unpaid.earned, unpaid.forfeited, unpaid.carried_out) == (-200, -200, 0)
    assert (was_paid.earned, was_paid.forfeited, was_paid.carried_out) == (-200, 0, -200)
