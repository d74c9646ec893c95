"""Formats prices and durations; the price calculator, with its estimate from business.py."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from babel import Locale
from babel.numbers import format_currency

from components.records import CalculatorWords
from site_app.content.records import get_quote
from site_app.core import business
from site_app.core.i18n import current, t

Range = tuple[int, int]


def pounds(amount: Decimal | int) -> str:
    """Formats the amount, without pence if there are none."""
    pattern = "¤#,##0" if amount == int(amount) else "¤#,##0.00"
    return format_currency(amount, "GBP", pattern, Locale.parse(current().babel), currency_digits=False)


def months(span: Range) -> str:
    least, greatest = span
    return t("{least} to {most} months", least=least, most=greatest)


def weeks(span: Range) -> str:
    least, greatest = span
    return t("{least} to {most} weeks", least=least, most=greatest)


def months_or_more(least: int) -> str:
    return t("{least} months or more", least=least)


@dataclass(frozen=True)
class Work:
    """A kind of work to estimate: its name, and the months that it takes."""

    slug: str
    name: Callable[[], str]
    months: Range


@dataclass(frozen=True)
class Estimate:
    """A price in pounds without VAT, and the months that the work takes."""

    price: Range
    months: Range


WORKS = (
    Work("web_app", lambda: t("A first web app, with accounts"), business.WEB_APP_MONTHS),
    Work("mobile_app", lambda: t("A first mobile app"), business.MOBILE_APP_MONTHS),
    Work("ai_product", lambda: t("A product with AI, after its trial"), business.AI_PRODUCT_MONTHS),
    Work("smart_contract", lambda: t("A smart contract"), business.SMART_CONTRACT_MONTHS),
    Work("ledger", lambda: t("A private ledger"), business.LEDGER_MONTHS),
)
WORK_BY_SLUG = {work.slug: work for work in WORKS}
MAX_PEOPLE = 4


def price_of_months(months: int, people: int = 1) -> int:
    """Returns what full-time people cost for so many months, in pounds without VAT."""
    return months * people * business.WORKING_DAYS_A_MONTH * business.DAY_RATE_POUNDS


def price_of_weeks(weeks: int) -> int:
    """Returns what one full-time person costs for so many weeks, in pounds without VAT."""
    return price_of_months(weeks) // business.WEEKS_A_MONTH


def estimate(work: Work, people: int) -> Estimate:
    """Returns the estimate for `people` who work full time; the price is at least that of the smallest project."""
    low, high = (max(price_of_months(months, people), business.PROJECT_POUNDS) for months in work.months)
    return Estimate((low, high), work.months)


def calculator_words() -> CalculatorWords:
    return CalculatorWords(
        heading=t("What would it cost?"),
        intro=t(
            "Months × people × {days} days × {rate}. More people get you more features in the same months, not the same features sooner.",
            days=business.WORKING_DAYS_A_MONTH,
            rate=pounds(business.DAY_RATE_POUNDS),
        ),
        work=t("What should we build?"),
        works=[(work.slug, work.name()) for work in WORKS],
        people=t("Full-time people (two half-time count as one)"),
        price=t("Price, excluding VAT"),
        months=t("Months"),
        note=t("An estimate at our lowest day rate, not an offer."),
        quote=get_quote(),
    )
