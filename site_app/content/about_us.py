"""What the about-us page says."""

from dataclasses import dataclass

from site_app.content.invitations import book_call, write_to_us
from site_app.content.process import working_process
from site_app.content.reasons import reasons
from site_app.content.records import Action, Invitation, Point, Section, Step
from site_app.content.testimonials import Testimonials, testimonials
from site_app.i18n import t


@dataclass(frozen=True)
class AboutUs:
    claim: str
    lead: str
    illustration: str
    actions: tuple[Action, ...]
    story: Section[str]
    values: Section[Point]
    process: Section[Step]
    reasons: Section[Point]
    testimonials: Testimonials
    invitation: Invitation


def about_us() -> AboutUs:
    return AboutUs(
        claim=t("A small team that finishes things"),
        lead=t(
            "Designers, engineers and marketers in London who would rather show you a running version than a promise of one."
        ),
        illustration="about_us",
        actions=(book_call(), write_to_us()),
        story=_story(),
        values=core_values(),
        process=working_process(),
        reasons=reasons(),
        testimonials=testimonials(),
        invitation=Invitation(
            t("Come and meet the founder"),
            t("The first call is with the person who answers for the work. Bring the problem; slides are not needed."),
            (book_call(), write_to_us()),
        ),
    )


def _story() -> Section[str]:
    return Section(
        t("Why we work this way"),
        t("Most software that fails does not fail at the code."),
        (
            t(
                "It fails earlier: nobody wrote down what it was for, the people who use it were never asked, and the first honest look at it came on the day of the launch."
            ),
            t(
                "So we turned the order round. We ask first and write the answer down. We show a running version every week, to you and to the people who will use it. And we release early, in parts small enough to undo."
            ),
            t(
                "One team does all of it: design, engineering, operation and marketing. That keeps us small, and it is why we turn work down when we could not give it the care it needs."
            ),
        ),
    )


def core_values() -> Section[Point]:
    return Section(
        t("What we value"),
        t("Four values that are easy to print. This is what they mean on a working day."),
        (
            Point(
                "creativity",
                "lightbulb-on-outline",
                t("Creativity"),
                t(
                    "We look for the simpler idea before the bigger budget. Often the best feature is one that makes two others needless."
                ),
            ),
            Point(
                "excellence",
                "check-decagram-outline",
                t("Excellence"),
                t("Reviewed, tested, measured, documented. The parts nobody sees are built like the ones everybody does."),
            ),
            Point(
                "integrity",
                "scale-balance",
                t("Integrity"),
                t(
                    "You hear bad news from us first, with its cause and a plan. An estimate is what we believe, not what wins the contract."
                ),
            ),
            Point(
                "limitless_innovation",
                "infinity",
                t("Limitless innovation"),
                t("We try new tools on our own time and our own site. On yours we use those that have proved themselves."),
            ),
        ),
    )
