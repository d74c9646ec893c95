"""The commission of a partner by the affiliate terms, as pure functions with exact decimals.

Each rule belongs to a sentence of locales/en/legals/affiliate-program-terms-conditions.md; each figure comes from core/business.py.
"""

from calendar import monthrange
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import cached_property

from babel.numbers import get_currency_precision

from site_app.core import business
from site_app.provider.affiliates.paypal import payable

POUNDS = "GBP"
_MONTHS_A_YEAR = 12
_NOTHING = Decimal(0)
_DAY = timedelta(days=1)


class Billing(StrEnum):
    """The billing of a payment. A hybrid contract has payments of both kinds."""

    MONTHLY = "monthly"
    MILESTONE = "milestone"


class Reason(StrEnum):
    """Why a payment earns no commission, or only a part of it."""

    NOT_RECEIVED = "not_received"
    UNPAID = "unpaid"  # UNPAID_DAYS after the due date
    DECLINED = "declined"
    PRIOR_CONTACT = "prior_contact"
    EARLIER_CUSTOMER = "earlier_customer"  # signed a contract before its first submission
    LATE_CUSTOMER = "late_customer"
    SHORT_SUBSCRIPTION = "short_subscription"
    AFTER_FIRST_YEARS = "after_first_years"
    BEFORE_APPROVAL = "before_approval"
    AFTER_END = "after_end"
    REPAID = "repaid"


class CarryReason(StrEnum):
    """Why a balance is carried over instead of paid."""

    BELOW_THRESHOLD = "below_threshold"
    NO_RATE = "no_rate"  # for comparing the first payout in a foreign currency with the threshold in pounds
    NEGATIVE = "negative"  # refunds exceed what was earned
    PAID_LATER = "paid_later"  # a later month was paid first and included it
    FORFEITED = "forfeited"  # the agreement ended because of the partner's breach


class Standing(StrEnum):
    """The standing of a referral on a day."""

    OPEN = "open"  # it can still become a customer
    CUSTOMER = "customer"
    EXPIRED = "expired"
    PRIOR_CONTACT = "prior_contact"
    EARLIER_CUSTOMER = "earlier_customer"
    DECLINED = "declined"


@dataclass(frozen=True)
class Agreement:
    """A partner's agreement. It is in force from the day of approval until the day before `ends_on`.

    `is_forfeited` is set if we ended it because of a breach for which the partner loses all commission that is not paid out.
    """

    approved_on: date
    ends_on: date | None = None
    is_forfeited: bool = False

    def owed(self, balance: Decimal, day: date) -> Decimal:
        """Returns what is left of a balance by the end of a day. Forfeiting cancels what we owe the partner, not what the partner owes us."""
        is_gone = self.is_forfeited and self.ends_on is not None and self.ends_on <= day
        return min(balance, _NOTHING) if is_gone else balance


@dataclass(frozen=True)
class ReferralFacts:
    """A customer who first wrote to us under a partner's code.

    `opportunity_on` is the last day before it on which we were in contact about an opportunity. `is_declined` is set by the office, for
    example because the partner referred themselves, or because the customer was ours already.
    """

    reference: str
    first_submission_on: date
    opportunity_on: date | None = None
    is_declined: bool = False


@dataclass(frozen=True)
class PaymentFacts:
    """A payment of a customer, without VAT and costs that we merely pass on.

    `contract_on` is the day on which the contract was signed, whenever work begins. `term_months` is the contract's term in whole
    months, or None if it runs until somebody ends it. `reversed_on` is the day on which a bank took the money back: the customer
    owes it again. `repaid` is what we paid back ourselves.
    """

    reference: str
    referral: str
    net: Decimal
    currency: str
    billing: Billing
    due_on: date
    contract_on: date
    term_months: int | None = None
    received_on: date | None = None
    reversed_on: date | None = None
    repaid_on: date | None = None
    repaid: Decimal = _NOTHING


@dataclass(frozen=True)
class PartnerPayout:
    """An amount that a partner has received for a month, whose first day is `month`.

    A negative amount came back to us: a payout that was returned, or commission that the partner repaid.
    """

    month: date
    currency: str
    amount: Decimal


