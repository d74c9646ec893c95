"""Digital marketing."""

from site_app import constants
from site_app.content.approaches import marketing_approach
from site_app.content.engagement import engagement_model
from site_app.content.invitations import book_call, get_quote
from site_app.content.offers import offers
from site_app.content.records import Invitation, Point, Section
from site_app.content.services.records import ModelFit, Phase, Service
from site_app.content.services.spans import months, weeks
from site_app.content.technologies import marketing_technologies
from site_app.i18n import t


def digital_marketing() -> Service:
    return Service(
        offer=offers()["digital_marketing"],
        illustration="digital_marketing",
        claim=t("Marketing you can check in figures"),
        lead=t(
            "Search, content, campaigns and email, run by the team that can also change the page people land on. One report a month says what an enquiry cost."
        ),
        actions=(get_quote(), book_call()),
        benefits=Section(t("What you get"), t("What you can hold us to, month by month."), _benefits()),
        technologies=Section(
            t("What we work with"),
            t("Accounts are opened in your name, so history and data stay with you."),
            marketing_technologies().pick("search", "campaigns", "measurement", "content"),
        ),
        approach=Section(t("How we work"), t("Six steps, the last four of them again every month."), marketing_approach()),
        timeline=Section(t("How long it takes"), t("Campaigns show results within weeks. Search takes patience."), _phases()),
        fit=ModelFit(
            engagement_model("dedicated_teams"),
            t("Monthly fits work that repeats and learns"),
            t(
                "Each month’s figures decide what the next one does. A set number of days, people who know your market and short notice keep that honest on both sides."
            ),
        ),
        questions=("engagement_model", "project_cost", "personal_data"),
        invitation=Invitation(
            t("What should an enquiry cost you?"),
            t("Send us your site and your goal. You get a first list of what we would change, and a price."),
            (get_quote(), book_call()),
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "cost_per_enquiry",
            "bullseye",
            t("Cost per enquiry, not clicks"),
            t("We count what reaches your inbox or till, agree on the target first, and show the figure even when it is poor."),
        ),
        Point(
            "found_in_search",
            "magnify",
            t("Found for what you do"),
            t(
                "Pages that answer what your customers really ask, quick to load and well marked up, in English, Thai and Chinese."
            ),
        ),
        Point(
            "same_team",
            "code-tags",
            t("Marketers who can ship"),
            t("A slow page or a broken form is mended by the same team in days. It is not a ticket for somebody else."),
        ),
        Point(
            "privacy",
            "eye-outline",
            t("Measured without spying"),
            t("Counting that needs no consent banner where that is enough, and consent asked plainly where it is not."),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            "setup", weeks(constants.MARKETING_SETUP_WEEKS), t("Audit, goals and measurement; the first campaigns are running.")
        ),
        Phase("search", months(constants.SEARCH_MONTHS), t("New and mended pages begin to be found in search.")),
        Phase("routine", t("Every month"), t("A report, a decision, and the budget moved to what works.")),
    )
