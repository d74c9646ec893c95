"""Digital marketing, and brand creation, a section of its page."""

from components.records import Invitation, Link, Phase, Point, ResultSheet, SamplePictures, Section
from site_app.content.engagement import engagement_model
from site_app.content.prices import months, pounds, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import marketing_technologies
from site_app.content.ways_of_working import brand_creation_approach, marketing_approach
from site_app.core import business
from site_app.core.i18n import t


def digital_marketing() -> Service:
    return Service(
        offer=offers()["digital_marketing"],
        artefact=_artefact(),
        illustration="digital_marketing",
        headline=t("Digital marketing with figures you can check"),
        intro=t(
            "Search, content, campaigns and email, run by the team that can also fix the page people land on. Once a month, a report tells you what an enquiry cost."
        ),
        benefits=Section(t("What marketing gives you"), t("What you can hold us to, month after month."), _benefits()),
        technologies=Section(
            t("What we use for marketing"),
            t("Accounts are opened in your name, so history and data stay with you."),
            marketing_technologies().pick("search", "campaigns", "measurement", "content"),
        ),
        approach=Section(t("How we do marketing"), t("Six steps; the last four repeat every month."), marketing_approach()),
        timeline=Section(
            t("How long marketing takes"),
            t("Campaigns usually show results within weeks of going live. Search takes months."),
            _phases(),
        ),
        fit=ModelFit(
            engagement_model("dedicated_teams"),
            t("A monthly team suits ongoing work"),
            t(
                "Each month’s figures decide what we do in the next. A set number of days and a short notice period keep both sides honest, and the same people get to know your market."
            ),
        ),
        questions=("where_we_work", "code_ownership", "personal_data"),
        jumps=tuple(
            Link(offer.name, f"#{offer.api_slug}") for offer in (offers()["digital_marketing"], offers()["brand_creation"])
        ),
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
            (t("Organic search"), _cost(11, 41), ("done", t("Keep"))),
            (t("Newsletter"), _cost(14, 19), ("done", t("Keep"))),
            (t("Search ads"), _cost(58, 36), ("done", t("Keep"))),
            (t("Trade directory"), _cost(96, 8), ("next", t("Test again"))),
            (t("Social media ads"), _cost(240, 4), ("out", t("Stop"))),
        ),
        t("Counted: people who wrote or called about a project, and what it cost to reach them."),
    )


def _cost(amount: int, enquiries: int) -> str:
    return t("{count} at {price}", count=enquiries, price=pounds(amount))


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "cost_per_enquiry",
            t("Cost per enquiry, not clicks"),
            t("We count enquiries and sales, agree on the target first, and show you the figure even when it’s poor."),
        ),
        Point(
            "found_in_search",
            t("Found for what you do"),
            t(
                "Pages that answer what your customers really ask, quick to load and cleanly marked up, in English, Thai and Chinese."
            ),
        ),
        Point(
            "same_team",
            t("Marketing that can fix the site"),
            t("A slow page or a broken form is fixed by the same team within days, not passed on as a ticket to someone else."),
        ),
        Point(
            "privacy",
            t("No more tracking than you need"),
            t(
                "Where simple figures are enough, analytics that need no consent banner; where the law requires consent, a clear request for it."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.MARKETING_SETUP_WEEKS),
            t("Audit done, goals and measurement in place, first campaigns live."),
        ),
        Phase(months(business.SEARCH_MONTHS), t("New and improved pages usually start to climb in search results.")),
        Phase(t("Every month"), t("A report, a decision, and the budget moved to what works.")),
    )


def brand_creation() -> Service:
    return Service(
        offer=offers()["brand_creation"],
        artefact=_brand_artefact(),
        illustration="brand_creation",
        headline=t("A brand your team can actually use"),
        intro=t(
            "A name, a voice and a visual system, tried on your real pages before you decide and handed over as working files."
        ),
        benefits=Section(
            t("What a brand gives you"), t("Four things that stay useful long after the launch."), _brand_benefits()
        ),
        technologies=Section(
            t("What we use for a brand"),
            t("You get the source files."),
            marketing_technologies().pick("design", "names", "handover"),
        ),
        approach=Section(
            t("How we build a brand"), t("Six steps from the first interview to the launch."), brand_creation_approach()
        ),
        timeline=Section(
            t("How long a brand takes"),
            t("You make the decisions. We keep everything between them on schedule."),
            _brand_phases(),
        ),
        fit=ModelFit(
            engagement_model("fixed_price_projects"),
            t("A fixed price suits a brand"),
            t("The parts are known from the start, each ends with something you accept, and the price doesn’t change."),
            omitted_benefits=("warranty",),
        ),
        questions=("services_offered", "project_cost", "code_ownership"),
        invitation=Invitation(
            t("What should people remember about you?"),
            t("Tell us in one sentence, or tell us that you can’t. Either is a good start."),
            (get_quote(), book_call()),
        ),
    )


def _brand_artefact() -> ResultSheet:
    return ResultSheet(
        t("Name check, second round"),
        t("Sample"),
        t("Two of six names are left"),
        (
            ("Larkway", t("free in all registers"), ("done", t("Keep"))),
            ("Runfield", t("free, domain {price}", price=pounds(900)), ("done", t("Keep"))),
            ("Dropline", t("trade mark, class\u00a039"), ("out", t("Out"))),
            ("Movana", t("means something else in Thai"), ("out", t("Out"))),
            ("Parcello", t("sounds like a competitor"), ("out", t("Out"))),
            ("Swiftra", t("company of that name"), ("out", t("Out"))),
        ),
        t(
            "Checked: company and trade mark registers, domains, and the meaning in English, Thai and Chinese by native speakers."
        ),
    )


def brand_board() -> SamplePictures:
    """Returns the first uses of a name that the check above has left."""
    return SamplePictures(
        (
            ("/images/brand/larkway-logo.svg", t("The logo of Larkway: a lark in flight beside the name")),
            (
                "/images/brand/larkway-in-use.svg",
                t("The type and the colours of Larkway, and its mark on an app, a badge and a van"),
            ),
        ),
        width=720,
        height=400,
        caption=t("Logo, type, colours and first uses of an invented brand"),
        label=t("Sample"),
    )


def _brand_benefits() -> tuple[Point, ...]:
    return (
        Point(
            "positioning",
            t("A promise you can keep"),
            t("One page on who you serve and why they choose you, drawn from interviews with your customers."),
        ),
        Point(
            "name_and_voice",
            t("A name and a voice"),
            t(
                "Names checked against trade mark registers, domains and meaning in your markets (no substitute for a trade mark attorney’s search), and writing rules with examples for everyday use."
            ),
        ),
        Point(
            "visual_system",
            t("A visual system"),
            t("Logo, type, colours and images that work from favicon to shop sign, with contrast tested for readability."),
        ),
        Point(
            "ready_to_use",
            t("Working files, not just a PDF"),
            t(
                "Design tokens for your developers and templates for letters, slides and posts, with short rules for using them."
            ),
        ),
    )


def _brand_phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.BRAND_WEEKS),
            t("A new name, voice and visual system, from the first interview to the files, with two rounds of decisions."),
        ),
        Phase(weeks(business.BRAND_REFRESH_WEEKS), t("A new visual system for a name that you keep.")),
    )
