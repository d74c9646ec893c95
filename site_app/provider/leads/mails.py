"""Mails about leads, and their outbox rows: to the team, to the sender, to the sender of a quarantined lead, and the daily digest."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_timedelta
from babel.numbers import format_decimal

from site_app.contracts.attribution import NAMES
from site_app.contracts.fields import label
from site_app.contracts.input import choices, control
from site_app.contracts.kinds import BY_NAME
from site_app.contracts.kinds.affiliate import AFFILIATE
from site_app.contracts.kinds.message import MESSAGE
from site_app.contracts.kinds.quote import QUOTE
from site_app.contracts.submission import LeadKind
from site_app.core.business import REPLY_DAYS, working_day_after
from site_app.core.i18n import current, t, tc, tn, use
from site_app.core.i18n.clocks import date_words, day_words
from site_app.core.i18n.names import country_name, currency_name
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.core.settings.targets import LEAD_CREATED, LEAD_RELEASED, STATUS
from site_app.provider.outbox.mail import Fact, Fields, MailAddress, MailLink, MailText
from site_app.provider.outbox.notices import Event, event_rows, office_url
from site_app.provider.outbox.rows import (
    Template,
    fields_of,
    row_to_team,
    row_to_visitor,
    safe_fields,
)
from site_app.provider.store.tables import MEETING, LeadStatus, Meeting, NewLead, NewOutbox

NEWS = "news"
ANSWER = "answer"
CONFIRMATION = "confirmation"
DIGEST = "digest"
_KIND_WORDS = {AFFILIATE.name: "affiliate application", QUOTE.name: "quote request", MEETING: "call"}
_COMMAND = "python -m site_app leads"
_FIRST_FIELDS = ("reference", "full_name", "first_name", "last_name", "email", "phone", "company")
_MAILED_MEETING_FIELDS = ("project_information", "additional_notes", "guest_email", "host", "call_language")
_LAST_FIELDS = ("attachments", "language", "source_page", "attribution")


def lead_rows(lead: NewLead, *, files: Iterable[Mapping[str, Any]] = (), settings: Settings, now: datetime) -> list[NewOutbox]:
    """Returns the outbox rows of a lead: a mail to the team, an answer to the sender, and one for each target that receives lead events.

    `files` are mappings with `name` and `size`.
    """
    fields = fields_of(lead) | {"attachments": [dict(file) for file in files]}
    safe = safe_fields(fields) | {"taken_at": now.isoformat()}  # the day from which the reply is promised
    rows = [
        row_to_team(NEWS, fields, settings=settings, now=now),
        row_to_visitor(ANSWER, safe, lead, settings=settings, now=now),
    ]
    if settings.targets:  # the line of an event takes a third of the time of both mails
        rows += event_rows(lead_event(lead, fields, settings), settings=settings, now=now)
    return rows


def confirmation_rows(lead: NewLead, *, confirm_url: str, settings: Settings, now: datetime) -> list[NewOutbox]:
    """Returns the outbox row of a lead in quarantine: one question to its sender."""
    return [
        row_to_visitor(
            CONFIRMATION, safe_fields(fields_of(lead)) | {"confirm_url": confirm_url}, lead, settings=settings, now=now
        )
    ]


def digest_row(day: date, listed: Sequence[Mapping[str, Any]], *, count: int, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the team's mail of that day with the number of leads in quarantine.

    Each lead of `listed` has reference, kind, created_at, erased_at and is_asked (True if a mail asked the sender to confirm).
    """
    fields = {"reference": f"quarantine-{day}", "written_at": now.isoformat(), "count": count, "waiting": [*listed]}
    return row_to_team(DIGEST, fields, settings=settings, now=now)


def news_text(fields: Fields, settings: Settings) -> MailText:
    """Returns the mail that tells the team of a new lead; a reply to it goes to the visitor."""
    name = name_of(fields)
    reference = fields["reference"]
    title = BY_NAME[fields["kind"]].mails(reference, name).team_subject
    files = t("The files stay on the server: python -m site_app leads show {reference} says where.", reference=reference)
    return MailText(
        subject=title,
        heading=title,
        opening=(t("Reply to this email and your answer goes to {name}.", name=name),),
        facts=facts_of_lead(fields),
        facts_title=t("What was sent"),
        action=_in_the_office(reference, settings),
        closing=(files,) if fields.get("attachments") and not settings.office else (),
        reply_to=MailAddress(name, fields["email"]),
    )


def answer_text(fields: Fields, settings: Settings) -> MailText:
    """Returns the answer to the sender: the reference and the next steps, but nothing of the submitted text."""
    words = BY_NAME[fields["kind"]].mails(fields["reference"], "")
    return MailText(
        subject=words.subject,
        heading=t("We’ll reply by {day}", day=_reply_day(fields, settings)),
        greeting=t("Hello,"),
        opening=(words.opening,),
        steps=words.steps,
        steps_title=t("What happens next"),
        closing=(_kept_until(fields, settings),),
        is_reply=True,
    )


