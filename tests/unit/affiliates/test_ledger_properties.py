"""Promises of the ledger for any agreement, referrals and payments."""

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from site_app.core import business
from site_app.provider.affiliates.ledger import (
    Agreement,
    Balance,
    Billing,
    PartnerPayout,
    PaymentFacts,
    Reason,
    ReferralFacts,
    add_months,
    commission,
    last_day,
    statement,
    window_ends,
)

FIRST, MONTHS = date(2026, 1, 1), [add_months(date(2026, 1, 1), number) for number in range(30)]
RATES = {"USD": Decimal("1.27"), "JPY": Decimal("190.5")}
days = st.dates(FIRST, date(2027, 12, 31))
agreements = st.builds(
    Agreement,
    st.dates(FIRST, date(2026, 3, 1)),
    st.none() | st.dates(date(2026, 3, 2), date(2027, 12, 31)),
    st.booleans(),
)
referrals = st.lists(
    st.builds(
        ReferralFacts,
        st.sampled_from("ABC"),
        st.dates(FIRST, date(2026, 6, 1)),
        st.none() | st.dates(date(2025, 6, 1), date(2026, 6, 1)),
        st.booleans(),
    ),
    unique_by=lambda referral: referral.reference,
)


@st.composite
def payments(draw: st.DrawFn) -> list[PaymentFacts]:
    payments = []
    for number in range(draw(st.integers(0, 8))):
        net = Decimal(draw(st.integers(1, 5_000_000))) / 100
        received_on = draw(st.none() | days)
        dates_after = st.none() | st.dates(received_on, date(2028, 1, 1)) if received_on else st.none()
        repaid_on = draw(dates_after)
        payment = PaymentFacts(
            reference=f"P-{number}",
            referral=draw(st.sampled_from("ABC")),
            net=net,
            currency=draw(st.sampled_from(["GBP", "USD", "JPY"])),
            billing=draw(st.sampled_from(Billing)),
            due_on=draw(days),
            contract_on=draw(days),
            term_months=draw(st.none() | st.integers(0, 36)),
            received_on=received_on,
            reversed_on=draw(dates_after),
            repaid_on=repaid_on,
            repaid=net * draw(st.integers(1, 4)) / 4 if repaid_on else Decimal(0),
        )
        payments.append(payment)
    return payments


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments())
def test_every_penny_is_paid_once_or_carried_or_forfeited(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts]
) -> None:
    payouts: list[PartnerPayout] = []
    carried: dict[str, Decimal] = defaultdict(Decimal)
    earned: dict[str, Decimal] = defaultdict(Decimal)
    forfeited: dict[str, Decimal] = defaultdict(Decimal)
    for month in MONTHS:
        result = statement(agreement, referred, paid, month, payouts=payouts, rates=RATES)
        for balance in result.balances:
            assert balance.carried_in == carried[balance.currency]
            assert balance.payout >= 0
            carried[balance.currency] = balance.carried_out
            earned[balance.currency] += balance.earned
            forfeited[balance.currency] += balance.forfeited
            has_ended = agreement.ends_on is not None and agreement.ends_on <= last_day(month)
            if agreement.is_forfeited and has_ended:
                assert balance.payout == 0 >= balance.carried_out
            else:
                assert balance.forfeited == 0
            if balance.payout:
                payouts.append(PartnerPayout(month, balance.currency, balance.payout))
        second_statement = statement(agreement, referred, paid, month, payouts=payouts, rates=RATES)
        assert [balance.carried_out for balance in second_statement.balances] == [
            balance.carried_out for balance in result.balances
        ]

    for currency in carried:
        paid_out = sum(payout.amount for payout in payouts if payout.currency == currency)
        assert paid_out == earned[currency] - forfeited[currency] - carried[currency]
        assert forfeited[currency] >= 0


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.data())
def test_what_came_back_is_paid_again_unless_the_partner_owes_it(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], data: st.DataObject
) -> None:
    def balances(month: date) -> dict[str, Balance]:
        result = statement(agreement, referred, paid, month, payouts=payouts, rates=RATES)
        return {balance.currency: balance for balance in result.balances}

    def pay_all() -> None:
        for month in MONTHS:
            payouts.extend(PartnerPayout(month, name, balance.due) for name, balance in balances(month).items() if balance.due)

    payouts: list[PartnerPayout] = []
    pay_all()
    before = balances(MONTHS[-1])
    payouts += [replace(payout, amount=-payout.amount) for payout in payouts if data.draw(st.booleans())]
    pay_all()

    for currency, balance in balances(MONTHS[-1]).items():
        assert before[currency].carried_out <= balance.carried_out <= max(before[currency].carried_out, Decimal(0))


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.sampled_from(MONTHS))
def test_the_order_of_entry_changes_nothing(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], month: date
) -> None:
    assert statement(agreement, referred, paid, month) == statement(agreement, referred[::-1], paid[::-1], month)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.integers(0, 5))
