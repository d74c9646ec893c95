"""Letters about what a visitor sent: news for the team, an answer to the sender, a question in case of doubt."""

import re
from datetime import datetime
from typing import NamedTuple

from site_app.i18n import t, tn
from site_app.services.letters.facts import Fields, facts_of
from site_app.services.letters.letter import Letter, Link, Person
from site_app.services.letters.local import long_day
from site_app.settings import Settings
from site_app.store.tables.lead import AFFILIATE, MESSAGE, QUOTE

_FOR_THE_TEAM_ONLY = ("language", "source_page")


def news(fields: Fields, settings: Settings) -> Letter:
    """Tells the team of a new lead; a reply goes to the visitor."""
    name, reference = name_of(fields), fields["reference"]
    title = WORDS[fields["kind"]](reference, name).news
    return Letter(
        subject=title,
        heading=title,
        opening=(t("Reply to this email and your answer goes to {name}.", name=name),),
        facts=facts_of(fields),
        facts_title=t("What was sent"),
        closing=(_where_the_files_are(reference),) if fields.get("attachments") else (),
        reply_to=Person(name, fields["email"]),
    )


def answer(fields: Fields, settings: Settings) -> Letter:
    """Answers the sender: the reference, what happens next, and a copy of what was sent."""
    words = WORDS[fields["kind"]](fields["reference"], name_of(fields))
    return Letter(
        subject=words.subject,
        heading=t("Thank you, we have it"),
        opening=(greeting(fields), words.opening),
        facts=facts_of({name: value for name, value in fields.items() if name not in _FOR_THE_TEAM_ONLY}),
        facts_title=t("What you sent us"),
        steps=words.steps,
        steps_title=t("What happens next"),
        closing=(_kept_until(fields, settings),),
        answers=True,
    )


def confirmation(fields: Fields, settings: Settings) -> Letter:
    """Asks whether a person sent it. It repeats no word of theirs, or strangers could have us mail anything to anyone."""
    return Letter(
        subject=t("Please confirm your message, {reference}", reference=fields["reference"]),
        heading=t("One click, and we read it"),
        opening=(
            t(
                "Somebody entered this email address on our website. The message is safe with us under the reference "
                "{reference}, but something about it looked automatic, so it needs a quick check.",
                reference=fields["reference"],
            ),
            t("If you wrote it, please confirm. We then read it like any other message."),
        ),
        action=Link(t("Yes, I wrote it"), fields["confirm_url"]),
        closing=(
            tn(
                "If you did not write to us, do nothing: the message is erased in a day.",
                "If you did not write to us, do nothing: the message is erased in {count} days.",
                settings.keep_quarantine.days,
            ),
        ),
        answers=True,
    )


def greeting(fields: Fields) -> str:
    """Hello by name, unless the name is an advertisement."""
    name = name_of(fields)
    return t("Hello,") if not name or _LOOKS_LIKE_A_LINK.search(name) else t("Hello {name},", name=name)


def name_of(fields: Fields) -> str:
    return fields.get("full_name") or f"{fields.get('first_name', '')} {fields.get('last_name', '')}".strip()


_LOOKS_LIKE_A_LINK = re.compile(r"[/@:<>\\]|\w\.\w|\d")


def _where_the_files_are(reference: str) -> str:
    return t("The files stay on the server: python -m site_app leads show {reference} says where.", reference=reference)


def _kept_until(fields: Fields, settings: Settings) -> str:
    day = datetime.fromisoformat(fields["created_at"]) + settings.keep_leads
    return t(
        "We erase this on {date}. To have it erased earlier, or if you did not send it, reply to this email.",
        date=long_day(day),
    )


class _Words(NamedTuple):
    """What one kind of lead has of its own: the team's subject; the sender's, the first sentence, what happens next."""

    news: str
    subject: str
    opening: str
    steps: tuple[str, ...]


def _quote(reference: str, name: str) -> _Words:
    return _Words(
        t("Quote request {reference} from {name}", reference=reference, name=name),
        t("Your quote request {reference}", reference=reference),
        t(
            "Your quote request has arrived. Its reference is {reference}: please name it if you write or call.",
            reference=reference,
        ),
        (
            t("An engineer reads your description and every file."),
            t("Within one working day you get a reply from a person, with questions or a first estimate."),
            t("You receive a written quote with scope, price and timeline. It commits you to nothing."),
        ),
    )


def _message(reference: str, name: str) -> _Words:
    return _Words(
        t("Message {reference} from {name}", reference=reference, name=name),
        t("Your message {reference}", reference=reference),
        t("Your message has arrived. Its reference is {reference}: please name it if you write or call.", reference=reference),
        (
            t("Somebody who can answer it reads your message."),
            t("Within one working day you get a reply by email, or a call if you left a number and asked for one."),
        ),
    )


def _affiliate(reference: str, name: str) -> _Words:
    return _Words(
        t("Affiliate application {reference} from {name}", reference=reference, name=name),
        t("Your affiliate application {reference}", reference=reference),
        t(
            "Your application to the affiliate program has arrived. Its reference is {reference}: please name it if you "
            "write or call.",
            reference=reference,
        ),
        (
            t("We read your application and reply within one working day to arrange a short call."),
            t("Once you are approved you get your referral link and can start promoting."),
            t("Commissions are calculated and paid monthly, as the terms you agreed to describe."),
        ),
    )


WORDS = {QUOTE: _quote, MESSAGE: _message, AFFILIATE: _affiliate}