def confirmation_text(fields: Fields, settings: Settings) -> MailText:
    """Returns the mail that asks the sender of a quarantined lead to confirm it."""
    return MailText(
        subject=_confirmation_subject(fields),
        heading=t("Please confirm this came from you"),
        opening=(
            t(
                "Someone has sent us a form with this email address. Before we reply, please confirm that it was you. Its reference is {reference}.",
                reference=fields["reference"],
            ),
            t("Once you confirm, we’ll reply within one working day."),
        ),
        action=MailLink(t("Yes, this came from me"), fields["confirm_url"]),
        closing=(
            tn(
                "If you didn’t contact us, do nothing: what was sent will be deleted in a day.",
                "If you didn’t contact us, do nothing: what was sent will be deleted in {count} days.",
                settings.keep_quarantine.days,
            ),
        ),
        is_reply=True,
    )


def _confirmation_subject(fields: Fields) -> str:
    if fields.get("kind") == MESSAGE.name:  # missing in mails that the first release wrote
        return t("Please confirm your message ({reference})", reference=fields["reference"])
    return t("Please confirm what you sent us ({reference})", reference=fields["reference"])


def lead_event(lead: NewLead, fields: Fields, settings: Settings) -> Event:
    """Returns the event that a lead was created, or released from quarantine."""
    event_type = LEAD_RELEASED if lead.status == LeadStatus.RELEASED else LEAD_CREATED
    return Event(event_type, lead.reference, line_of_lead(fields, settings), fields)


def status_event(row: NewLead | Meeting, old_status: str, person: str, settings: Settings) -> Event:
    """Returns the event that somebody of the team has changed the status of a lead or meeting."""
    fields = fields_of(row) | {"kind": row.kind}
    data = {"reference": row.reference, "kind": row.kind, "status": row.status, "before": old_status}
    line = f"{line_of_lead(fields, settings)}: {old_status} → {row.status}, by {person.partition('@')[0]}"
    return Event(STATUS, row.reference, line, data, edition=row.version)


def sender_label(fields: Fields, settings: Settings) -> str:
    """Returns the visitor as a notice to a chat names them: by country, or by name if SITE_NOTIFY_NAMES is set."""
    if settings.notify_names:
        return name_of(fields)
    return country_name(fields["country"]) if fields.get("country") else "a visitor"


def line_of_lead(fields: Fields, settings: Settings) -> str:
    """Returns the line of a notice, in English like the mails to the team: kind, reference, who, and what was chosen from lists."""
    kind = BY_NAME.get(fields["kind"])
    reference = fields["reference"]
    with use(ENGLISH):
        sender = sender_label(fields, settings)
        if kind is None:
            return f"Call {reference} with {sender}"
        choices = [
            _value_words(name, fields[name], kind).replace("\n", ", ")
            for name in kind.own_fields
            if fields.get(name) and control(kind.contract, name) in ("choice", "choices")
        ]
        return ": ".join([kind.mails(reference, sender).team_subject, *choices])


def name_of(fields: Fields) -> str:
    """Returns the sender's name in the order of their language: 王小明 if it was written on a Chinese page, else Somchai Jaidee."""
    if fields.get("full_name"):
        return str(fields["full_name"])
    names = fields.get("first_name", ""), fields.get("last_name", "")
    written_in = BY_ID.get(fields.get("language", ""), ENGLISH)
    return "".join(reversed(names)) if written_in.family_name_first and _is_han("".join(names)) else " ".join(names).strip()


def _is_han(name: str) -> bool:
    return bool(name) and all("\u3400" <= sign <= "\u9fff" for sign in name)


def _in_the_office(reference: str, settings: Settings) -> MailLink | None:
    url = office_url(reference, settings)
    return MailLink("Open it in the office", url) if url else None  # for the team, whose mails are in English


def _reply_day(fields: Fields, settings: Settings) -> str:
    """Returns the day by which the team promises to reply, counted from the agency's own day."""
    zone = ZoneInfo(settings.booking_zone)
    taken_at = datetime.fromisoformat(fields.get("taken_at") or fields["created_at"]).astimezone(zone)
    day = working_day_after(taken_at.date(), REPLY_DAYS, settings)
    return day_words(datetime.combine(day, time(12), zone), zone)


def _kept_until(fields: Fields, settings: Settings) -> str:
    day = datetime.fromisoformat(fields["created_at"]) + settings.keep_leads
    if fields["kind"] == AFFILIATE.name:
        return t(
            "On {date} we’ll delete what you sent us, unless a dispute needs it longer; if we approve your application, we keep what tax and company law require. To have it deleted sooner, or if it wasn’t you who sent it, reply to this email.",
            date=date_words(day.date()),
        )
    return t(
        "On {date} we’ll delete what you sent us, unless a contract or a dispute needs it longer. To have it deleted sooner, or if it wasn’t you who sent it, reply to this email.",
        date=date_words(day.date()),
    )


