"""Statements worked out by hand from the sentences of the affiliate terms, under the headings of the terms.

Unless a case says otherwise: approved on 5 January 2026, first submission on 20 January, contract and due date 1 February,
received on 10 February, billed monthly without a fixed end.
"""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from site_app.provider.affiliates.ledger import Agreement, Billing, PaymentFacts, Reason, statement
from tests.unit.affiliates.builders import AGREEMENT, APPROVED, FEBRUARY, MARCH, a_payment, a_payout, a_referral

APRIL = date(2026, 4, 1)
DOLLARS = {"USD": Decimal("1.27")}  # so the threshold of a first payout is 127 dollars
SMALL_CURRENCIES = {"JPY": Decimal(190), "KWD": Decimal("0.39")}


def case(
    name: str,
    *payments: PaymentFacts,
    earned: str,
    payout: str,
    carried: str = "0",
    carried_in: str = "0",
    month: date = FEBRUARY,
    currency: str = "GBP",
    forfeited: str = "0",
    **options: Any,
) -> Any:
    figures = tuple(map(Decimal, (carried_in, earned, payout, forfeited, carried)))
    return pytest.param(payments, month, currency, figures, options, id=name.replace(" ", "-"))


def second(net: str, day: date, **changes: Any) -> PaymentFacts:
    return a_payment(net, **{"reference": "P-2", "due_on": day, "received_on": day} | changes)


def on(day: date, net: str = "1000", **changes: Any) -> PaymentFacts:
    return a_payment(net, **{"received_on": day} | changes)


