"""The daily mail to the team about leads in quarantine; it repeats no word of their senders, who may be machines."""

from datetime import datetime

from babel.dates import format_timedelta

from site_app.i18n import current, t, tn
from site_app.i18n.clocks import date_words
from site_app.leads.letters.facts import Fields
from site_app.leads.letters.letter import Fact, Letter
from site_app.settings import Settings

_COMMAND = "python -m site_app leads"


def digest(fields: Fields, settings: Settings) -> Letter:
    """Lists what waits, for how long, when it will be erased, and how to let it through."""
    count, listed = fields["count"], fields["waiting"]
    title = tn("{count} lead waits in quarantine", "{count} leads wait in quarantine", count)
    further = tn("{count} more is not listed here.", "{count} more are not listed here.", count - len(listed))
    return Letter(
        subject=title,
        heading=title,
        opening=(
            t("Something about them looked automated, so we asked the senders to confirm. Nobody has confirmed these yet."),
        ),
        facts=tuple(_line(one, datetime.fromisoformat(fields["written_at"])) for one in listed),
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


def _line(one: Fields, now: datetime) -> Fact:
    age = format_timedelta(now - datetime.fromisoformat(one["created_at"]), locale=current().babel)
    day = date_words(datetime.fromisoformat(one["erased_at"]).date())
    return Fact(one["reference"], t("{kind}, {age} old, will be deleted on {date}", kind=one["kind"], age=age, date=day))