@dataclass(frozen=True)
class CommissionLine:
    """The commission that a payment earned in a month, or lost again: a negative commission is refunded to us.

    `net` is what the month changed about the net payment: what was received less what was returned, or, of an invoice that nobody has
    paid, its amount.
    """

    payment: str
    referral: str
    currency: str
    net: Decimal
    commission: Decimal
    reason: Reason | None
    pay_by: date | None


@dataclass(frozen=True)
class Balance:
    """One currency of a statement: `carried_in` + `earned` = `payout` + `forfeited` + `carried_out`.

    `payout` is in whole units where PayPal takes no others; the rest is carried over. `pay_by` is the last day for what is due soonest,
    also if it was carried in, as it may have been entered after its month was paid. Until it is paid, `payout` is less by what was refunded
    in later months and not earned again: that is part of `carried_out`. `rate` is the one by which a first payout was
    compared with the threshold. `further_payout` is what entries and corrections have added since the month was paid, less the refunds of
    later months: part of `carried_out` until it is paid with this month, or with a later one. `returned` is what came back of the month's
    payouts, and is no longer in `payout`. `payout_count` counts the payouts made for the month, and what came back of them.
    """

    currency: str
    carried_in: Decimal
    earned: Decimal
    payout: Decimal
    is_paid: bool
    pay_by: date | None
    carry_reason: CarryReason | None
    forfeited: Decimal = _NOTHING
    rate: Decimal | None = None
    further_payout: Decimal = _NOTHING
    returned: Decimal = _NOTHING
    payout_count: int = 0

    @property
    def returnable(self) -> Decimal:
        """Returns what was paid with this month and has not come back."""
        return max(self.payout, _NOTHING) if self.is_paid else _NOTHING

    @property
    def repayable(self) -> Decimal:
        """Returns what the partner owes us by the end of the month."""
        return max(-self.carried_out, _NOTHING)

    @property
    def due(self) -> Decimal:
        """Returns what is still to be paid with this month."""
        return self.further_payout if self.is_paid else self.payout

    @property
    def carried_out(self) -> Decimal:
        return self.carried_in + self.earned - self.payout - self.forfeited


@dataclass(frozen=True)
class Statement:
    month: date
    lines: tuple[CommissionLine, ...]
    balances: tuple[Balance, ...]


@dataclass(frozen=True)
class _Earning:
    """The commission that one payment has earned by a day."""

    commission: Decimal
    reason: Reason | None = None


def statement(
    agreement: Agreement,
    referrals: Collection[ReferralFacts],
    payments: Collection[PaymentFacts],
    month: date,
    *,
    payouts: Sequence[PartnerPayout] = (),
    rates: Mapping[str, Decimal] | None = None,
) -> Statement:
    """Returns a partner's statement of a month: a line for each payment that changed, and a balance for each currency.

    The balance follows from everything known now, so a payment that is entered or corrected after its month was paid changes the next
    payout. `rates` says how many units of a currency one pound was worth on the day of the calculation.
    """
    first = month.replace(day=1)
    last = last_day(month)
    book = _Earnings(agreement, referrals, payments)
    ordered = sorted(payments, key=lambda payment: (payment.received_on or payment.due_on, payment.reference))
    lines = tuple(line for payment in ordered if (line := book.line(payment, first, last)))
    currencies = sorted({payment.currency for payment in payments} | {payout.currency for payout in payouts})
    balances = [
        _balance(
            book,
            currency,
            first,
            lines=[line for line in lines if line.currency == currency],
            payouts=[payout for payout in payouts if payout.currency == currency],
            rates=rates or {},
        )
        for currency in currencies
    ]
    return Statement(first, lines, tuple(balances))


