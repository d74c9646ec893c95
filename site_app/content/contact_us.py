"""What the contact page says."""

from dataclasses import dataclass

from components.words import ContactDetail, Hours, PointLists, Section, SocialLink, Step
from site_app.content.brand import contact_details, social_links
from site_app.content.free_call import free_call
from site_app.content.hours import hours
from site_app.core.i18n import t


@dataclass(frozen=True)
class ContactUs:
    headline: str
    lead: str
    illustration: str
    availability: str
    form_heading: str
    form_lead: str
    next_steps: Section[Step]
    details: Section[ContactDetail]
    social_title: str
    social: tuple[SocialLink, ...]
    hours: Hours
    call: PointLists


def contact_us() -> ContactUs:
    return ContactUs(
        headline=t("Contact us: a real person replies"),
        lead=t("A question, an idea, a bug in something we built: it reaches someone who can help."),
        illustration="contact_us",
        availability=t("Available 24/7: write or book at any hour, and we’ll answer within one working day."),
        form_heading=t("Your message"),
        form_lead=t("Your name, email address, a subject and a few lines are enough."),
        next_steps=_next_steps(),
        details=Section(
            t("Other ways to reach us"), t("Whichever suits you best. They all reach the same people."), contact_details()
        ),
        social_title=t("Follow us"),
        social=social_links(),
        hours=hours(),
        call=free_call(),
    )


def _next_steps() -> Section[Step]:
    return Section(
        t("What happens next"),
        t("No newsletter, no chain of sales emails."),
        (
            Step(
                1, "confirmation", t("Straight away"), t("You’ll get an email with a reference number and what happens next.")
            ),
            Step(
                2,
                "reply",
                t("Within one working day"),
                t("A real person replies, with an answer or the one question we need to ask first."),
            ),
            Step(
                3,
                "your_choice",
                t("After that"),
                t("You decide: a call, a quote, or nothing at all. If we don’t hear from you, we won’t chase you."),
            ),
        ),
    )
