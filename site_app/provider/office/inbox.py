"""Data for the inbox and for the page of a lead, and the filter in the inbox's URL."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from sqlalchemy import literal
from sqlmodel import Session, col, func, select

from site_app.core.i18n import split_language
from site_app.provider.leads.mails import ANSWER, CONFIRMATION, DIGEST, NEWS, facts_of_lead, kind_words, language_title
from site_app.provider.leads.queries import LEAD_TABLES, Cursor, Filter, LeadEntry, entries, has_status, search_limit_time
from site_app.provider.office.typed_values import parse_day_and_time
from site_app.provider.outbox.mail import Fact
from site_app.provider.store.tables import LeadStatus, MeetingStage, OpenedLead

PAGE_SIZE = 25
_MAX_COUNTED = 99
_SEARCHED_AT_ONCE = 100_000  # leads, which takes about a tenth of a second
_SNIPPET = 90
_MAX_SEARCH_LENGTH = 200
_MAX_PASSAGE_LENGTH, _MAX_LINES = 500, 12  # characters and lines up to which a text is shown whole
_OPENING, _OPENING_LINES = 250, 6  # characters and lines shown of a longer text before its rest is opened
_MAX_LIST_QUERY_LENGTH = 2000  # characters of a list's query, which the lead's URL repeats
_WORDS = ("subject", "project_description", "message", "project_information", "additional_notes")
_SIGNAL_WORDS = {  # of the reasons for quarantine, as `quarantine.spam_signals` names them
    "honeypot": "a field that people cannot see was filled in",
    "no-token": "it was sent without opening the form",
    "forged-token": "it was not sent from a form of this site",
    "too-fast": "it was sent too fast for a person",
    "old-token": "its form had been open for more than a week",
}
_MAIL_WORDS = {  # of the mail templates whose name alone does not say it
    NEWS: "new lead",
    ANSWER: "confirmation of receipt",
    CONFIRMATION: "request to confirm",
    DIGEST: "leads in quarantine",
}
_MAIL_RECIPIENTS = ("-visitor", "-host", "-guest")  # ends of the names of mail templates
FILTERS = ("words", "kind", "status", "language", "since", "until", "source", "campaign")


def filter_of(query: Mapping[str, str], zone: str) -> tuple[Filter, dict[str, str]]:
    """Returns the filter of a query, and the values for the form's fields. Invalid days are left out. Days are in the time zone `zone`."""
    typed = {name: query.get(name, "").strip()[:_MAX_SEARCH_LENGTH] for name in FILTERS}
    first, last = parse_day_and_time(typed["since"], "", zone), parse_day_and_time(typed["until"], "", zone, is_end=True)
    typed |= {"since": typed["since"] if first else "", "until": typed["until"] if last else ""}
    return Filter(
        typed["kind"], typed["status"], typed["language"], first, last, typed["words"], typed["source"], typed["campaign"]
    ), typed


def parse_cursor(text: str) -> Cursor | None:
    """Parses the time and reference of the last entry of the previous page, or returns None."""
    moment, _, reference = text.partition("_")
    try:
        return datetime.fromisoformat(moment).astimezone(UTC), reference
    except (ValueError, OverflowError):
        return None


def list_page(session: Session, filters: Filter, typed: Mapping[str, str], cursor_text: str, person: str) -> dict[str, Any]:
    """Returns a page of the list with the unread marks of this person, the query of the next page, and the numbers of waiting entries."""
    start = parse_cursor(cursor_text)
    oldest = search_limit_time(session, filters, start, most=_SEARCHED_AT_ONCE)
    page = entries(session, filters, cursor=start, limit=PAGE_SIZE + 1, oldest=oldest)
    opened_references = _opened_by(session, person, [entry["reference"] for entry in page])
    filled = {name: text for name, text in typed.items() if text}
    last = page[PAGE_SIZE - 1] if len(page) > PAGE_SIZE else None
    older = f"{last['created_at'].isoformat()}_{last['reference']}" if last else f"{oldest.isoformat()}_" if oldest else ""
    return {
        "rows": [
            entry | {"snippet": snippet(entry), "is_unread": _is_waiting(entry) and entry["reference"] not in opened_references}
            for entry in page[:PAGE_SIZE]
        ],
        "older": "?" + urlencode(filled | {"after": older}) if older else "",
        "searched_to": None if last else oldest,
        "query": urlencode(filled),
        "here": urlencode(filled | ({"after": cursor_text} if start else {})),
        "typed": typed,
        "filtered": bool(filled),
        "first": start is None,
        "waiting": {status: _count(session, status) for status in (LeadStatus.NEW, LeadStatus.QUARANTINED)},
    }