def _balance(
    book: "_Earnings",
    currency: str,
    first: date,
    *,
    lines: Sequence[CommissionLine],
    payouts: Sequence[PartnerPayout],
    rates: Mapping[str, Decimal],
) -> Balance:
    """Returns the balance of one currency in the month that begins on `first`; all lines and payouts are in this currency."""
    agreement = book.agreement
    last = last_day(first)
    has_ended = agreement.ends_on is not None and agreement.ends_on <= last
    earlier = [payout.amount for payout in payouts if payout.month < first]
    recorded = [payout.amount for payout in payouts if payout.month == first]
    carried_in = agreement.owed(book.earned_by(first - _DAY, currency) - sum(earlier, _NOTHING), first - _DAY)
    earned = sum((line.commission for line in lines), _NOTHING)
    paid_before = sum(earlier, _NOTHING)
    # refunds of later months are deducted from the next payout, which is this one while it is unpaid
    latest = book.latest_day(last, currency)
    owed_since = book.earned_by(latest, currency) - paid_before
    due = min(carried_in + earned, owed_since)
    needs_threshold = not earlier and not has_ended
    carry_reason = _carry_reason(due, currency, rates, needs_threshold=needs_threshold)
    is_paid_later = any(payout.month > first for payout in payouts)
    if carried_in + earned > 0 and is_paid_later:
        carry_reason = CarryReason.PAID_LATER
    elif carried_in + earned > 0 and agreement.is_forfeited:
        carry_reason = CarryReason.FORFEITED
    payout = sum(recorded, _NOTHING) if recorded else _NOTHING if carry_reason else payable(due, currency)
    pay_days = [line.pay_by for line in lines]
    threshold = _NOTHING if earlier else _threshold(currency, rates if needs_threshold else {})
    if payout and threshold is not None:
        pay_days.append(book.oldest_pay_by(last, currency, paid=paid_before, threshold=threshold))
    if payout and has_ended and not earlier:
        pay_days.append(book.end_pay_by(last, currency))
    still_owed = agreement.owed(book.earned_by(last, currency) - paid_before - payout, last)
    further_payout = _NOTHING
    if recorded and still_owed > 0 and not is_paid_later and not agreement.is_forfeited:
        further_payout = max(payable(min(still_owed, owed_since - payout), currency), _NOTHING)
    if further_payout:  # of which a part may be earned in later months, in the place of a refund
        pay_days = [book.oldest_pay_by(latest, currency, paid=paid_before + payout, threshold=_NOTHING)]
    return Balance(
        currency=currency,
        carried_in=carried_in,
        earned=earned,
        payout=payout,
        is_paid=bool(recorded),
        pay_by=min(filter(None, pay_days), default=None) if payout > 0 or further_payout else None,
        carry_reason=None if recorded else carry_reason,
        forfeited=carried_in + earned - payout - still_owed,
        rate=rates.get(currency) if needs_threshold and payout and not recorded and currency != POUNDS else None,
        further_payout=further_payout,
        returned=-sum(filter(lambda amount: amount < 0, recorded), _NOTHING),
        payout_count=len(recorded),
    )


def commission(net: Decimal, currency: str, received_on: date) -> Decimal:
    """Returns the commission on a net amount received on a day, rounded half up to the currency's smallest unit."""
    smallest_unit = Decimal(1).scaleb(-get_currency_precision(currency))
    return (net * business.commission_rate(received_on)).quantize(smallest_unit, ROUND_HALF_UP)


def standing(
    referral: ReferralFacts, payments: Collection[PaymentFacts], today: date, *, ends_on: date | None = None
) -> Standing:
    """Returns where a referral stands on a day, under an agreement that ends on `ends_on`."""
    since = _customers_since(payments).get(referral.reference)
    if problem := _referral_problem(referral, since, _first_contracts(payments).get(referral.reference)):
        return _STANDINGS[problem]
    if since and since <= today:
        return Standing.CUSTOMER
    return Standing.OPEN if today <= last_chance(referral, ends_on) else Standing.EXPIRED


def last_chance(referral: ReferralFacts, ends_on: date | None) -> date:
    """Returns the last day on which a referral can become a customer that earns commission: nothing accrues after the agreement."""
    window = window_ends(referral.first_submission_on)
    return min(window, ends_on - _DAY) if ends_on else window


def window_ends(first_submission_on: date) -> date:
    """Returns the last day on which a referral can become a customer."""
    return add_months(first_submission_on, business.CONVERSION_MONTHS)


def notice_ends(notice_on: date) -> date:
    """Returns the day on which an agreement ends after notice was given."""
    return notice_on + timedelta(days=business.TERMINATION_NOTICE_DAYS)


def add_months(day: date, months: int) -> date:
    """Returns the same day of a later month, or that month's last day if it is shorter."""
    years, month = divmod(day.month - 1 + months, _MONTHS_A_YEAR)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _anniversary(day: date, months: int) -> date:
    """Returns the day after so many whole months that begin on a day: 1 March after a year from 29 February."""
    same_day = add_months(day, months)
    return same_day if same_day.day == day.day else same_day + _DAY


