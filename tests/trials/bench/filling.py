"""Fills a database by plain SQL with a year of a large agency: leads, meetings, mails, the office's work, partners, views and texts."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import insert, text

from site_app.provider.affiliates.ledger import add_months
from site_app.provider.affiliates.terms import current_version
from site_app.provider.http.tokens import hash_of
from site_app.provider.insights.page_views import MAX_REFERRERS
from site_app.provider.store import brief_engine
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, Partner, PartnerLink, Payout, Referral, Revision
from tests.trials.bench.office import WORDS

EDITORS, PAGES, DAYS = 50, 150, 365
VIEWS_A_DAY_PER_LEAD = 100  # of a year: a million leads a year and a hundred million views a day
_LEADS_A_PARTNER, _LEADS_A_MEETING, _LEADS_AN_ARTICLE, _LEADS_A_HOST = 100, 25, 200, 200
_HOSTS = 10  # for whom meetings are booked
_EVERY_REFERRED = 33  # one lead in so many carries a partner's code
_TEXTS = 997  # different messages; a prime, so that they mix with every other cycle of the rows
_AT_ONCE = 10_000  # rows of an INSERT with values
_INDEXES_OF_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
_INDEXES_OF_POSTGRESQL = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname LIKE 'ix%'"
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Dialect:
    """The expressions that SQLite and PostgreSQL write differently."""

    is_sqlite: bool

    def moment(self, seconds: str) -> str:
        """Returns the point in time so many seconds before now."""
        if self.is_sqlite:
            return f"strftime('%Y-%m-%d %H:%M:%S.000000', CAST(:now - ({seconds}) AS INTEGER), 'unixepoch')"
        return f"to_timestamp(:now - ({seconds}))"

    def day(self, days: str) -> str:
        """Returns the day so many days before now."""
        if self.is_sqlite:
            return f"date(CAST(:now AS INTEGER) - 86400 * ({days}), 'unixepoch')"
        return f"CAST(to_timestamp(:now - 86400 * ({days})) AT TIME ZONE 'UTC' AS date)"

    def json(self, expression: str) -> str:
        return expression if self.is_sqlite else f"CAST({expression} AS json)"


def articles_at(leads: int) -> int:
    return leads // _LEADS_AN_ARTICLE


def partners_at(leads: int) -> int:
    return leads // _LEADS_A_PARTNER


def code_of(partner: int) -> str:
    """Returns the code of a partner's links; `_CODE` is the same in SQL."""
    return str(10_000_000 + partner).replace("0", "A").replace("1", "C")


_CODE = f"replace(replace(CAST(10000001 + (n / {_EVERY_REFERRED}) % :partners AS TEXT), '0', 'A'), '1', 'C')"


def token_of(partner: int) -> str:
    """Returns the token of a partner's page."""
    return f"page-of-partner-{partner}"


def lead_reference(number: int) -> str:
    """Returns the reference of a lead; 1 is the newest."""
    return f"M-{1_000_000 + number}"


def fill(url: str, leads: int, *, now: datetime) -> None:
    """Fills an empty, migrated database with the rows of so many leads a year, spread evenly over that year."""
    values = {"now": now.timestamp(), "leads": leads, "step": DAYS * 86_400 / leads, "partners": partners_at(leads)}
    with brief_engine(url) as engine, engine.begin() as connection:
        is_sqlite = engine.dialect.name == "sqlite"
        if is_sqlite:
            connection.execute(
                text("PRAGMA cache_size = -2000000")
            )  # KiB, or each page of an index would be written many times
        indexes = connection.execute(text(_INDEXES_OF_SQLITE if is_sqlite else _INDEXES_OF_POSTGRESQL)).all()
        for name, _ in indexes:  # made again afterwards, which is faster than adding each row to them
            connection.execute(text(f"DROP INDEX {name}"))
        for statement in (*_numbers(), *_statements(Dialect(is_sqlite), leads)):
            connection.execute(text(statement), {name: values[name] for name in values if f":{name}" in statement})
        for table, rows in _program(leads, now).items():
            for start in range(0, len(rows), _AT_ONCE):
                connection.execute(insert(table), rows[start : start + _AT_ONCE])
        for table in ("filling_number", "filling_text"):
            connection.execute(text(f"DROP TABLE {table}"))
        for _, definition in indexes:
            connection.execute(text(definition))
    # As autovacuum does in time where a server runs.
    with brief_engine(url) as engine, engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if is_sqlite else "VACUUM ANALYZE"))


