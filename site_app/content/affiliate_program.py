"""The texts of the affiliate program page; every figure comes from business.py."""

from dataclasses import dataclass

from components.records import Example, Point, Section, Step, Sum
from site_app.content.legal import summary_of
from site_app.content.prices import pounds
from site_app.content.records import PageLink
from site_app.core import business
from site_app.core.i18n import labelled, t, tn

TERMS = "/legals/affiliate-program-terms-conditions"
_MONTHLY_POUNDS = business.DAY_RATE_POUNDS * business.WORKING_DAYS_A_MONTH  # of the worked example
_MILESTONE_POUNDS = 15000


@dataclass(frozen=True)
class Footnote:
    """The footnote to a claim marked with `mark`."""

    mark: str
    text: str
    link: PageLink


@dataclass(frozen=True)
class AffiliateProgram:
    headline: str
    intro: str
    illustration: str
    terms: PageLink
    terms_label: str  # begins with the text of the link
    footnote: Footnote
    apply: PageLink
    benefits: Section[Point]
    steps: Section[Step]
    example: Example
    form_heading: str
    form_intro: str
    terms_heading: str
    short_terms: tuple[str, ...]  # beside the form


def affiliate_program_words() -> AffiliateProgram:
    percent = business.commission_percent()
    terms = PageLink(t("Read the terms"), TERMS)
    return AffiliateProgram(
        headline=t("Recommend us and earn a {percent}% recurring commission", percent=percent),
        intro=t(
            "Introduce a company that becomes a paying customer, and you earn a share of what it pays. No annual cap, no minimum sales."
        ),
        illustration="affiliate_program",
        terms=terms,
        terms_label=labelled(terms.text, t("Affiliate programme terms and conditions")),
        footnote=_footnote(),
        apply=PageLink(t("Apply now"), "#apply"),
        benefits=_benefits(),
        steps=_steps(),
        example=_example(),
        form_heading=t("Apply to the programme"),
        form_intro=t("A few lines are enough. We’ll reply within one working day with a time for the call."),
        terms_heading=t("The terms in short"),
        short_terms=summary_of(TERMS)[1:4],
    )


def _footnote() -> Footnote:
    return Footnote(
        "*",
        t(
            "{percent}% of net payments received. Multi-year contracts earn commission on the net revenue of {years} only. The terms list all the limits.",
            percent=business.commission_percent(),
            years=tn("the first year", "the first {count} years", business.COMMISSION_YEARS),
        ),
        PageLink(t("Read the commission terms"), f"{TERMS}#commission"),
    )


def _benefits() -> Section[Point]:
    return Section(
        t("What you get"),
        t("A plain-English agreement, and someone who picks up the phone."),
        (
            Point(
                "competitive_commissions",
                t("{percent}% of what they pay", percent=business.commission_percent()),
                t(
                    "{percent}% of net monthly payments, and of each milestone payment in fixed-price projects. Paid by PayPal within {days} days of our receiving the customer’s payment.",
                    percent=business.commission_percent(),
                    days=business.PAYOUT_DAYS,
                ),
            ),
            Point(
                "premium_support",
                t("A named contact"),
                t(
                    "One person here answers your questions. Once your referral has contacted us through your link, the same person looks after the quote and, if your referral would like it, speaks to you both together."
                ),
            ),
            Point(
                "flexibility",
                t("Flexibility"),
                t(
                    "Recommend us wherever it suits you: in an email to a client, a post, an article. Always give your link, say that you may receive a commission, and keep to the rules, which are summed up below. There are no minimum sales.",
                    months=business.CONVERSION_MONTHS,
                    days=business.PRIOR_OPPORTUNITY_DAYS,
                ),
            ),
            Point(
                "growth_opportunity",
                t("No cap"),
                t("No ceiling on what you earn in a year. When a customer’s team grows, so does your commission."),
            ),
        ),
    )


def _steps() -> Section[Step]:
    return Section(
        t("How it works"),
        t("Four steps from this page to the first payment."),
        (
            Step(1, "submit_form", t("Submit the form"), t("Tell us who you are and who you could introduce.")),
            Step(2, "schedule_call", t("Schedule a call"), t("We get to know each other, and you can ask about the terms.")),
            Step(
                3,
                "start_promoting",
                t("Start promoting once approved"),
                t("You get a referral link of your own. Only referrals made through it count."),
            ),
            Step(
                4,
                "get_paid",
                t("Get paid monthly"),
                t(
                    "We calculate your commission every month and pay it to your PayPal account, in the currency of the customer’s contract, with a statement of each referral’s payments and your commission."
                ),
            ),
        ),
    )


def _example() -> Example:
    months = 12 * business.COMMISSION_YEARS
    month = business.commission_on(_MONTHLY_POUNDS)
    milestone = business.commission_on(_MILESTONE_POUNDS)
    return Example(
        t("A worked example"),
        t("Two introductions: one billed monthly, one at a fixed price. Amounts exclude VAT."),
        (
            Sum(t("One dedicated engineer, one month"), pounds(_MONTHLY_POUNDS), pounds(month)),
            Sum(
                t("The same engineer, over {months} months", months=months),
                pounds(_MONTHLY_POUNDS * months),
                pounds(month * months),
            ),
            Sum(t("A fixed-price project, one milestone"), pounds(_MILESTONE_POUNDS), pounds(milestone)),
        ),
        heads=(t("What they buy"), t("They pay"), t("You earn")),
        note=t("An illustration with round figures, not a forecast of what you will earn."),
    )
