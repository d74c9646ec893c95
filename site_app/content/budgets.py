"""What a budget buys: the page on prices, with what is left out at each, and the priced first step."""

from components.words import Invitation
from site_app.content.prices import pounds
from site_app.content.records import Article, Part, book_call, get_quote
from site_app.core import business
from site_app.core.i18n import t


def budgets() -> Article:
    small, medium, large = (pounds(amount) for amount in business.BUDGETS_POUNDS)
    return Article(
        headline=t("What a budget buys"),
        lead=t(
            "Three budgets, what each of them usually buys, and what it doesn’t. Prices exclude VAT; yours comes in writing and is free."
        ),
        contents=t("On this page"),
        parts=(
            Part(
                "three-budgets",
                t("Three budgets"),
                markdown=t(
                    """| | {small} | {medium} | {large} |
|---|---|---|---|
| **Buys** | one thing done well: a booking page, an internal tool for one team, a website with forms | a web application with accounts and an administration, or one app for phones | a web application and the phone app that belongs to it, or a takeover with a rebuilt core |
| **Takes** | 4 to 6 weeks | 2 to 3 months | 4 to 5 months |
| **Who works on it** | one engineer, a designer for a few days | two people, about half of their time | three people, about half of their time |
| **In it** | design, tests, launch, {warranty} days of free corrections | the same, and a trial with real users | the same, and moving the old data |
| **Not in it** | accounts, payments, a phone app | a phone app beside the web application, several languages | round-the-clock support, running costs |""",
                    small=small,
                    medium=medium,
                    large=large,
                    warranty=business.WARRANTY_DAYS,
                ),
            ),
            Part(
                "what-costs-more",
                t("What costs more than people expect"),
                markdown=t(
                    """- **Old data.** Cleaning and moving it is often a fifth of the work.
- **Other systems.** Each connection to one that nobody documented costs 3 to 10 days.
- **Payments by card.** 5 to 8 days, and a review by the payment provider.
- **A second language.** About a tenth of what is on screen, and someone who reads it.
- **Running it.** Servers, mail and monitoring for a small application: £100 to £300 a month."""
                ),
            ),
            Part(
                "first-step",
                t("A first step with a fixed price"),
                markdown=t(
                    """{days} days of work, {price}: two engineers read your code, start it on an empty machine, restore a backup and list what they find. You get a report in plain words: what is sound, what is at risk, and what each repair costs. It is yours, whoever does the work afterwards, and its price comes off the first invoice if that is us.

No software yet? Then the same days give you the screens as a clickable draft and a scope that any supplier can price.""",
                    days=business.REVIEW_DAYS,
                    price=pounds(business.REVIEW_DAYS * business.DAY_RATE_POUNDS),
                ),
            ),
            Part(
                "smaller",
                t("Less than that"),
                markdown=t(
                    """Our smallest project is {project}. Below that, a ready-made product or a freelancer is usually the better choice, and we’ll say so. [Ask us](/contact-us); that costs nothing.""",
                    project=pounds(business.PROJECT_POUNDS),
                ),
            ),
        ),
        invitation=Invitation(
            t("What does yours cost?"),
            t(
                "Describe your project in a few lines. We’ll reply within one working day with questions or a first estimate; the written quote is free."
            ),
            (get_quote(), book_call()),
        ),
    )