MILESTONE = {"billing": Billing.MILESTONE}
RATE = [
    case("a fifth of the net payment", a_payment("1000"), earned="200", payout="200"),
    case("pence of a fifth", a_payment("1234.55"), earned="246.91", payout="246.91"),
    case("less than half a penny is dropped", a_payment("2500.02"), earned="500.00", payout="500.00"),
    case("more than half a penny counts", a_payment("2500.03"), earned="500.01", payout="500.01"),
    case("half a penny counts", a_payment("2500.125"), earned="500.03", payout="500.03"),
    case("half a yen counts", a_payment("100002.5", currency="JPY"), currency="JPY", earned="20001", payout="20001",
         rates=SMALL_CURRENCIES),
    case("a dinar has three decimals", a_payment("1000.005", currency="KWD"), currency="KWD", earned="200.001", payout="200.001",
         rates=SMALL_CURRENCIES),
    case("each commission is rounded on its own", a_payment("0.13"), second("0.13", date(2026, 2, 3)),
         second("0.13", date(2026, 2, 4), reference="P-3"), earned="0.09", payout="0", carried="0.09"),
    case("no annual cap", a_payment("1000000"), earned="200000", payout="200000"),
    case("due on every payment", a_payment("1000"), second("700", date(2026, 2, 28)), earned="340", payout="340"),
    case("only on money received", a_payment("1000", received_on=None), earned="0", payout="0"),
    case("money of the last day", on(date(2026, 2, 28)), earned="200", payout="200"),
    case("money of the day after", on(date(2026, 3, 1)), earned="0", payout="0"),
    case("the month counts in which it is received", on(date(2026, 3, 1)), month=MARCH, earned="200", payout="200"),
]  # fmt: skip
LEAP_DAY = {"contract_on": date(2028, 2, 29), "term_months": 24}
PROJECTS = [
    case("a milestone", a_payment("15000", **MILESTONE), earned="3000", payout="3000"),
    case("a hybrid project", a_payment("5000", **MILESTONE), second("900", date(2026, 2, 20)), earned="1180", payout="1180"),
    case("the last day of the first year", a_payment(), second("1000", date(2027, 1, 31), term_months=24), month=date(2027, 1, 1),
         earned="200", payout="200", payouts=[a_payout()]),
    case("the first day of the second year", a_payment(), second("1000", date(2027, 2, 1), term_months=24), month=date(2027, 2, 1),
         earned="0", payout="0", payouts=[a_payout()], why=Reason.AFTER_FIRST_YEARS),
    case("the first year's payment that comes in the second", a_payment(),
         second("1000", date(2027, 1, 31), term_months=24, received_on=date(2027, 2, 9)), month=date(2027, 2, 1),
         earned="200", payout="200", payouts=[a_payout()]),
    case("a first year from 29 February ends with 28 February", a_payment(), second("1000", date(2029, 2, 28), **LEAP_DAY),
         month=date(2029, 2, 1), earned="200", payout="200", payouts=[a_payout()]),
    case("a second year from 29 February begins on 1 March", a_payment(), second("1000", date(2029, 3, 1), **LEAP_DAY),
         month=date(2029, 3, 1), earned="0", payout="0", payouts=[a_payout()], why=Reason.AFTER_FIRST_YEARS),
    case("a first year from 1 March ends with 29 February", a_payment(),
         second("1000", date(2028, 2, 29), contract_on=date(2027, 3, 1), term_months=24), month=date(2028, 2, 1), earned="200",
         payout="200", payouts=[a_payout()]),
    case("a year is not more than one year", a_payment(), second("1000", date(2027, 2, 1), term_months=12), month=date(2027, 2, 1),
         earned="200", payout="200", payouts=[a_payout()]),
]  # fmt: skip
REFERRALS = [
    case("a customer on the last day of three months", on(date(2026, 4, 20)), month=APRIL, earned="200", payout="200"),
    case("a customer a day later", on(date(2026, 4, 21)), month=APRIL, earned="0", payout="0", why=Reason.LATE_CUSTOMER),
    case("three months from 30 November end on 28 February", on(date(2027, 2, 28), contract_on=date(2027, 2, 1)), month=date(2027, 2, 1),
         earned="200", payout="200", referral=a_referral(first_submission_on=date(2026, 11, 30))),
    case("and not on 1 March", on(date(2027, 3, 1), contract_on=date(2027, 2, 1)), month=date(2027, 3, 1), earned="0", payout="0",
         referral=a_referral(first_submission_on=date(2026, 11, 30)), why=Reason.LATE_CUSTOMER),
    case("a customer has signed a contract", a_payment(contract_on=date(2026, 4, 21)), earned="0", payout="0",
         why=Reason.LATE_CUSTOMER),
    case("later payments of a customer in time", a_payment(), second("50", date(2026, 9, 1)), month=date(2026, 9, 1), earned="10",
         payout="10", payouts=[a_payout()]),
    case("in talks 90 days before", a_payment(), earned="0", payout="0", referral=a_referral(opportunity_on=date(2025, 10, 22)),
         why=Reason.PRIOR_CONTACT),
    case("in talks 91 days before", a_payment(), earned="200", payout="200",
         referral=a_referral(opportunity_on=date(2025, 10, 21))),
    case("a customer before the first submission", on(date(2026, 1, 19), contract_on=date(2026, 1, 2)),
         second("500", date(2026, 2, 12)), earned="0", payout="0", why=Reason.EARLIER_CUSTOMER),
    case("a contract signed the day before the first submission and paid after it", a_payment(contract_on=date(2026, 1, 19)),
         earned="0", payout="0", why=Reason.EARLIER_CUSTOMER),
    case("a contract signed months before and paid after it", a_payment(contract_on=date(2025, 9, 1)), earned="0", payout="0",
         why=Reason.EARLIER_CUSTOMER),
    case("a customer on the day of the first submission", on(date(2026, 1, 20), contract_on=date(2026, 1, 20)),
         month=date(2026, 1, 1), earned="200", payout="200"),
    case("a subscription of a month", a_payment(term_months=1), earned="200", payout="200"),
    case("a subscription of less", a_payment(term_months=0), earned="0", payout="0", why=Reason.SHORT_SUBSCRIPTION),
    case("a project that is no subscription", a_payment(term_months=0, **MILESTONE), earned="200", payout="200"),
    case("a referral of oneself", a_payment(), earned="0", payout="0", referral=a_referral(is_declined=True), why=Reason.DECLINED),
    case("money from before the approval", on(date(2026, 1, 4)), month=date(2026, 1, 1), earned="0", payout="0",
         why=Reason.BEFORE_APPROVAL),
]  # fmt: skip
PAYOUTS = [
    case("exactly a hundred pounds", a_payment("499.99"), earned="100.00", payout="100.00"),
    case("a penny less", a_payment("499.97"), earned="99.99", payout="0", carried="99.99"),
    case("carried forward until then", a_payment("300"), second("300", date(2026, 3, 3)), month=MARCH, carried_in="60", earned="60",
         payout="120"),
    case("only the first payout has a threshold", a_payment(), second("10", date(2026, 3, 3)), month=MARCH, earned="2", payout="2",
         payouts=[a_payout()]),
    case("a hundred pounds in dollars", a_payment("635", currency="USD"), currency="USD", earned="127", payout="127", rates=DOLLARS),
    case("a cent less in dollars", a_payment("634.97", currency="USD"), currency="USD", earned="126.99", payout="0",
         carried="126.99", rates=DOLLARS),
    case("each currency has a first payout", a_payment(), second("500", date(2026, 3, 3), currency="USD"), month=MARCH,
         currency="USD", earned="100", payout="0", carried="100", rates=DOLLARS, payouts=[a_payout()]),
    case("within 30 days of receiving it", on(date(2026, 2, 10)), earned="200", payout="200", pay_by=date(2026, 3, 12)),
    case("the earliest payment decides", on(date(2026, 2, 28)), second("500", date(2026, 2, 2)), earned="300", payout="300",
         pay_by=date(2026, 3, 4)),
    case("entered after its month was paid", a_payment(), second("5000", date(2026, 2, 11)),
         second("100", date(2026, 3, 25), reference="P-3"), month=MARCH, carried_in="1000", earned="20", payout="1020",
         pay_by=date(2026, 3, 13), payouts=[a_payout()]),
    case("carried in although it was due", a_payment(), second("500", date(2026, 3, 3)), month=MARCH, carried_in="200",
         earned="100", payout="300", pay_by=date(2026, 3, 12)),
    case("below the threshold until a second payment", on(date(2026, 2, 10), "300"), second("300", date(2026, 3, 3)), month=MARCH,
         carried_in="60", earned="60", payout="120", pay_by=date(2026, 4, 2)),
    case("a refund was deducted from what was paid", a_payment(repaid_on=date(2026, 2, 20), repaid=Decimal(500)),
         second("1000", date(2026, 3, 9)), month=MARCH, carried_in="-100", earned="200", payout="100", pay_by=date(2026, 4, 8),
         payouts=[a_payout()]),
]  # fmt: skip
FORINTS = {"HUF": Decimal(450)}
WHOLE_UNITS = [
    case("PayPal takes whole forints, so the rest is carried over", a_payment("617258", currency="HUF"), currency="HUF",
         earned="123451.60", payout="123451", carried="0.60", rates=FORINTS),
    case("rests become a whole forint", a_payment("617258", currency="HUF"), second("2", date(2026, 3, 3), currency="HUF"),
         month=MARCH, currency="HUF", carried_in="0.60", earned="0.40", payout="1", payouts=[a_payout("123451", currency="HUF")]),
    case("less than a forint is not due", a_payment("617258", currency="HUF"), second("1", date(2026, 3, 3), currency="HUF"),
         month=MARCH, currency="HUF", carried_in="0.60", earned="0.20", payout="0", carried="0.80",
         payouts=[a_payout("123451", currency="HUF")]),
    case("Taiwan dollars likewise", a_payment("61723.3", currency="TWD"), currency="TWD", earned="12344.66", payout="12344",
         carried="0.66", rates={"TWD": Decimal(40)}),
]  # fmt: skip
REFUNDS = [
    case("reversed and 60 days late on 31 March", a_payment(due_on=date(2026, 1, 30), reversed_on=date(2026, 2, 20)), month=MARCH,
         earned="0", payout="0", payouts=[a_payout()]),
    case("61 days late on 1 April", a_payment(due_on=date(2026, 1, 30), reversed_on=date(2026, 2, 20)), month=APRIL,
         earned="-200", payout="0", carried="-200", payouts=[a_payout()], why=Reason.UNPAID),
    case("61 days late on 31 March", a_payment(due_on=date(2026, 1, 29), reversed_on=date(2026, 2, 20)), month=MARCH,
         earned="-200", payout="0", carried="-200", payouts=[a_payout()], why=Reason.UNPAID),
    case("paid back in part", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), month=MARCH, earned="-80", payout="0",
         carried="-80", payouts=[a_payout()], why=Reason.REPAID),
    case("paid back in whole", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(1000)), month=MARCH, earned="-200", payout="0",
         carried="-200", payouts=[a_payout()], why=Reason.REPAID),
    case("deducted from the next payout", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)),
         second("700", date(2026, 4, 8)), month=APRIL, carried_in="-80", earned="140", payout="60", payouts=[a_payout()]),
    case("deducted from a payout that is still to be made", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), earned="200",
         payout="120", carried="80"),
    case("so that the next month owes nothing", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), month=MARCH,
         carried_in="80", earned="-80", payout="0", payouts=[a_payout("120")]),
    case("from a first payout that it leaves below the threshold", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(600)),
         earned="200", payout="0", carried="200"),
    case("not if more was earned since", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(400)), second("500", date(2026, 3, 9)),
         earned="200", payout="200"),
    case("also if a bank took back what was overdue", a_payment(due_on=date(2026, 1, 30), reversed_on=date(2026, 4, 2)), earned="200",
         payout="0", carried="200"),
    case("paid back in whole before the payout", a_payment(repaid_on=date(2026, 3, 2), repaid=Decimal(1000)), earned="200",
         payout="0", carried="200"),
    case("due again when it is paid late", a_payment("50"), second("1000", date(2026, 2, 1), received_on=date(2026, 8, 1)),
         month=date(2026, 8, 1), carried_in="10", earned="200", payout="210"),
]  # fmt: skip
NOTICE = Agreement(APPROVED, date(2026, 4, 30))  # notice was given 60 days before, on 1 March
BREACH = Agreement(APPROVED, date(2026, 3, 15), is_forfeited=True)
ENDINGS = [
    case("received before the end and below the threshold", a_payment(), second("50", date(2026, 4, 29)), month=APRIL, earned="10",
         payout="10", agreement=NOTICE, payouts=[a_payout()]),
    case("what was carried is paid at the end", a_payment("50"), month=APRIL, carried_in="10", earned="0", payout="10",
         agreement=NOTICE, pay_by=date(2026, 4, 30)),
    case("and stays due by that day", a_payment("50"), month=date(2026, 5, 1), carried_in="10", earned="0", payout="10",
         agreement=NOTICE, pay_by=date(2026, 4, 30)),
    case("by the same day if more is received in the month of the end", a_payment("50"), second("50", date(2026, 4, 29)),
         month=APRIL, carried_in="10", earned="10", payout="20", agreement=NOTICE, pay_by=date(2026, 4, 30)),
    case("dollars at the end without a rate", a_payment("9000", currency="USD"), month=APRIL, currency="USD", carried_in="1800",
         earned="0", payout="1800", agreement=NOTICE, pay_by=date(2026, 4, 30)),
    case("and with one", a_payment("9000", currency="USD"), month=APRIL, currency="USD", carried_in="1800", earned="0",
         payout="1800", agreement=NOTICE, rates=DOLLARS, pay_by=date(2026, 4, 30)),
    case("what was due before the end keeps its day", a_payment(), month=APRIL, carried_in="200", earned="0", payout="200",
         agreement=NOTICE, pay_by=date(2026, 3, 12)),
    case("money of the last days before the end has its 30 days", on(date(2026, 4, 19), "50"), month=APRIL, earned="10",
         payout="10", agreement=NOTICE, pay_by=date(2026, 5, 19)),
    case("received on the day of the end", a_payment(), second("50", date(2026, 4, 30)), month=APRIL, earned="0", payout="0",
         agreement=NOTICE, payouts=[a_payout()], why=Reason.AFTER_END),
    case("forfeited by a breach", a_payment(), second("500", date(2026, 3, 14)), month=MARCH, carried_in="200", earned="100",
         payout="0", forfeited="300", agreement=BREACH),
    case("paid out before a breach", a_payment(), second("500", date(2026, 3, 14)), month=MARCH, earned="100", payout="0",
         forfeited="100", agreement=BREACH, payouts=[a_payout()]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("payments", "month", "currency", "figures", "options"),
    [*RATE, *PROJECTS, *REFERRALS, *PAYOUTS, *WHOLE_UNITS, *REFUNDS, *ENDINGS],
)
def test_a_statement_matches_the_worked_example_of_the_terms(
    payments: tuple[PaymentFacts, ...], month: date, currency: str, figures: tuple[Decimal, ...], options: dict[str, Any]
) -> None:
    agreement, referral = options.get("agreement", AGREEMENT), options.get("referral", a_referral())
    reason, pay_by = options.get("why"), options.get("pay_by")

    result = statement(agreement, [referral], payments, month, payouts=options.get("payouts", ()), rates=options.get("rates"))

    [balance] = [balance for balance in result.balances if balance.currency == currency]
    assert (balance.carried_in, balance.earned, balance.payout, balance.forfeited, balance.carried_out) == figures
    assert reason is None or [line.reason for line in result.lines] == [reason]
    assert pay_by is None or balance.pay_by == pay_by
