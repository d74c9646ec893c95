"""The FAQ page, and questions picked from it."""

from components.words import Invitation
from site_app.content.faq import general_inquiries, privacy_and_legal, services
from site_app.content.faq.records import Faq, FaqCategory, Question
from site_app.content.invitations import book_call, write_to_us
from site_app.core.i18n import t


def faq() -> Faq:
    return Faq(
        headline=t("Software projects: straight answers"),
        lead=t("Price, time, ownership and privacy: what people ask us before they sign, answered as we would on a call."),
        illustration="faq",
        contents=t("Topics"),
        categories=faq_categories(),
        invitation=Invitation(
            t("Didn’t find your question?"),
            t("Ask us. You’ll get an answer within one working day, and good questions end up on this page."),
            (write_to_us(), book_call()),
        ),
    )


def faq_categories() -> tuple[FaqCategory, ...]:
    return (general_inquiries.general_inquiries(), services.service_questions(), privacy_and_legal.privacy_and_legal())


def pick_questions(slugs: tuple[str, ...]) -> tuple[Question, ...]:
    """These questions of the FAQ in this order; an unknown slug is a KeyError."""
    by_slug = {question.slug: question for category in faq_categories() for question in category.questions}
    return tuple(by_slug[slug] for slug in slugs)
