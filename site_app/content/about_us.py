"""What the about-us page says."""

from dataclasses import dataclass

from components.words import Feature, Invitation, Opening, Point, Section, Step, Testimonials
from site_app.content.invitations import book_call, write_to_us
from site_app.content.people import founder
from site_app.content.process import working_process
from site_app.content.reasons import reasons
from site_app.content.testimonials import testimonials
from site_app.content.trust import trust
from site_app.core.i18n import t


@dataclass(frozen=True)
class AboutUs(Opening):
    story: Section[str]
    founder: Feature
    values: Section[Point]
    process: Section[Step]
    reasons: Section[Point]
    trust: Section[Point]
    testimonials: Testimonials


def about_us() -> AboutUs:
    return AboutUs(
        headline=t("A small software team that finishes what it starts"),
        lead=t("Designers, engineers and marketers in London who would rather show you working software than promise it."),
        illustration="about_us",
        story=_story(),
        founder=founder(),
        values=core_values(),
        process=working_process(),
        reasons=reasons(),
        trust=trust(),
        testimonials=testimonials(),
        invitation=Invitation(
            t("Meet the founder"),
            t("Your first call is with the person responsible for the work. Bring the problem; no slides needed."),
            (book_call(), write_to_us()),
        ),
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
                "One team does it all: design, engineering, operations and marketing. We keep it small, and take on only work we can do properly."
            ),
        ),
    )


def core_values() -> Section[Point]:
    return Section(
        t("What we value"),
        t("Four values, and what they mean on a working day."),
        (
            Point(
                "creativity",
                "lightbulb-on-outline",
                t("Creativity"),
                t(
                    "We look for a simpler idea before asking for a bigger budget. Often the best feature is the one that makes two others unnecessary."
                ),
            ),
            Point(
                "excellence",
                "check-decagram-outline",
                t("Excellence"),
                t(
                    "Reviewed, tested, measured, documented. The parts nobody sees are built as carefully as the ones everybody does."
                ),
            ),
            Point(
                "integrity",
                "scale-balance",
                t("Integrity"),
                t(
                    "You hear bad news from us first, with the cause and a plan. Our estimates are what we believe, not what wins the contract."
                ),
            ),
            Point(
                "limitless_innovation",
                "infinity",
                t("Limitless innovation"),
                t(
                    "We try new tools in our own time and on our own site. For your product, we use the ones that have proved themselves."
                ),
            ),
        ),
    )