def _numbers() -> Iterator[str]:
    """Yields the statements that make the rows all others are selected from: numbers, and texts of messages."""
    chance = random.Random(0)
    bodies = [" ".join(chance.choice(WORDS) for _ in range(chance.randrange(20, 120))) for _ in range(_TEXTS)]
    yield "CREATE TABLE filling_text (k INTEGER PRIMARY KEY, body TEXT NOT NULL)"
    yield "INSERT INTO filling_text VALUES " + ", ".join(f"({k}, '{body}')" for k, body in enumerate(bodies))
    yield "CREATE TABLE filling_number (n INTEGER PRIMARY KEY)"
    yield (
        "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < :leads) "
        "INSERT INTO filling_number SELECT n FROM series"
    )


def _statements(dialect: Dialect, leads: int) -> Iterator[str]:
    """Yields a statement for each large table; lead `n` is the n-th newest."""
    at, json, numbers = dialect.moment, dialect.json, "FROM filling_number"
    nothing = json("'{}'")
    reference, editor = "'M-' || (1000000 + n)", f"'editor' || (n % {EDITORS}) || '@example.com'"
    sender = "'person' || (n * 7 % 800009) || '@customer' || ((n + 2) / 3) || '.example'"
    language = "CASE WHEN n % 10 < 7 THEN 'en' WHEN n % 10 < 9 THEN 'th' ELSE 'cn' END"
    page = f"'/page-' || (n % {PAGES})"
    status = (
        "CASE WHEN n * 12 < :leads AND n % 20 = 0 THEN 'quarantined' WHEN n * 200 < :leads THEN 'new' "
        "WHEN n * 50 < :leads THEN 'read' WHEN n % 3 = 0 THEN 'answered' WHEN n % 7 = 1 THEN 'won' ELSE 'lost' END"
    )
    kind = "CASE WHEN n % 20 < 11 THEN 'message' WHEN n % 20 < 19 THEN 'quote' ELSE 'affiliate' END"
    landing = f""", "landing_page": "' || {page} || '"}}'"""
    attribution = (
        f"""CASE WHEN n % {_EVERY_REFERRED} = 0 THEN '{{"ref": "' || {_CODE} || '"{landing} """
        f"""WHEN n % 4 = 1 THEN '{{"utm_source": "newsletter-' || (n % 30) || '", "utm_campaign": "campaign-' || (n % 100) || '"{landing} """
        f"""WHEN n % 4 = 2 THEN '{{"referrer": "site' || (n % 200) || '.example"{landing} ELSE '{{}}' END"""
    )
    fields = """'{"full_name": "Person ' || n || '", "subject": "A question", "message": "' || body || '", "country": "GB"}'"""
    yield (
        "INSERT INTO lead (reference, status, status_reason, created_at, language, source_page, email, phone, phone_e164, "
        "phone_extension, company, owner, version, attribution, kind, said, folded) "
        f"SELECT {reference}, {status}, '', {at('n * :step')}, {language}, {page}, {sender}, '+44 20 7946 0958', '+442079460958', '', "
        f"'Company ' || (n % 5000), {editor}, 1, {json(attribution)}, {kind}, {json(fields)}, "
        f"lower({reference} || ' ' || {sender} || ' company ' || (n % 5000) || ' person ' || n || ' a question ' || body) "
        f"{numbers} JOIN filling_text ON k = n % {_TEXTS}"
    )
    yield from _meetings(dialect, leads, editor)
    mail = (
        "INSERT INTO outbox (kind, message_id, reference, template, payload, language, recipient, mailbox, status, attempts, "
        "next_attempt_at, last_error, created_at, sent_at) SELECT 'mail', "
    )
    when = f"{at('n * :step')}, '', {at('n * :step')}, {at('n * :step')} {numbers}"
    yield f"{mail} n || '.news', {reference}, 'news', {nothing}, 'en', 'team@example.com', '', 'sent', 1, {when}"
    yield (
        f"{mail} n || '.answer', {reference}, 'answer', {nothing}, {language}, {sender}, {sender}, "
        f"CASE WHEN n % 500 = 0 THEN 'withheld' WHEN n % 20000 = 7 THEN 'dead' ELSE 'sent' END, 1, {when}"
    )
    yield (
        "INSERT INTO idempotency_key (kind, key, body_hash, reference, quarantined, created_at) "
        f"SELECT 'Message', 'key-' || n, 'hash', {reference}, FALSE, {at('n * :step')} {numbers} WHERE n * 12 < :leads"
    )
    yield (
        "INSERT INTO note (reference, person, written_at, text, held, folded) "
        f"SELECT {reference}, {editor}, {at('n * :step')}, body, FALSE, body {numbers} JOIN filling_text ON k = n % {_TEXTS} WHERE n % 5 = 0"
    )
    yield (
        "INSERT INTO attachment (id, claimed_by, stored_name, original_name, kind, size, sha256, created_at, folded) "
        f"SELECT 'file-' || n, {reference}, 'file-' || n, 'brief-' || n || '.pdf', 'pdf', 7, '', {at('n * :step')}, 'brief-' || n || '.pdf' "
        f"{numbers} WHERE n % 10 = 0"
    )
    yield f"INSERT INTO opened_lead (reference, person, opened_at) SELECT {reference}, {editor}, {at('n * :step')} {numbers} WHERE n % 3 = 0"
    yield (
        "INSERT INTO audit_entry (at, person, action, reference, before, after) "
        f"SELECT {at('n * :step - m')}, {editor}, 'status', {reference}, 'new', 'read' "
        f"{numbers} JOIN (SELECT 0 AS m UNION SELECT 1) AS twice ON TRUE ORDER BY n DESC, m"
    )
    yield from _views(dialect, leads)