def list_of(query: Mapping[str, str]) -> str | None:
    """Returns the query of the list from which a lead was opened, from the parameter `list`, or None if it was opened from elsewhere."""
    if "list" not in query:
        return None
    return urlencode(
        {name: text for name, text in parse_qsl(query["list"][:_MAX_LIST_QUERY_LENGTH]) if name in (*FILTERS, "after")}
    )


def snippet(entry: LeadEntry) -> str:
    """Returns the beginning of the submitted text on one line."""
    text = " ".join(next((str(entry[name]) for name in _WORDS if entry.get(name)), "").split())
    return text if len(text) <= _SNIPPET else text[:_SNIPPET].rstrip() + "…"


def opening(text: str) -> tuple[str, str]:
    """Splits a long text into the part that a narrow page shows at once, and the rest; between lines or sentences if possible."""
    lines = text.splitlines(keepends=True)
    if len(text) <= _MAX_PASSAGE_LENGTH and len(lines) <= _MAX_LINES:
        return text, ""
    beginning = "".join(lines[:_OPENING_LINES])[:_OPENING]
    ends = (match.end() for mark in (r"\n", r"[.!?。！？]\s*", r"\s+") for match in reversed([*re.finditer(mark, beginning)]))
    end = next((end for end in ends if end > len(beginning) // 2), len(beginning))
    return text[:end].rstrip(), text[end:].lstrip()


def facts(entry: LeadEntry) -> list[Fact]:
    """Returns the submitted fields with labels. Fields that the kind no longer has come last."""
    return [
        *facts_of_lead(entry),
        *(Fact(name.replace("_", " "), str(value)) for name, value in entry.get("further", {}).items()),
    ]


def answer_link(entry: LeadEntry) -> str:
    """Returns a mailto link with the reference in the subject."""
    return f"mailto:{quote(entry['email'], safe='@')}?subject={quote('Re: ' + entry['reference'])}"


def reason_words(status_reason: str) -> str:
    """Returns why a lead looked automated."""
    return "; ".join(_SIGNAL_WORDS.get(signal, signal) for signal in status_reason.split())


def mail_words(template: str) -> str:
    """Returns what a mail is about, by its template: a call-booked-visitor is "call booked"."""
    for end in _MAIL_RECIPIENTS:
        template = template.removesuffix(end)
    return _MAIL_WORDS.get(template, template.replace("-", " ", 1))


def page_of(path: str) -> str:
    """Returns the path of a page without its language prefix and query."""
    return split_language(path.partition("?")[0])[1] if path else ""


def _is_waiting(entry: LeadEntry) -> bool:
    return (
        entry["status"] in (LeadStatus.NEW, LeadStatus.RELEASED, LeadStatus.QUARANTINED)
        and entry.get("state") != MeetingStage.CANCELLED
    )


def _opened_by(session: Session, person: str, references: list[str]) -> set[str]:
    conditions = OpenedLead.person == person, col(OpenedLead.reference).in_(references)
    return set(session.exec(select(OpenedLead.reference).where(*conditions)))


def _count(session: Session, status: str) -> int:
    """Returns the number of entries in this status. Counts up to 100 of each table, so that the query stays fast."""
    some = (select(literal(1)).where(has_status(table, status)).limit(_MAX_COUNTED + 1) for table in LEAD_TABLES)
    return sum(session.exec(select(func.count()).select_from(statement.subquery())).one() for statement in some)


TEMPLATE_FUNCTIONS = {
    "kind_words": kind_words,
    "language_words": language_title,
    "mail_words": mail_words,
    "opening": opening,
    "reason_words": reason_words,
}
