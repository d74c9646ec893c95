"""The texts of the home page."""

from dataclasses import dataclass

from components.words import Feature, Invitation, OfferGroup, Opening, Point, Section, Step, Testimonials
from site_app.content.engagement import Comparison, comparison
from site_app.content.offers import marketing_group, service_groups
from site_app.content.prices import pounds
from site_app.content.records import Link, book_call, get_quote
from site_app.content.testimonials import testimonials
from site_app.content.ways_of_working import reasons, working_process
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t
from site_app.core.offered import OFFERED
from site_app.core.routes import REPORT, SCOPE


@dataclass(frozen=True)
class Home(Opening):
    facts: tuple[Point, ...]
    services: Section[OfferGroup]
    reasons: Section[Point]
    process: Section[Step]
    documents: Feature
    models: Section[Comparison]
    testimonials: Testimonials | None  # None if all of them are samples; only the reasons are shown then


def home() -> Home:
    return Home(
        headline=t("Software that ships, from one careful team"),
        lead=t("We design, build and maintain web, mobile, blockchain and AI products, and help customers find them."),
        illustration="home",
        facts=_facts(),
        services=Section(
            t("What we do"),
            t("{count} services, one team. Choose just one, or hand us the whole product.", count=len(OFFERED)),
            (*service_groups(), marketing_group()),
        ),
        reasons=reasons(),
        process=working_process(),
        documents=_documents(),
        models=Section(
            t("Three ways to work with us"),
            t(
                "How you pay should match how much you already know. If you’re not sure, we’ll tell you which one we would pick."
            ),
            (comparison(),),
        ),
        testimonials=None if all(voice.is_sample for voice in testimonials().items) else testimonials(),
        invitation=Invitation(
            t("Tell us what should work better"),
            t(
                "Describe it in a few lines and get a written quote, or talk it through with our founder for {minutes} minutes. Both are free.",
                minutes=consultation_minutes(),
            ),
            (get_quote(), book_call()),
        ),
    )


def _documents() -> Feature:
    """Returns the section about the documents that clients get before and during a project, with links to samples."""
    return Feature(
        eyebrow=t("What you get in writing"),
        headline=t("Four pages before we start. One page every week."),
        lead=t(
            "A scope that says what will be built, by when and for how much. Then a report every Friday: done, next, at risk. Have a look at both."
        ),
        illustration="documents",
        links=(Link(t("Open a sample scope"), SCOPE), Link(t("Open a sample report"), REPORT)),
    )


def _facts() -> tuple[Point, ...]:
    return (
        Point(
            "reply",
            "reply-outline",
            t("Reply within one working day"),
            t("From someone who can answer, not from a ticket queue."),
        ),
        Point(
            "billing",
            "cash-multiple",
            t("Fixed price, monthly or hybrid"),
            t(
                "Projects from {project}, one person from {rate} a day, excluding VAT.",
                project=pounds(business.PROJECT_POUNDS),
                rate=pounds(business.DAY_RATE_POUNDS),
            ),
        ),
        Point(
            "languages",
            "translate",
            t("English, Thai and Chinese"),
            t("Calls, emails and contracts in the one you prefer."),
        ),
    )
