"""Digital marketing."""

from components.words import Invitation, Phase, Point, ResultSheet, Section
from site_app.content.engagement import engagement_model
from site_app.content.offers import ModelFit, Service, offers
from site_app.content.prices import months, pounds, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.technologies import marketing_technologies
from site_app.content.ways_of_working import marketing_approach
from site_app.core import business
from site_app.core.i18n import t


def digital_marketing() -> Service:
    return Service(
        offer=offers()["digital_marketing"],
        artefact=_artefact(),
        illustration="digital_marketing",
        headline=t("Digital marketing with figures you can check"),
        lead=t(
            "Search, content, campaigns and email, run by the team that can also fix the page people land on. Once a month, a report tells you what an enquiry cost."
        ),
        benefits=Section(t("What you get"), t("What you can hold us to, month after month."), _benefits()),
        technologies=Section(
            t("What we work with"),
            t("Accounts are opened in your name, so history and data stay with you."),
            marketing_technologies().pick("search", "campaigns", "measurement", "content"),
        ),
        approach=Section(t("How we work"), t("Six steps; the last four repeat every month."), marketing_approach()),
        timeline=Section(t("How long it takes"), t("Campaigns show results within weeks. Search takes patience."), _phases()),
        fit=ModelFit(
            engagement_model("dedicated_teams"),
            t("A monthly team suits ongoing work"),
            t(
                "Each month’s figures decide what we do in the next. A set number of days, people who know your market and a short notice period keep both sides honest."
            ),
        ),
        questions=("where_we_work", "code_ownership", "personal_data"),
        invitation=Invitation(
            t("Find out what an enquiry costs you"),
            t(
                "Send us your web address and your goal. We’ll reply within one working day with questions or a first list of what we would change."
            ),
            (get_quote(), book_call()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Cost per enquiry, October"),
        t("Sample"),
        t("{price} an enquiry, on average", price=pounds(42)),
        (
            (t("Unpaid search"), _cost(11, 41), ("done", t("Keep"))),
            (t("Newsletter"), _cost(14, 19), ("done", t("Keep"))),
            (t("Search ads"), _cost(58, 36), ("done", t("Keep"))),
            (t("Trade directory"), _cost(96, 8), ("next", t("Test again"))),
            (t("Social media ads"), _cost(240, 4), ("risk", t("Stop"))),
        ),
        t("Counted: people who wrote or called about a project, and what it cost to reach them."),
    )


def _cost(amount: int, enquiries: int) -> str:
    return t("{count} at {price}", count=enquiries, price=pounds(amount))


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "cost_per_enquiry",
            "bullseye",
            t("Cost per enquiry, not clicks"),
            t("We count enquiries and sales, agree on the target first, and show you the figure even when it’s poor."),
        ),
        Point(
            "found_in_search",
            "magnify",
            t("Found for what you do"),
            t(
                "Pages that answer what your customers really ask, quick to load and cleanly marked up, in English, Thai and Chinese."
            ),
        ),
        Point(
            "same_team",
            "code-tags",
            t("Marketers who can fix the site"),
            t("A slow page or a broken form is fixed by the same team within days, not passed on as a ticket to someone else."),
        ),
        Point(
            "privacy",
            "eye-outline",
            t("Analytics without tracking people"),
            t(
                "Analytics that need no consent banner where that is enough, and a clear consent request where the law needs one."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.MARKETING_SETUP_WEEKS),
            t("Audit done, goals and measurement in place, first campaigns live."),
        ),
        Phase(months(business.SEARCH_MONTHS), t("New and improved pages start to climb in search results.")),
        Phase(t("Every month"), t("A report, a decision, and the budget moved to what works.")),
    )
