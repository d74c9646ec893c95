"""The page on prices: what a budget buys, and the engagement models side by side."""

from dataclasses import replace

from components.records import Action, Budget, Budgets, Comparison, Invitation
from site_app.content.engagement import MODELS, engagement_models, model_terms, models_heading, models_intro
from site_app.content.prices import months, pounds, price_of_months, weeks
from site_app.content.records import Part, TextPage, book_call, get_quote
from site_app.core import business
from site_app.core.i18n import t


def price_page() -> TextPage:
    return TextPage(
        headline=t("What a budget buys"),
        intro=t(
            "What each of three budgets usually buys at our lowest day rate of {rate}, and what it doesn’t. Prices exclude UK VAT, which business customers outside the UK are normally not charged. A quote for your project is free and in writing.",
            rate=pounds(business.DAY_RATE_POUNDS),
        ),
        budgets=_budgets(),
        actions=(get_quote(),),
        parts=(
            Part(
                "what-costs-more",
                t("What costs more than people expect"),
                markdown=t(
                    """| What | What it adds |
|---|---|
| **Old data** | Cleaning and moving it is often a fifth of the work. |
| **Other systems** | Each connection to an undocumented system takes 3 to 15 days. |
| **Payments by card** | 5 to 8 days, and a review by the payment provider. |
| **A second language** | About a tenth of the cost of the screens, and a native speaker to read it. |
| **An independent penetration test** | Required where money or health is involved (for a smart contract, an independent audit): a separate item in the quote, priced by the tester you choose. |
| **Running it** | Servers, email and monitoring for a small application: £100 to £300 a month. |"""
                ),
            ),
            Part(
                "first-step",
                t("A first step with a fixed price"),
                markdown=t(
                    """If you have software already, we review it: {days} days of work for {price}. Two engineers read your code, run it on a clean machine, restore a backup and list what they find. You get a report in plain words: what is sound, what is at risk, and what each repair costs. It is yours, whoever does the work; if we do it, we take the {price} off your first invoice.

No software yet? For the same price, credited in the same way, {days} days’ work gets you a clickable draft of the most important screens and a written outline that any supplier can price. Our own scope and quote stay free.""",
                    days=business.REVIEW_DAYS,
                    price=pounds(business.REVIEW_DAYS * business.DAY_RATE_POUNDS),
                ),
            ),
            Part(
                "smaller",
                t("If your budget is smaller"),
                markdown=t(
                    """Apart from that first step, our smallest project at a fixed price is {project}. Below that, a ready-made product or a freelancer is usually the better choice, and we’ll say so. [Ask us](/contact-us): it costs nothing.""",
                    project=pounds(business.PROJECT_POUNDS),
                ),
            ),
        ),
        comparison=_models(),
        invitation=Invitation(
            t("What would yours cost?"),
            t(
                "Describe your project in a few lines. We’ll reply within one working day with questions or a first estimate; the written quote is free."
            ),
            (get_quote(), book_call()),
        ),
    )


def _budgets() -> Budgets:
    first_low, first_high = (pounds(price_of_months(duration)) for duration in business.WEB_APP_MONTHS)
    mobile_low, mobile_high = (pounds(price_of_months(duration)) for duration in business.MOBILE_APP_MONTHS)
    small, medium, large = business.BUDGETS_POUNDS
    takes, work, included, excluded = t("Takes"), t("Who works on it"), t("Included"), t("Not included")
    items = (
        Budget(
            pounds(small),
            t("One thing done well: a booking page, an internal tool for one team, a website with forms."),
            (
                (takes, weeks(business.SMALL_BUDGET_WEEKS)),
                (
                    work,
                    t(
                        "About {days} days of work: one engineer, a second for reviews, and a designer for a few days",
                        days=_days(small),
                    ),
                ),
                (
                    included,
                    t(
                        "Design, tests, launch, free fixes for bugs reported within {days} days of launch",
                        days=business.WARRANTY_DAYS,
                    ),
                ),
                (excluded, t("Accounts, payments, a mobile app, running costs")),
            ),
            _ask_about(small),
        ),
        Budget(
            pounds(medium),
            t(
                "A web application with accounts, an admin area and a link to one other system (with accounts alone: {low} to {high}); or a first mobile app ({mobile_low} to {mobile_high}, depending on its scope).",
                low=first_low,
                high=first_high,
                mobile_low=mobile_low,
                mobile_high=mobile_high,
            ),
            (
                (
                    takes,
                    t(
                        "{web_time}; {mobile_time} for a mobile app",
                        web_time=months(business.WEB_APP_MONTHS),
                        mobile_time=months(business.MOBILE_APP_MONTHS),
                    ),
                ),
                (work, t("About {days} days: two people, part-time", days=_days(medium))),
                (included, t("Everything in the {budget} budget, plus a trial with the first users", budget=pounds(small))),
                (
                    excluded,
                    t("Card payments, the web application and the mobile app together, a second language, running costs"),
                ),
            ),
            _ask_about(medium),
        ),
        Budget(
            pounds(large),
            t("A first web application with an app in the app stores for the same task, or a takeover with a rebuilt core."),
            (
                (takes, months(business.LARGE_BUDGET_MONTHS)),
                (work, t("About {days} days: three people, part-time", days=_days(large))),
                (included, t("Everything in the {budget} budget, plus moving the old data", budget=pounds(medium))),
                (excluded, t("Card payments, a second language, on-call cover, running costs")),
            ),
            _ask_about(large),
        ),
    )
    note = t(
        "At a fixed price, you pay for each milestone once you have accepted it: by saying so in writing, by putting it to use in your business beyond a trial, or by reporting no defect in writing for {days} working days.",
        days=business.ACCEPTANCE_DAYS,
    )
    return Budgets(t("Three budgets"), "", items, note)


def _ask_about(budget: int) -> Action:
    return replace(get_quote(), text=t("Ask about a {price} project", price=pounds(budget)))


def _days(budget: int) -> int:
    """Returns how many days of one person's work the budget pays at the lowest rate."""
    return budget // business.DAY_RATE_POUNDS


def _models() -> Comparison:
    """Compares what each model is, its terms and its benefits."""
    models = engagement_models()
    rows = {"description": t("What it is")} | model_terms()
    return Comparison(
        models_heading(),
        models_intro(),
        tuple((label, tuple(getattr(model, field) for model in models)) for field, label in rows.items()),
        heads=tuple(model.name for model in models),
        anchor=MODELS,
        main_rows=tuple(rows[field] for field in ("price", "best_for", "scope_changes", "commitment")),
        all_rows=t("Show all {count} terms", count=len(rows)),
    )
