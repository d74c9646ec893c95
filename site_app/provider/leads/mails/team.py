"""Mails to the agency's own people: the day's quarantine, a link to sign in to the office, a test mail."""

from datetime import datetime

from babel.dates import format_timedelta

from site_app.core.i18n import current, t, tn
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.leads.mails.facts import Fields
from site_app.provider.outbox.text import Fact, Link, MailText

_COMMAND = "python -m site_app leads"


def digest(fields: Fields, settings: Settings) -> MailText:
    """Lists the leads in quarantine, how old each is, when it is erased, and how to release it.

    It repeats no word of their senders, who may be machines.
    """
    count, listed = fields["count"], fields["waiting"]
    title = tn("{count} lead waits in quarantine", "{count} leads wait in quarantine", count)
    further = tn("{count} more is not listed here.", "{count} more are not listed here.", count - len(listed))
    return MailText(
        subject=title,
        heading=title,
        opening=(
            t("Something about them looked automated, so we asked the senders to confirm. Nobody has confirmed these yet."),
        ),
        facts=tuple(_waiting(one, datetime.fromisoformat(fields["written_at"])) for one in listed),
        facts_title=t("The oldest first"),
        closing=(
            *([further] if count > len(listed) else []),
            t("To read one: {command}", command=f"{_COMMAND} show {listed[0]['reference']}"),
            t(
                "To release one, as if it had never been in doubt: {command}",
                command=f"{_COMMAND} release {listed[0]['reference']}",
            ),
        ),
    )


def sign_in(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Sign in to the {settings.brand_name} office",
        heading="Sign in",
        opening=(f"This link works once, within {fields.get('minutes', '10')} minutes of asking for it.",),
        action=Link("Sign in", fields["url"]),
        closing=("If you did not ask for it, do nothing: without the link nobody gets in.",),
    )


def test_mail(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Test mail from {settings.brand_name}",
        heading="Mail leaves",
        opening=("You asked for this mail. It went the same way as mails to visitors.",),
    )


def _waiting(one: Fields, now: datetime) -> Fact:
    age = format_timedelta(now - datetime.fromisoformat(one["created_at"]), locale=current().babel)
    day = date_words(datetime.fromisoformat(one["erased_at"]).date())
    text = t("{kind}, {age} old, will be deleted on {date}", kind=one["kind"], age=age, date=day)
    # Teams' mails are in English.
    asked = "" if one.get("is_asked", True) else "; its sender was not asked, because this mailbox had had its mails of the day"
    return Fact(one["reference"], text + asked)
