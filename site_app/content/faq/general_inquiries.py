"""General inquiries."""

from site_app.content.amounts import pounds
from site_app.content.faq.records import FaqCategory, Item, ItemList, Question
from site_app.content.offers import offers
from site_app.content.process import working_process
from site_app.content.records import Link
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t
from site_app.core.routes import PLAIN_BOOKING, SCOPE


def general_inquiries() -> FaqCategory:
    return FaqCategory(
        "general_inquiries",
        t("General enquiries"),
        (_services_offered(), _first_step(), _project_cost(), _where_we_work()),
    )


def _services_offered() -> Question:
    return Question(
        1,
        "services_offered",
        t("What do you offer?"),
        (
            t("{count} services. You can choose just one, or have one team look after the whole product.", count=len(offers())),
            ItemList(tuple(Item(offer.name, offer.line) for offer in offers().values())),
            Link(t("Start with web development"), offers()["web_development"].href),
        ),
    )


def _first_step() -> Question:
    return Question(
        2,
        "first_step",
        t("How do we get started?"),
        (
            t(
                "With a free {minutes}-minute call or a few lines by email. You pay nothing before you sign, and you can stop after any milestone.",
                minutes=consultation_minutes(),
            ),
            ItemList(tuple(Item(step.title, step.text) for step in working_process().items), ordered=True),
            Link(t("How we work together"), "/company/about-us#process"),
            Link(t("What the free call is, and what to bring"), "/contact-us#call"),
            Link(t("Trouble booking? Use the simple booking page"), PLAIN_BOOKING),
        ),
    )


def _project_cost() -> Question:
    return Question(
        3,
        "project_cost",
        t("What does a project cost?"),
        (
            t(
                "It depends on the scope, so we price your project instead of quoting an average. The quote is free, in writing, and sets out:"
            ),
            ItemList(
                (
                    Item("", t("what is included and what is not")),
                    Item("", t("the price or the monthly rate, and when each payment falls due")),
                    Item("", t("the dates, and what they depend on")),
                    Item("", t("running costs after launch, such as hosting and licences")),
                )
            ),
            t(
                "As a guide, excluding VAT: a fixed-price project starts at {project}, and a designer, engineer or marketer from our team costs from {rate} a day.",
                project=pounds(business.PROJECT_POUNDS),
                rate=pounds(business.DAY_RATE_POUNDS),
            ),
            t("If your budget is fixed, tell us. We’ll say what fits and what should wait."),
            Link(t("Open a sample scope with its price"), SCOPE),
            Link(t("Contact us"), "/contact-us"),
        ),
    )


def _where_we_work() -> Question:
    return Question(
        4,
        "where_we_work",
        t("Where are you, and when can we reach you?"),
        (
            t(
                "Our office is in London, and we work Monday to Friday, {opens} to {closes} London time. With clients in other time zones we agree on hours that overlap.",
                opens=f"{business.TEAM_HOURS[0]:%H:%M}",
                closes=f"{business.TEAM_HOURS[1]:%H:%M}",
            ),
            t(
                "Write at any hour; we answer within one working day. Calls take place at a time you choose, shown in your time and in London time."
            ),
            Link(t("Our hours on your clock"), "/contact-us#hours"),
            Link(t("All the ways to reach us"), "/contact-us"),
        ),
    )
