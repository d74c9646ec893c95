"""Mails about what a visitor sent: news for the team, an answer to the sender, a question where it looks automatic."""

from datetime import datetime

from site_app.contracts.kinds import BY_NAME
from site_app.core.i18n import BY_ID, ENGLISH, t, tn
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.leads.mails.facts import Fields, facts_of_lead
from site_app.provider.outbox.text import Link, MailText, Person


def news(fields: Fields, settings: Settings) -> MailText:
    """Tells the team of a new lead; a reply goes to the visitor."""
    name, reference = name_of(fields), fields["reference"]
    title = BY_NAME[fields["kind"]].mails(reference, name).team_subject
    files = t("The files stay on the server: python -m site_app leads show {reference} says where.", reference=reference)
    return MailText(
        subject=title,
        heading=title,
        opening=(t("Reply to this email and your answer goes to {name}.", name=name),),
        facts=facts_of_lead(fields),
        facts_title=t("What was sent"),
        action=_in_the_office(reference, settings),
        closing=(files,) if fields.get("attachments") else (),
        reply_to=Person(name, fields["email"]),
    )


def answer(fields: Fields, settings: Settings) -> MailText:
    """Answers the sender: the reference and what happens next, and no word of what was sent."""
    words = BY_NAME[fields["kind"]].mails(fields["reference"], "")
    return MailText(
        subject=words.subject,
        heading=t("Thank you, we’ve received it"),
        greeting=t("Hello,"),
        opening=(words.opening,),
        steps=words.steps,
        steps_title=t("What happens next"),
        closing=(_kept_until(fields, settings),),
        answers=True,
    )


def confirmation(fields: Fields, settings: Settings) -> MailText:
    """Asks whether a person sent it."""
    return MailText(
        subject=t("Please confirm your message ({reference})", reference=fields["reference"]),
        heading=t("One last step before we read your message"),
        opening=(
            t(
                "Someone entered this email address on our website. The message is safe with us under the reference {reference}, but something about it looked automated, so we need a quick check.",
                reference=fields["reference"],
            ),
            t("If it was you, please confirm. We’ll then read it like any other message."),
        ),
        action=Link(t("Yes, that was me"), fields["confirm_url"]),
        closing=(
            tn(
                "If you did not contact us, do nothing: the message will be deleted in a day.",
                "If you did not contact us, do nothing: the message will be deleted in {count} days.",
                settings.keep_quarantine.days,
            ),
        ),
        answers=True,
    )


def name_of(fields: Fields) -> str:
    """The sender's name as their language says it: 王小明 where it was written on a Chinese page, else Somchai Jaidee."""
    if fields.get("full_name"):
        return str(fields["full_name"])
    names = fields.get("first_name", ""), fields.get("last_name", "")
    written_in = BY_ID.get(fields.get("language", ""), ENGLISH)
    return "".join(reversed(names)) if written_in.family_name_first and _is_han("".join(names)) else " ".join(names).strip()


def _is_han(name: str) -> bool:
    return bool(name) and all("\u3400" <= sign <= "\u9fff" for sign in name)


def _in_the_office(reference: str, settings: Settings) -> Link | None:
    url = f"{settings.office_origins[0]}/office/leads/{reference}"
    return Link("Open it in the office", url) if settings.office else None  # for the team, whose mails are in English


def _kept_until(fields: Fields, settings: Settings) -> str:
    day = datetime.fromisoformat(fields["created_at"]) + settings.keep_leads
    return t(
        "We’ll delete this on {date}. To have it deleted sooner, or if you did not send it, reply to this email.",
        date=date_words(day.date()),
    )