def last_day(month: date) -> date:
    return month.replace(day=monthrange(month.year, month.month)[1])


def _customers_since(payments: Collection[PaymentFacts]) -> Mapping[str, date]:
    """Returns since when each referral is a customer: it has signed a contract and made its first payment, even if that is reversed later."""
    since: dict[str, date] = {}
    for payment in payments:
        if payment.received_on:
            day = max(payment.received_on, payment.contract_on)
            since[payment.referral] = min(day, since.get(payment.referral, day))
    return since


def _first_contracts(payments: Collection[PaymentFacts]) -> Mapping[str, date]:
    """Returns the day of the oldest contract under which each referral has paid."""
    days: dict[str, date] = {}
    for payment in payments:
        if payment.received_on:
            days[payment.referral] = min(payment.contract_on, days.get(payment.referral, payment.contract_on))
    return days


def _referral_problem(referral: ReferralFacts, customer_since: date | None, first_contract: date | None) -> Reason | None:
    """Returns why no payment of this referral earns commission, or None.

    Nobody is brought to us by a link who signed before, even if the first payment comes later.
    """
    submitted_on = referral.first_submission_on
    if referral.is_declined:
        return Reason.DECLINED
    earliest = submitted_on - timedelta(days=business.PRIOR_OPPORTUNITY_DAYS)
    if referral.opportunity_on and earliest <= referral.opportunity_on:
        return Reason.PRIOR_CONTACT
    if first_contract and first_contract < submitted_on:
        return Reason.EARLIER_CUSTOMER
    return Reason.LATE_CUSTOMER if customer_since and customer_since > window_ends(submitted_on) else None


_STANDINGS = {
    Reason.DECLINED: Standing.DECLINED,
    Reason.PRIOR_CONTACT: Standing.PRIOR_CONTACT,
    Reason.EARLIER_CUSTOMER: Standing.EARLIER_CUSTOMER,
    Reason.LATE_CUSTOMER: Standing.EXPIRED,
}


def _carry_reason(amount: Decimal, currency: str, rates: Mapping[str, Decimal], *, needs_threshold: bool) -> CarryReason | None:
    if amount <= 0:
        return CarryReason.NEGATIVE if amount else None
    if not needs_threshold:
        return None
    threshold = _threshold(currency, rates)
    if threshold is None:
        return CarryReason.NO_RATE
    return None if amount >= threshold else CarryReason.BELOW_THRESHOLD


def _threshold(currency: str, rates: Mapping[str, Decimal]) -> Decimal | None:
    """Returns what must have accrued in a currency for its first payout, or None without a rate."""
    rate = Decimal(1) if currency == POUNDS else rates.get(currency)
    return None if rate is None else business.PAYOUT_THRESHOLD_POUNDS * rate


def _is_overdue(payment: PaymentFacts, day: date) -> bool:
    return day > payment.due_on + timedelta(days=business.UNPAID_DAYS)


def _is_lost(payment: PaymentFacts, day: date) -> bool:
    """Returns True if a bank took the payment back and the customer has not paid again in time."""
    return payment.reversed_on is not None and payment.reversed_on <= day and _is_overdue(payment, day)


def _net_on(payment: PaymentFacts, day: date) -> Decimal:
    """Returns what we have of a payment by the end of a day, as the terms define a net payment: less what was returned."""
    if payment.received_on is None or payment.received_on > day or _is_lost(payment, day):
        return _NOTHING
    return payment.net - payment.repaid if payment.repaid_on and payment.repaid_on <= day else payment.net


