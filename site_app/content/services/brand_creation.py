"""Brand creation, a section of the digital marketing page."""

from components.words import Invitation, Phase, Point, ResultSheet, Section
from site_app.content.engagement import engagement_model
from site_app.content.offers import ModelFit, Service, offers
from site_app.content.prices import pounds, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.technologies import marketing_technologies
from site_app.content.ways_of_working import brand_creation_approach
from site_app.core import business
from site_app.core.i18n import t


def brand_creation() -> Service:
    return Service(
        offer=offers()["brand_creation"],
        artefact=_artefact(),
        illustration="brand_creation",
        headline=t("A brand your team can actually use"),
        lead=t(
            "A name, a voice and a visual system, tried on your real pages before you decide and handed over as working files."
        ),
        benefits=Section(t("What you get"), t("Four things that stay useful long after the launch."), _benefits()),
        technologies=Section(t("What we work with"), t("You get the source files."), marketing_technologies().pick("design")),
        approach=Section(
            t("How we build a brand"), t("Six steps from the first interview to the launch."), brand_creation_approach()
        ),
        timeline=Section(
            t("How long it takes"), t("You make the decisions. We keep everything in between on schedule."), _phases()
        ),
        fit=ModelFit(
            engagement_model("fixed_price_projects"),
            t("A fixed price suits a brand"),
            t("The parts are known from the start, each ends with something you accept, and the price doesn’t change."),
            without=("warranty",),
        ),
        questions=("services_offered", "project_cost", "code_ownership"),
        invitation=Invitation(
            t("What should people remember about you?"),
            t("Tell us in one sentence, or tell us that you can’t. Either is a good start."),
            (get_quote(), book_call()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Name check, second round"),
        t("Sample"),
        t("Two of six names are left"),
        (
            ("Larkway", t("free in all registers"), ("done", t("Keep"))),
            ("Runfield", t("free, domain {price}", price=pounds(900)), ("done", t("Keep"))),
            ("Dropline", t("trade mark, class 39"), ("risk", t("Out"))),
            ("Movana", t("means something else in Thai"), ("risk", t("Out"))),
            ("Parcello", t("sounds like a competitor"), ("risk", t("Out"))),
            ("Swiftra", t("company of that name"), ("risk", t("Out"))),
        ),
        t("Checked: company and trade mark registers, domains, and five languages by native speakers."),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "positioning",
            "compass-outline",
            t("A promise you can keep"),
            t("One page on who you serve and why they choose you, drawn from interviews with your customers."),
        ),
        Point(
            "name_and_voice",
            "account-voice",
            t("A name and a voice"),
            t(
                "Names checked for trade marks, domains and meaning in your markets, and writing rules with examples for everyday use."
            ),
        ),
        Point(
            "visual_system",
            "vector-polyline",
            t("A visual system"),
            t("Logo, type, colours and images that work from favicon to shop sign, with contrast tested for readability."),
        ),
        Point(
            "ready_to_use",
            "book-open-outline",
            t("Working files, not just a PDF"),
            t(
                "Design tokens for your developers and templates for letters, slides and posts, with short rules for using them."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.BRAND_WEEKS),
            t("From the first interview to guidelines and files, with two rounds of decisions."),
        ),
    )