def digest_text(fields: Fields, settings: Settings) -> MailText:
    """Returns the mail that lists the leads in quarantine, how old each is, when it is erased, and how to release it.

    It contains nothing that the senders wrote, because they may be spam programs.
    """
    count = fields["count"]
    listed = fields["waiting"]
    title = tn("{count} enquiry is in quarantine", "{count} enquiries are in quarantine", count)
    unlisted = tn("{count} more is not listed here.", "{count} more are not listed here.", count - len(listed))
    return MailText(
        subject=title,
        heading=title,
        opening=(t("Each of these looked automated, so it is held until its sender confirms it or one of you releases it."),),
        facts=tuple(_waiting(lead, datetime.fromisoformat(fields["written_at"])) for lead in listed),
        facts_title=t("The oldest first"),
        action=MailLink("Read them in the office", f"{settings.office_origins[0]}/office") if settings.office else None,
        closing=(
            *([unlisted] if count > len(listed) else []),
            *(_commands(listed[0]["reference"]) if not settings.office else ()),
        ),
    )


def _commands(reference: str) -> tuple[str, ...]:
    """Returns how to read and release a lead where there is no office."""
    return (
        t("To read one: {command}", command=f"{_COMMAND} show {reference}"),
        t("To release one and treat it as a normal enquiry: {command}", command=f"{_COMMAND} release {reference}"),
    )


def _waiting(lead: Fields, now: datetime) -> Fact:
    age = format_timedelta(now - datetime.fromisoformat(lead["created_at"]), locale=current().babel)
    day = date_words(datetime.fromisoformat(lead["erased_at"]).date())
    text = t("{kind}, {age} old, will be deleted on {date}", kind=kind_words(lead["kind"]).capitalize(), age=age, date=day)
    # not translated, because mails to the team are in English
    remark = "" if lead.get("is_asked", True) else "; not asked to confirm: this address had already had its emails for the day"
    return Fact(lead["reference"], text + remark)


def facts_of_lead(fields: Fields) -> tuple[Fact, ...]:
    """Returns all facts of a lead or meeting: the sender, then the kind's own fields in the contract's order, then how it was sent."""
    kind = BY_NAME.get(fields["kind"])
    if fields.get("call_language") == ENGLISH.id:  # as of every meeting where there is no choice
        fields = {name: value for name, value in fields.items() if name != "call_language"}
    return facts_of(
        fields, dict.fromkeys((*_FIRST_FIELDS, *(kind.own_fields if kind else _MAILED_MEETING_FIELDS), *_LAST_FIELDS)), kind
    )


def facts_of(fields: Fields, names: Iterable[str], kind: LeadKind | None = None) -> tuple[Fact, ...]:
    """Returns the named fields that are not empty, in this order."""
    return tuple(Fact(_label(name, kind), _value_words(name, fields[name], kind)) for name in names if fields.get(name))


def _label(name: str, kind: LeadKind | None) -> str:
    if name in _OTHER_LABELS:
        return _OTHER_LABELS[name]()
    return kind.label(name) if kind else label(name)


def _value_words(name: str, value: Any, kind: LeadKind | None) -> str:
    if name in _VALUE_WORDS:
        return _VALUE_WORDS[name](value)
    if kind is None or name not in kind.own_fields:
        return str(value)
    match control(kind.contract, name):
        case "choice" | "choices":
            words = choices(kind.contract, name)
            return "\n".join(words.get(slug, slug) for slug in ([value] if isinstance(value, str) else value))
        case "date":
            return date_words(date.fromisoformat(value))
        case "country":
            return country_name(value)
        case "currency":
            return t("{name} ({detail})", name=currency_name(value), detail=value)
    return t("Yes") if value is True else str(value)


def _files(files: list[Mapping[str, Any]]) -> str:
    return "\n".join(t("{name} ({detail})", name=file["name"], detail=_size(file["size"])) for file in files)


def _size(octets: int) -> str:
    if octets < 1_000_000:
        return t("{size} kB", size=format_decimal(max(1, round(octets / 1000)), locale=current().babel))
    return t("{size} MB", size=format_decimal(round(octets / 1_000_000, 1), locale=current().babel))


def kind_words(kind: str) -> str:
    """Returns what the team calls a kind of lead, in English and in lower case."""
    return _KIND_WORDS.get(kind, kind.replace("_", " "))


def language_title(identity: str) -> str:
    """Returns the language's own name, or the text itself if it is no language id."""
    return BY_ID[identity].title if identity in BY_ID else identity


def attribution_words(attribution: Mapping[str, str]) -> str:
    """Returns where the visitor came from, one line for each known detail. In English, because only the team reads it."""
    return "\n".join(f"{name.replace('_', ' ')}: {attribution[name]}" for name in NAMES if attribution.get(name))


_OTHER_LABELS = {
    "reference": lambda: t("Reference"),
    "language": lambda: tc("of a website", "Language"),
    "source_page": lambda: tc("of a website", "Page"),
    "attribution": lambda: t("Came from"),
}
_VALUE_WORDS: dict[str, Callable[[Any], str]] = {
    "attachments": _files,
    "language": language_title,
    "call_language": language_title,
    "attribution": attribution_words,
}

TEMPLATES = {
    NEWS: Template(news_text, to_team=True),
    ANSWER: Template(answer_text),
    CONFIRMATION: Template(confirmation_text),
    DIGEST: Template(digest_text, to_team=True, has_lead=False),
}
