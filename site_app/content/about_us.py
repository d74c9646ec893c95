"""The texts of the about-us page: the company, the founder and the team, the protection of clients.

The founder's quote is a sample: replace it, or remove the label if it is real.
"""

from dataclasses import dataclass

from components.records import Feature, Invitation, Opening, PersonCard, Point, ResultSheet, Section, Step, Testimonials
from site_app.content.people import FOUNDER, people, testimonials
from site_app.content.prices import pounds
from site_app.content.records import PageLink, book_call, write_to_us
from site_app.content.ways_of_working import working_process
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t, tc
from site_app.core.settings import settings


@dataclass(frozen=True)
class AboutUs(Opening):
    checks: ResultSheet
    story: Section[str]
    founder: Feature
    team: Section[PersonCard]
    values: Section[Point]
    process: Section[Step]
    process_details: PageLink
    trust: Section[Point]
    testimonials: Testimonials


def about_us_words() -> AboutUs:
    return AboutUs(
        headline=t("A small software team that finishes what it starts"),
        intro=t("Engineers, a designer and a marketer in London who would rather show you working software than promise it."),
        illustration="about_us",
        checks=_checks(),
        story=_story(),
        founder=founder(),
        team=_team(),
        values=core_values(),
        process=working_process(),
        process_details=PageLink(t("What happens in each step"), "/#process"),
        trust=trust(),
        testimonials=testimonials(),
        invitation=Invitation(
            t("Start with a call"),
            t("It’s free and takes {minutes} minutes. Bring the problem; no slides needed.", minutes=consultation_minutes()),
            (book_call(), write_to_us()),
        ),
    )


def _checks() -> ResultSheet:
    """Returns who checked a sample release; a person who has left `people` has no row."""
    names = {person.slug: person.name for person in people()}
    checks = (
        (FOUNDER, t("Scope"), t("Agreed")),
        ("priya-nair", t("Code and architecture"), t("Passed")),
        ("tom-ashworth", t("On phones, without a signal"), t("Passed")),
        ("siriporn-chaiyasit", t("By keyboard and screen reader"), t("Passed")),
        ("hannah-boyd", t("Weekly report"), t("Signed")),
    )
    return ResultSheet(
        "Larkfield Freight",
        t("Sample"),
        t("Release 14: checked before you see it"),
        tuple((work, names[slug], ("done", verdict)) for slug, work, verdict in checks if slug in names),
        t("Every release carries the names of those who checked it, and you can ask each of them."),
    )


def _story() -> Section[str]:
    return Section(
        t("Why we work this way"),
        t("Most software that fails doesn’t fail because of its code."),
        (
            t(
                "It fails earlier: nobody wrote down what it was for, nobody asked the people who would use it, and the first honest look at it came on launch day."
            ),
            t(
                "So we do it the other way round. We ask first and write the answer down. We show a working version every week, to you and to the people who will use it. And we release early, in steps small enough to undo."
            ),
            t(
                "One team does it all: design, engineering, delivery and marketing. We keep it small, and take on only work we can do properly."
            ),
        ),
    )


def _team() -> Section[PersonCard]:
    return Section(
        t("Who does the work"),
        t(
            "Here are {shown} of our {count} people; the others are engineers and a marketer. You talk to the people who do the work, and they check one another’s work.",
            shown=len(people()),
            count=business.TEAM,
        ),
        tuple(
            PersonCard(
                person.name,
                person.initials,
                person.role,
                t("{years} years’ experience; speaks {languages}", years=person.years, languages=person.languages_words),
                person.reviews,
                t("Sample") if person.is_sample else "",
            )
            for person in people()
        ),
    )


def core_values() -> Section[Point]:
    return Section(
        t("What we value"),
        t("Four values, and what they mean in practice."),
        (
            Point(
                "creativity",
                t("Creativity"),
                t(
                    "We look for a simpler idea before asking for a bigger budget. Often the best feature is the one that makes two others unnecessary."
                ),
            ),
            Point(
                "excellence",
                t("Care"),
                t(
                    "We review, test, measure and document what we build. The parts nobody sees get the same care as the parts everybody sees."
                ),
            ),
            Point(
                "integrity",
                t("Integrity"),
                t(
                    "You hear bad news from us first, with the cause and a plan. Our estimates are what we believe, not what wins the contract."
                ),
            ),
            Point(
                "limitless_innovation",
                t("Curiosity"),
                t(
                    "We try new tools in our own time and on our own site. For your product, we use the ones that have proved themselves."
                ),
            ),
        ),
    )


def founder() -> Feature:
    return Feature(
        eyebrow=t("The founder"),
        headline=tc("heading", "{name}, Founder & CEO", name=settings().brand_founder),
        intro=t(
            "“I started this company after ten years of taking over other people’s software: most of what I had to fix began with something nobody had written down. Today I read every scope before it goes out. And if we’re not the right team for you, I’ll tell you who might be.”"
        ),
        facts=(
            (t("Founded"), t("{year}, in London", year=str(business.FOUNDED))),
            (
                t("Team"),
                t("{count} people: design, engineering, delivery and marketing", count=business.TEAM),
            ),
        ),
        label=t("Sample"),
    )


def trust() -> Section[Point]:
    return Section(
        t("What protects you"),
        t("What your lawyer will ask about."),
        (
            Point(
                "insurance",
                t("We are insured"),
                t(
                    "Professional indemnity insurance covers our work for up to {amount}. What we are liable for is set separately: your contract names the sum; if it doesn’t, our liability is limited to the fees paid and payable under it in the year before the event. The legal notice names the insurer and the territory; you’ll get the certificate with the contract.",
                    amount=pounds(business.INDEMNITY_POUNDS),
                ),
            ),
            Point(
                "data_protection",
                t("Personal data stays where it belongs"),
                t(
                    "For your project, we sign a data processing agreement under the UK GDPR. Data about your users in Thailand is handled under the PDPA; data about users in mainland China, under the PIPL. You decide where data is kept. If the law demands that it stay in mainland China, it is kept on servers there, under your own licences and filings. We develop with test data unless you agree otherwise in writing."
                ),
            ),
            Point(
                "on_call",
                t("On-call cover, if you buy it"),
                t(
                    "If your maintenance contract covers day and night, an engineer who knows your system answers within {minutes} minutes. You’ll have one number to call, and the names on the rota.",
                    minutes=business.ON_CALL_MINUTES,
                ),
            ),
            Point(
                "access",
                t("Access ends with the work"),
                t(
                    "Each of us has their own account, uses two-factor sign-in and has only the rights the work needs. You can see the list of accounts at any time, and the accounts are closed when the work ends."
                ),
            ),
        ),
    )