def _meetings(dialect: Dialect, leads: int, editor: str) -> Iterator[str]:
    """Yields the statements for meetings, evenly over the year and the two weeks to come, and their cells."""
    meetings, reference = leads // _LEADS_A_MEETING, "'C-' || (1000000 + n)"
    # Each host's meetings begin at whole quarter hours, at least an hour apart.
    start = f"n / {_HOSTS} * {(DAYS + 14) * 86_400 * _HOSTS // meetings // 3600 * 3600 or 3600} - 1209600 + (:now - floor(:now / 900) * 900)"
    state = f"CASE WHEN ({start}) < 0 THEN 'booked' WHEN n % 8 = 0 THEN 'no-show' ELSE 'attended' END"
    status = "CASE WHEN n * 50 < :leads THEN 'new' ELSE 'answered' END"
    sender = "'caller' || n || '@customer' || ((n + 2) / 3) || '.example'"
    at, nothing = dialect.moment, dialect.json("'{}'")
    yield (
        "INSERT INTO meeting (reference, status, status_reason, created_at, language, source_page, email, phone, phone_e164, "
        "phone_extension, company, owner, version, attribution, state, full_name, starts_at, ends_at, time_zone, call_language, host, "
        "project_information, additional_notes, guest_email, conferencing_url, uid, sequence, changed_at, folded) "
        f"SELECT {reference}, {status}, '', {at(f'{start} + 1300000')}, 'en', '/book-a-call', {sender}, '', '', '', '', {editor}, 1, "
        f"{nothing}, {state}, 'Caller ' || n, {at(start)}, {at(f'{start} - 1800')}, 'UTC', 'en', 'Host ' || (n % {_HOSTS}), "
        f"'', '', '', 'https://meet.example.com/room', 'meeting-' || n, 0, {at(f'{start} + 1300000')}, lower({sender} || ' caller ' || n) "
        f"FROM filling_number WHERE n <= {meetings}"
    )
    yield (
        "INSERT INTO booking_cell (starts_at, host, meeting_id, network) "
        f"SELECT {at(f'{start} - 900 * m')}, 'Host ' || (n % {_HOSTS}), meeting.id, '' FROM filling_number "
        f"JOIN meeting ON meeting.reference = {reference} JOIN (SELECT 0 AS m UNION SELECT 1 UNION SELECT 2) AS cells ON TRUE"
    )


