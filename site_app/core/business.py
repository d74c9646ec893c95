"""Every figure the business promises, and the working days that promises count. Texts, mails and bookings read them only from here."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from site_app.core.public_holidays import holidays_of
from site_app.core.settings import Settings, settings

# the affiliate terms
COMMISSION = Decimal("0.20")  # of net monthly payments, or of each milestone payment
# What COMMISSION was, oldest first, each with the day from which the next one applies: commission that has accrued stays as it is.
EARLIER_COMMISSIONS: tuple[tuple[date, Decimal], ...] = ()
PAYOUT_THRESHOLD_POUNDS = 100
PAYOUT_DAYS = 30  # after the customer's payment was received
CONVERSION_MONTHS = 3
MINIMUM_SUBSCRIPTION_MONTHS = 1
PRIOR_OPPORTUNITY_DAYS = 90
COMMISSION_YEARS = 1  # of a multi-year agreement
UNPAID_DAYS = 60  # past the due date, after which the commission is refunded
TERMINATION_NOTICE_DAYS = 60
NON_SOLICITATION_YEARS = 1  # after the term
LIABILITY_MONTHS = 6

# how we work
MAX_FILE_MEGABYTES = 10  # of a file uploaded for a quote request
WEB_APP_MONTHS = (2, 3)  # a small web application
MEDIUM_WEB_APP_MONTHS = (4, 6)
LARGE_WEB_APP_MONTHS = (7, 11)
VERY_LARGE_WEB_APP_MONTHS = 12  # or more
MOBILE_APP_MONTHS = (3, 4)
LARGE_MOBILE_APP_MONTHS = (5, 9)
TAKEOVER_WEEKS = (3, 4)  # until running software is safe to change
SMART_CONTRACT_MONTHS = (2, 3)  # without its external review
LEDGER_MONTHS = (4, 6)
AI_TRIAL_WEEKS = (4, 6)
AI_PRODUCT_MONTHS = (3, 5)
MARKETING_SETUP_WEEKS = (4, 6)
SEARCH_MONTHS = (4, 6)  # until search optimization shows results
BRAND_WEEKS = (6, 8)
BRAND_REFRESH_WEEKS = (3, 4)
WARRANTY_DAYS = 90  # bugs in a fixed-price release are fixed free of charge
MONTHLY_NOTICE_DAYS = 30  # to end a dedicated team
INVOICE_DAYS = 14
REPLY_DAYS = 1  # working days until a message is answered
ACCEPTANCE_DAYS = 10  # working days to test a milestone; without a reported defect it is accepted then
LATE_DAYS = 20  # working days; if a milestone is later, for a reason within our control, the client may end the project
MAILS_A_DAY = 2  # to a mailbox whose owner has not yet answered one

# minimum prices, without VAT
DAY_RATE_POUNDS = 450  # one person, one day
WORKING_DAYS_A_MONTH = 20
WEEKS_A_MONTH = 4
PROJECT_POUNDS = 9_000  # at a fixed price
SMALL_BUDGET_WEEKS = (4, 6)  # what the first of the three budgets takes; the second takes WEB_APP_MONTHS or MOBILE_APP_MONTHS
LARGE_BUDGET_MONTHS = (4, 5)
BUDGETS_POUNDS = (10_000, 30_000, 60_000)  # of the table that says what each buys, and of the bands of case studies
REVIEW_DAYS = 5  # of work in the priced first step

# who we are, when we work, what protects a client
FOUNDED = 2017
TEAM = 9  # people
TEAM_HOURS = (time(7), time(18))  # in the host's time zone, Monday to Friday
CLIENT_HOURS = (time(9), time(18))  # typical office hours, in the client's time zone
INDEMNITY_POUNDS = 2_000_000  # covered by the professional indemnity insurance
ON_CALL_MINUTES = 30  # until the engineer on call responds, with a 24-hour maintenance contract
SAMPLES = ("DAY_RATE_POUNDS", "PROJECT_POUNDS", "FOUNDED", "TEAM", "INDEMNITY_POUNDS")  # invented: remove what is true of you

# the legal texts
POLICIES_EFFECTIVE = date(2024, 8, 14)  # the privacy policy
PRIVACY_REVISED = date(2026, 11, 30)  # its wording
TERMS_EFFECTIVE = date(2026, 11, 29)  # the other three
# The version that affiliates agree to. A new date mails every partner: set one at least TERMINATION_NOTICE_DAYS ahead.
AFFILIATE_TERMS_EFFECTIVE = date(2026, 11, 29)


def commission_percent(day: date | None = None) -> str:
    """Returns the commission on payments received on a day, or today, in per cent without the sign."""
    return f"{(commission_rate(day or _today()) * 100).normalize():f}"


def terms_commission_percent() -> str:
    """Returns the commission that the newest affiliate terms name, which apply from AFFILIATE_TERMS_EFFECTIVE, in per cent."""
    return commission_percent(AFFILIATE_TERMS_EFFECTIVE)


def commission_rate(received_on: date) -> Decimal:
    """Returns the rate of the commission on a payment received on this day."""
    return next((rate for until, rate in EARLIER_COMMISSIONS if received_on < until), COMMISSION)


def commission_on(payment_pounds: int) -> Decimal:
    """Returns an affiliate's commission on a net payment received today."""
    return payment_pounds * commission_rate(_today())


def _today() -> date:
    return settings().local_day(datetime.now(UTC))


def consultation_minutes() -> int:
    """Returns the length of a first call, which is a setting."""
    return settings().booking_length // timedelta(minutes=1)


_SATURDAY = 5  # as date.weekday() counts


def working_day_after(day: date, count: int, settings: Settings) -> date:
    """Returns the day that is so many working days after this one: Monday to Friday except public holidays, as our texts say.

    SITE_BOOKING_DAYS_OFF closes the calendar only.
    """
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < _SATURDAY and day not in holidays_of(settings.booking_holidays, day.year)
    return day