def test_a_month_that_was_paid_can_be_paid_to_the_end_after_late_entries(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], entered_in_time: int
) -> None:
    payouts: list[PartnerPayout] = []
    for month in MONTHS:
        balances = statement(agreement, referred, paid[:entered_in_time], month, payouts=payouts, rates=RATES).balances
        payouts += [PartnerPayout(month, balance.currency, balance.due) for balance in balances if balance.due]

    for month in MONTHS:
        for balance in statement(agreement, referred, paid, month, payouts=payouts, rates=RATES).balances:
            if not balance.is_paid or not balance.due:
                continue
            assert 0 < balance.due <= balance.carried_out
            assert balance.pay_by
            further = PartnerPayout(month, balance.currency, balance.due)
            after = statement(agreement, referred, paid, month, payouts=[*payouts, further], rates=RATES).balances
            [since] = [since for since in after if since.currency == balance.currency]
            assert (since.due, since.payout) == (0, balance.payout + balance.due)
            assert since.carried_out == balance.carried_out - balance.due


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments())
def test_a_payment_never_earns_more_than_its_share(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts]
) -> None:
    lines = [line for month in MONTHS for line in statement(agreement, referred, paid, month).lines]

    for payment in paid:
        share = sum(line.commission for line in lines if line.payment == payment.reference)
        assert 0 <= share <= commission(payment.net, payment.currency, FIRST)
        assert abs(commission(payment.net, payment.currency, FIRST) - payment.net * business.COMMISSION) <= Decimal("0.5")


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.sampled_from(MONTHS))
def test_the_lines_add_up_to_what_was_earned(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], month: date
) -> None:
    result = statement(agreement, referred, paid, month)

    for balance in result.balances:
        assert balance.earned == sum(line.commission for line in result.lines if line.currency == balance.currency)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.sampled_from(MONTHS))
def test_commission_is_given_only_where_every_sentence_allows_it(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], month: date
) -> None:
    by_payment, by_referral = (
        {payment.reference: payment for payment in paid},
        {referral.reference: referral for referral in referred},
    )

    for line in statement(agreement, referred, paid, month).lines:
        if line.commission <= 0:
            continue
        payment, referral = by_payment[line.payment], by_referral[line.referral]
        assert payment.received_on
        assert month <= payment.received_on <= last_day(month)
        assert agreement.approved_on <= payment.received_on < (agreement.ends_on or date.max)
        assert not referral.is_declined
        last_contact = referral.opportunity_on or date.min
        assert last_contact < referral.first_submission_on - timedelta(days=business.PRIOR_OPPORTUNITY_DAYS)
        customer_since = min(
            max(referral_payment.received_on, referral_payment.contract_on)
            for referral_payment in paid
            if referral_payment.referral == payment.referral and referral_payment.received_on
        )
        assert customer_since <= window_ends(referral.first_submission_on)
        assert all(
            referral.first_submission_on <= referral_payment.contract_on
            for referral_payment in paid
            if referral_payment.referral == payment.referral and referral_payment.received_on
        )
        assert payment.billing is Billing.MILESTONE or payment.term_months != 0
        if (payment.term_months or 0) > 12:
            assert payment.due_on < add_months(payment.contract_on, 12)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments())
def test_a_first_payout_reaches_the_threshold_unless_the_agreement_has_ended(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts]
) -> None:
    payouts: list[PartnerPayout] = []
    for month in MONTHS:
        result = statement(agreement, referred, paid, month, payouts=payouts, rates=RATES)
        for balance in (balance for balance in result.balances if balance.payout):
            is_first = all(payout.currency != balance.currency for payout in payouts)
            if is_first and (agreement.ends_on or date.max) > last_day(month):
                assert balance.payout >= business.PAYOUT_THRESHOLD_POUNDS * RATES.get(balance.currency, Decimal(1))
            payouts.append(PartnerPayout(month, balance.currency, balance.payout))


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.sampled_from(MONTHS))
def test_a_payment_that_is_overdue_for_long_has_earned_nothing(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], month: date
) -> None:
    months = [earlier for earlier in MONTHS if earlier <= month]
    lines = [line for earlier in months for line in statement(agreement, referred, paid, earlier).lines]

    for payment in paid:
        is_unpaid = not payment.received_on or payment.received_on > last_day(month)
        is_reversed = payment.reversed_on is not None and payment.reversed_on <= last_day(month)
        is_overdue = last_day(month) > payment.due_on + timedelta(days=business.UNPAID_DAYS)
        if is_unpaid or (is_reversed and is_overdue):
            assert sum(line.commission for line in lines if line.payment == payment.reference) == 0


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments(), st.sampled_from(MONTHS))
def test_another_currency_changes_no_balance(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts], month: date
) -> None:
    """A customer's payments in all currencies decide when it became a customer, so those in others stay with another referral."""
    by_currency = [replace(payment, referral="A" if payment.currency == "GBP" else "B") for payment in paid]

    every = statement(agreement, referred, by_currency, month)
    alone = statement(agreement, referred, [payment for payment in by_currency if payment.currency == "GBP"], month)

    assert [balance for balance in every.balances if balance.currency == "GBP"] == list(alone.balances)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(agreements, referrals, payments())
def test_every_line_without_commission_gives_a_reason(
    agreement: Agreement, referred: list[ReferralFacts], paid: list[PaymentFacts]
) -> None:
    for month in MONTHS:
        for line in statement(agreement, referred, paid, month).lines:
            assert line.commission > 0 or line.reason or line.commission == commission(line.net, line.currency, FIRST)
            assert line.reason in (None, *Reason)
