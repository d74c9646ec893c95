"""The texts of the home page."""

from dataclasses import dataclass

from components.records import (
    Entry,
    Feature,
    Figure,
    Invitation,
    Offer,
    Opening,
    Point,
    ReportSheet,
    Section,
    Step,
    Testimonials,
)
from site_app.content.engagement import MODELS, EngagementModel, engagement_models, models_heading, models_intro
from site_app.content.people import testimonials
from site_app.content.prices import pounds
from site_app.content.records import PageLink, book_call, get_quote
from site_app.content.routes import REPORT, SCOPE
from site_app.content.sample_documents import SheetExcerpt, price_excerpt, week_at_a_glance
from site_app.content.services.offers import offers
from site_app.content.ways_of_working import reasons, working_process
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import href, t
from site_app.core.service_table import SERVICE_TABLE

_MODELS = f"/company/prices#{MODELS}"


@dataclass(frozen=True)
class Home(Opening):
    report: ReportSheet
    facts: tuple[Figure, ...]
    services: Section[Offer]
    elsewhere: Offer  # where to go with what is not on the list of services
    reasons: Section[Point]
    cases: Section[str]  # whose entries are case studies
    process: Section[Step]
    documents: Feature
    scope: SheetExcerpt
    models: Section[Entry]
    all_terms: PageLink
    testimonials: Testimonials | None  # where all of them are samples, the reasons must do


def home_words() -> Home:
    return Home(
        headline=t("Software that ships, from one careful team"),
        intro=t("We design, build and maintain web, mobile, blockchain and AI products, and help customers find them."),
        illustration="home",
        report=week_at_a_glance(),
        facts=_facts(),
        services=Section(
            t("What we do"),
            t("One team, {count} services. Hire us for one, or for the whole product.", count=len(SERVICE_TABLE)),
            tuple(offers().values()),
        ),
        elsewhere=Offer(
            "elsewhere",
            t("Not sure which of these it is?"),
            t("Tell us what you need: we’ll say which service fits, or who else could help."),
            href("/contact-us"),
            "message-text-outline",
            "elsewhere",
        ),
        reasons=reasons(),
        cases=Section(
            t("Case studies"),
            t(
                "Each says what went wrong, what came of it and, for client projects, what it cost. Cases marked “Sample” are invented."
            ),
            (),
        ),
        process=working_process(),
        documents=_documents(),
        scope=price_excerpt(),
        models=Section(models_heading(), models_intro(), tuple(_entry(model) for model in engagement_models())),
        all_terms=PageLink(t("All terms, side by side"), _MODELS),
        testimonials=None if all(voice.is_sample for voice in testimonials().items) else testimonials(),
        invitation=Invitation(
            t("Tell us what you need"),
            t(
                "Describe it in a few lines, and we’ll reply within one working day with questions or a first estimate. Or talk it through with us on a {minutes}-minute call. Both are free.",
                minutes=consultation_minutes(),
            ),
            (get_quote(), book_call()),
        ),
    )


def _entry(model: EngagementModel) -> Entry:
    return Entry(model.name, model.description, href(_MODELS), model.best_for, price=model.price)


def _documents() -> Feature:
    """Returns the section about the documents that clients get before and during a project, with links to samples."""
    return Feature(
        eyebrow=t("What you get in writing"),
        headline=t("Before we start: a written scope. Every week: a\u00a0one-page report."),
        intro=t(
            "A scope that says what will be built, by when and for how much. Then, every Friday, a report on what is done, what comes next and what is at risk; for maintenance and marketing, once a month."
        ),
        links=(PageLink(t("Open a sample scope"), SCOPE), PageLink(t("Open a sample report"), REPORT)),
    )


def _facts() -> tuple[Figure, ...]:
    return (
        Figure(t("1 working day"), t("to a reply: an answer, or the question we need to ask first")),
        Figure(
            pounds(business.PROJECT_POUNDS),
            t(
                "the smallest project at a fixed price (a review or a clickable draft first: {step}), excluding VAT",
                step=pounds(business.REVIEW_DAYS * business.DAY_RATE_POUNDS),
            ),
        ),
        Figure(pounds(business.DAY_RATE_POUNDS), t("a day for one person, at the lowest rate, excluding VAT")),
        Figure(
            t("3 languages"),
            t("English, Thai and Chinese: in emails, beside the English contract and, with a colleague, on calls"),
        ),
    )