def _views(dialect: Dialect, leads: int) -> Iterator[str]:
    """Yields the statement for a year of counted views: of each page, and from each referring host that the site keeps."""
    lines = PAGES + min(leads // _LEADS_A_HOST, MAX_REFERRERS)
    yield (
        "INSERT INTO page_view (day, path, referrer, pattern, tag, language, count) "
        f"SELECT {dialect.day('d')}, CASE WHEN n <= {PAGES} THEN '/page-' || n ELSE '' END, "
        f"CASE WHEN n <= {PAGES} THEN '' ELSE 'host' || n || '.example' END, CASE WHEN n <= {PAGES} THEN '/page-' || n ELSE '' END, "
        f"'page', 'en', {VIEWS_A_DAY_PER_LEAD} * :leads / {lines} FROM (SELECT n - 1 AS d FROM filling_number WHERE n <= {DAYS}) AS days "
        f"JOIN filling_number ON n <= {lines}"
    )


def _program(leads: int, now: datetime) -> Mapping[Any, Rows]:
    """Returns the rows of the affiliate program and of the texts, by table."""
    count, today, step = partners_at(leads), now.date(), DAYS / leads
    this_month = today.replace(day=1)
    rows: dict[Any, Rows] = {
        Partner: [_partner(number, today) for number in range(1, count + 1)],
        PartnerLink: [{"token_hash": hash_of(token_of(number)), "partner_id": number} for number in range(1, count + 1)],
        Referral: [],
        CustomerPayment: [],
        Payout: [],
        AffiliateEntry: [],
    }
    paid: Counter[tuple[int, date]] = Counter()
    for number in range(_EVERY_REFERRED, leads + 1, _EVERY_REFERRED):
        partner, lead, day = number // _EVERY_REFERRED % count + 1, lead_reference(number), today - timedelta(number * step)
        referral = {"lead": lead, "partner_id": partner, "first_submission_on": day, "state": "counted", "resemblance": ""}
        rows[Referral].append(referral)
        for month in range(3 * (number % 2)):
            received_on = day + timedelta(5 + 30 * month)
            if received_on < today:
                rows[CustomerPayment].append(_payment(f"{number}-{month}", lead, received_on, day))
                paid[partner, received_on.replace(day=1)] += 200
    last_month = add_months(this_month, -1)
    for (partner, month), amount in paid.items():
        if month < last_month:
            payout = {"month": month, "partner_id": partner, "currency": "GBP", "amount": Decimal(amount), "rate": None}
            rows[Payout].append(payout | {"paid_on": add_months(month, 1)})
    months = [add_months(this_month, -back) for back in range(12, 0, -1)]
    for partner in range(1, count + 1):
        for month in months:
            entry = {"at": now - timedelta(days=1), "person": "site", "action": "mail statement", "partner_id": partner}
            rows[AffiliateEntry].append(entry | {"subject": f"{month:%Y-%m}", "before": "", "after": ""})
    rows[Revision] = [_revision(number, now) for number in range(4 * articles_at(leads))]
    return rows


def _partner(number: int, today: date) -> dict[str, Any]:
    return {
        "code": code_of(number),
        "application": f"A-{number}",
        "name": f"Partner {number}",
        "email": f"partner{number}@example.org",
        "paypal": f"partner{number}@example.org",
        "language": "en",
        "state": "active",
        "terms_version": current_version(),
        "applied_at": datetime.combine(today, datetime.min.time(), tzinfo=UTC) - timedelta(DAYS + 30),
        "approved_on": today - timedelta(DAYS + 20),
    }


def _payment(reference: str, lead: str, received_on: date, contract_on: date) -> dict[str, Any]:
    return {
        "reference": reference,
        "lead": lead,
        "net": Decimal(1000),
        "currency": "GBP",
        "billing": "monthly",
        "due_on": received_on,
        "contract_on": contract_on,
        "received_on": received_on,
        "repaid": Decimal(0),
    }


def _revision(number: int, now: datetime) -> dict[str, Any]:
    """Returns the row of a revision: each article has four, of several editors."""
    return {
        "kind": "article",
        "slug": f"article-{number // 4}",
        "language": "en",
        "title": f"Article {number // 4}",
        "text": f"---\ntitle: Article {number // 4}\n---\nVersion {number % 4}.\n",
        "digest": f"{number}",
        "person": f"editor{number % EDITORS}@example.com",
        "written_at": now - timedelta(hours=number),
        "aside": False,
    }