@dataclass(frozen=True)
class _Earnings:
    """A partner's agreement, referrals and payments; answers what each payment has earned by a day."""

    agreement: Agreement
    referrals: Collection[ReferralFacts]
    payments: Collection[PaymentFacts]

    @cached_property
    def by_reference(self) -> Mapping[str, ReferralFacts]:
        return {referral.reference: referral for referral in self.referrals}

    @cached_property
    def customer_since(self) -> Mapping[str, date]:
        return _customers_since(self.payments)

    @cached_property
    def first_contracts(self) -> Mapping[str, date]:
        return _first_contracts(self.payments)

    def earned_by(self, day: date, currency: str) -> Decimal:
        return sum(
            (self.earning_on(payment, day).commission for payment in self.payments if payment.currency == currency), _NOTHING
        )

    def latest_day(self, day: date, currency: str) -> date:
        """Returns the last day on which money of the currency was received or returned, but no earlier day than this one."""
        days = (
            moved_on
            for payment in self.payments
            if payment.currency == currency
            for moved_on in (payment.received_on, payment.reversed_on, payment.repaid_on)
            if moved_on
        )
        return max([day, *days])

    def oldest_pay_by(self, day: date, currency: str, *, paid: Decimal, threshold: Decimal) -> date | None:
        """Returns the last day for paying the oldest commission that is not covered by payouts, or None below the threshold.

        Payouts cover the money that was received first. A rest that PayPal cannot pay is due with the payment that makes it a whole
        unit, and what accrued before the threshold is due when that is reached.
        """
        earnings = [
            (payment.received_on, self.earning_on(payment, day).commission)
            for payment in self.payments
            if payment.currency == currency and payment.received_on
        ]
        total = _NOTHING
        for received_on, amount in sorted(earnings):
            total += amount
            if payable(total - paid, currency) > 0 and total >= threshold:
                return received_on + timedelta(days=business.PAYOUT_DAYS)
        return None

    def end_pay_by(self, day: date, currency: str) -> date | None:
        """Returns the last day for paying what only the agreement's end makes due, because it is below the threshold.

        That is the usual day of the oldest commission, or, if it had passed by then, the last day of the month of the end. Rates change
        nothing about it: the office has them, and the partner's page has none.
        """
        usual = self.oldest_pay_by(day, currency, paid=_NOTHING, threshold=_NOTHING)
        ends_on = self.agreement.ends_on
        return last_day(ends_on) if usual and ends_on and usual < ends_on else usual

    def line(self, payment: PaymentFacts, first: date, last: date) -> CommissionLine | None:
        """Returns what changed between these days about a payment, or None."""
        old_earning = self.earning_on(payment, first - _DAY)
        new_earning = self.earning_on(payment, last)
        is_new = payment.received_on is not None and first <= payment.received_on <= last
        if old_earning == new_earning and not is_new:
            return None
        gained = new_earning.commission - old_earning.commission
        pay_by = payment.received_on + timedelta(days=business.PAYOUT_DAYS) if payment.received_on and gained > 0 else None
        is_received = payment.received_on is not None and payment.received_on <= last
        net = _net_on(payment, last) - _net_on(payment, first - _DAY) if is_received else payment.net
        return CommissionLine(payment.reference, payment.referral, payment.currency, net, gained, new_earning.reason, pay_by)

    def earning_on(self, payment: PaymentFacts, day: date) -> _Earning:
        """Returns what the payment has earned by the end of a day."""
        if payment.received_on is None or payment.received_on > day:
            return _Earning(_NOTHING, Reason.UNPAID if _is_overdue(payment, day) else Reason.NOT_RECEIVED)
        if reason := self._ineligible(payment, payment.received_on):
            return _Earning(_NOTHING, reason)
        if _is_lost(payment, day):
            return _Earning(_NOTHING, Reason.UNPAID)
        earned = commission(_net_on(payment, day), payment.currency, payment.received_on)
        return _Earning(earned, Reason.REPAID if payment.repaid_on and payment.repaid_on <= day else None)

    def _ineligible(self, payment: PaymentFacts, received_on: date) -> Reason | None:
        referral = self.by_reference.get(payment.referral)
        if referral is None:
            return Reason.DECLINED
        customer_since = self.customer_since.get(payment.referral)
        if problem := _referral_problem(referral, customer_since, self.first_contracts.get(payment.referral)):
            return problem
        term = payment.term_months
        if payment.billing is Billing.MONTHLY and term is not None and term < business.MINIMUM_SUBSCRIPTION_MONTHS:
            return Reason.SHORT_SUBSCRIPTION
        limit = _MONTHS_A_YEAR * business.COMMISSION_YEARS
        if term is not None and term > limit and payment.due_on >= _anniversary(payment.contract_on, limit):
            return Reason.AFTER_FIRST_YEARS
        if received_on < self.agreement.approved_on:
            return Reason.BEFORE_APPROVAL
        if self.agreement.ends_on and received_on >= self.agreement.ends_on:
            return Reason.AFTER_END
        return None
