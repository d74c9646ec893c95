"""Privacy and legal questions."""

from site_app.content.faq.records import FaqCategory, Question
from site_app.content.legal_values import months_at_most
from site_app.content.records import Link
from site_app.core.i18n import t
from site_app.core.settings import settings


def privacy_and_legal() -> FaqCategory:
    return FaqCategory(
        "privacy_and_legal",
        t("Privacy and legal"),
        (_code_ownership(), _confidentiality(), _personal_data()),
    )


def _code_ownership() -> Question:
    return Question(
        1,
        "code_ownership",
        t("Who owns the code and the designs?"),
        (
            t(
                "You do, from the day they are paid for. Repositories, cloud accounts and store listings are in your name from the start, so there is no rushed handover later."
            ),
            t(
                "Open-source components keep their licences; you get a list of them with every release. Where we use components we already owned, you get a permanent licence at no further cost."
            ),
            Link(t("Read the terms of service"), "/legals/terms-of-service#ownership"),
        ),
    )


def _confidentiality() -> Question:
    return Question(
        2,
        "confidentiality",
        t("Will you sign a confidentiality agreement?"),
        (
            t(
                "Yes, before you show us anything. We can use yours, if it is reasonable, or ours: it binds both sides equally and is two pages long."
            ),
            t("We name your project in public only with your written consent."),
            Link(t("Contact us about an agreement"), "/contact-us"),
        ),
    )


def _personal_data() -> Question:
    return Question(
        3,
        "personal_data",
        t("What happens to the information I send you?"),
        (
            t(
                "We use it to answer you and to prepare a quote or a call. It is deleted after {months} months at the latest, or as soon as you ask. We don’t sell it, and no advertiser gets it.",
                months=months_at_most(settings().keep_leads),
            ),
            t("This website sets one cookie, and only when you choose a language."),
            Link(t("What protects you"), "/company/about-us#trust"),
            Link(t("Read the privacy policy"), "/legals/privacy-policy"),
        ),
    )
