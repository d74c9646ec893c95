"""A visitor's message."""

from typing import Annotated

from site_app.contracts.fields import Field, FullName, ManyLines, OneLine
from site_app.contracts.submission import ContactedSubmission, LeadKind, MailWords
from site_app.core.i18n import t


class Message(ContactedSubmission):
    full_name: FullName
    subject: Annotated[OneLine, Field(min_length=3, max_length=150)]
    message: Annotated[ManyLines, Field(min_length=10, max_length=5000)]


def _mails(reference: str, name: str) -> MailWords:
    return MailWords(
        t("Message {reference} from {name}", reference=reference, name=name),
        t("We’ve received your message ({reference})", reference=reference),
        t(
            "Your message goes to someone who can answer it. Your reference is {reference}: please mention it if you contact us.",
            reference=reference,
        ),
        (t("We’ll reply by email, or by phone if you left a number and asked us to call."),),
    )


MESSAGE = LeadKind(
    "message",
    "sendMessage",
    Message,
    prefix="M",
    summary="Send a message",
    labels={"subject": lambda: t("Subject"), "message": lambda: t("Your message")},
    mails=_mails,
)
