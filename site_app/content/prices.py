"""Formats prices and durations; the price calculator with its estimate from business.py; the page on what a budget buys."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from babel import Locale
from babel.numbers import format_currency

from components.words import CalculatorWords, Invitation
from site_app.content.records import Article, Part, book_call, get_quote
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
    Work("web_app", lambda: t("A first version of a web application"), business.WEB_APP_MONTHS),
    Work("mobile_app", lambda: t("A first mobile app"), business.MOBILE_APP_MONTHS),
    Work("ai_product", lambda: t("A product with AI"), business.AI_PRODUCT_MONTHS),
    Work("smart_contract", lambda: t("A smart contract"), business.CONTRACT_MONTHS),
    Work("ledger", lambda: t("A private ledger"), business.LEDGER_MONTHS),
)
WORK_BY_SLUG = {work.slug: work for work in WORKS}
MOST_PEOPLE = 4


def price_of_months(months: int, people: int = 1) -> int:
    """Returns what full-time people cost for so many months, in pounds without VAT."""
    return months * people * business.WORKING_DAYS_A_MONTH * business.DAY_RATE_POUNDS


def estimate(work: Work, people: int) -> Estimate:
    """Returns the estimate for `people` who work full time; the price is at least that of the smallest project."""
    low, high = (max(price_of_months(months, people), business.PROJECT_POUNDS) for months in work.months)
    return Estimate((low, high), work.months)


def calculator_words() -> CalculatorWords:
    return CalculatorWords(
        heading=t("What would it cost?"),
        lead=t(
            "Months × people × {days} days × {rate}. More people build more in that time; they don’t finish sooner.",
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


def budgets() -> Article:
    small, medium, large = (pounds(amount) for amount in business.BUDGETS_POUNDS)
    small_days, medium_days, large_days = (amount // business.DAY_RATE_POUNDS for amount in business.BUDGETS_POUNDS)
    return Article(
        headline=t("What a budget buys"),
        lead=t(
            "Three budgets, what each usually buys and what it doesn’t. Prices exclude VAT. A quote for your project is free and in writing."
        ),
        contents=t("On this page"),
        parts=(
            Part(
                "three-budgets",
                t("Three budgets"),
                markdown=t(
                    """| | {small} | {medium} | {large} |
|---|---|---|---|
| **Buys** | one thing done well: a booking page, an internal tool for one team, a website with forms | a web application with accounts and an admin area, which staff can also open on their phones; or a first mobile app | a web application and an app in the app stores, or a takeover with a rebuilt core |
| **Takes** | {small_time} | {medium_time}; {mobile_time} for a mobile app | {large_time} |
| **Who works on it** | about {small_days} days of work: one engineer, and a designer for a few days | about {medium_days} days: two people, part-time | about {large_days} days: three people, part-time |
| **Included** | design, tests, launch, bugs fixed free for {warranty} days | the same, and a trial with the first users | the same, and moving the old data |
| **Not included** | accounts, payments, a mobile app, running costs | a separate app for other users, several languages, running costs | round-the-clock support, running costs |""",
                    small=small,
                    medium=medium,
                    large=large,
                    small_days=small_days,
                    medium_days=medium_days,
                    large_days=large_days,
                    small_time=weeks(business.SMALL_BUDGET_WEEKS),
                    medium_time=months(business.WEB_APP_MONTHS),
                    mobile_time=months(business.MOBILE_APP_MONTHS),
                    large_time=months(business.LARGE_BUDGET_MONTHS),
                    warranty=business.WARRANTY_DAYS,
                ),
            ),
            Part(
                "what-costs-more",
                t("What costs more than people expect"),
                markdown=t(
                    """- **Old data.** Cleaning and moving it is often a fifth of the work.
- **Other systems.** Each connection to an undocumented system takes 3 to 10 days.
- **Payments by card.** 5 to 8 days, and a review by the payment provider.
- **A second language.** About a tenth of the cost of the screens, and a native speaker to read it.
- **An independent penetration test.** Required where money or health is involved; priced by the tester you choose.
- **Running it.** Servers, mail and monitoring for a small application: £100 to £300 a month."""
                ),
            ),
            Part(
                "first-step",
                t("A first step with a fixed price"),
                markdown=t(
                    """{days} days of work for {price}: two engineers read your code, run it on a clean machine, restore a backup and list what they find. You get a report in plain words: what is sound, what is at risk, and what each repair costs. It is yours, whoever does the work; if we do it, we take the {price} off your first invoice.

No software yet? Then the same {days} days give you a clickable draft of the most important screens and a written outline that any supplier can price. Our own scope and quote stay free.""",
                    days=business.REVIEW_DAYS,
                    price=pounds(business.REVIEW_DAYS * business.DAY_RATE_POUNDS),
                ),
            ),
            Part(
                "smaller",
                t("Less than that"),
                markdown=t(
                    """Apart from that first step, our smallest project is {project}. Below that, a ready-made product or a freelancer is usually the better choice, and we’ll say so. [Ask us](/contact-us): it costs nothing.""",
                    project=pounds(business.PROJECT_POUNDS),
                ),
            ),
        ),
        invitation=Invitation(
            t("What would yours cost?"),
            t(
                "Describe your project in a few lines. We’ll reply within one working day with questions or a first estimate; the written quote is free."
            ),
            (get_quote(), book_call()),
        ),
    )
