"""Privacy and legal questions."""

from site_app import constants
from site_app.content.faq.records import FaqCategory, Onward, Paragraph, Question
from site_app.content.records import Link
from site_app.i18n import t


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
            Paragraph(
                t(
                    "You do, from the day they are paid for. Repositories, cloud accounts and store listings are opened in your name at the start, so there is nothing to hand over under pressure."
                )
            ),
            Paragraph(t("Open-source parts keep their licences. You receive a list of them with every release.")),
            Onward(Link(t("Read the terms of service"), "/legals/terms-of-service#ownership")),
        ),
    )


def _confidentiality() -> Question:
    return Question(
        2,
        "confidentiality",
        t("Will you sign a confidentiality agreement?"),
        (
            Paragraph(
                t(
                    "Yes, before you show us anything. Yours, if it is reasonable, or ours, which binds both sides alike and is two pages long."
                )
            ),
            Paragraph(t("Your project is named in public only with your written consent.")),
            Onward(Link(t("Write to us about an agreement"), "/contact-us")),
        ),
    )


def _personal_data() -> Question:
    return Question(
        3,
        "personal_data",
        t("What happens to what I send you?"),
        (
            Paragraph(
                t(
                    "We use it to answer you and to prepare a quote or a call. It is erased after {months} months at the latest, or as soon as you ask. It is not sold, and no advertiser gets it.",
                    months=constants.LEAD_RETENTION_MONTHS,
                )
            ),
            Paragraph(t("This website sets one cookie, and only when you choose a language.")),
            Onward(Link(t("Read the privacy policy"), "/legals/privacy-policy")),
        ),
    )
