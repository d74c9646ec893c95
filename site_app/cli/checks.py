"""Checks sample values, database, calendar, Redis, mail server and targets. Used at the start of the site and by `doctor`."""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from site_app.cli.database import is_missing
from site_app.cli.printing import complain
from site_app.cli.retention import CLOCK_IS_RIGHT
from site_app.content.people import people
from site_app.content.sample_documents import sample_texts
from site_app.core.redis_check import redis_problem
from site_app.core.settings import LISTED, REFUSED, Settings, samples
from site_app.core.settings.targets import Target
from site_app.provider.booking.busy import calendar_warnings, last_read, sources_of
from site_app.provider.booking.calendar_entries import differences
from site_app.provider.leads.quarantine import count_quarantined, erased_at, oldest_quarantined
from site_app.provider.leads.queries import count_entries
from site_app.provider.outbox.notices import TargetState, target_states
from site_app.provider.outbox.rows import counts
from site_app.provider.outbox.smtp_problems import explain
from site_app.provider.outbox.targets import Receiver
from site_app.provider.outbox.transports import NotDelivered, SmtpTransport
from site_app.provider.publishing import builds
from site_app.provider.store import brief_engine, database_url, in_transaction
from site_app.provider.store.clock import clock_problem, difference_from_database
from site_app.provider.store.copies import schemas_set_aside
from site_app.provider.store.health import what_to_do, write_probe
from site_app.provider.store.migration import SCRIPTS, ForeignDatabase, is_known, refuse_foreign_tables
from site_app.provider.store.tables import OutboxStatus

OK, WARNING, FAILURE = "ok", "warning", "failure"


@dataclass(frozen=True)
class Finding:
    """The result of a check. `fix` says what to do, or is "" if nothing is to be done."""

    state: str
    subject: str
    message: str
    fix: str = ""


ok, warning, failure = (partial(Finding, state) for state in (OK, WARNING, FAILURE))


_FIX_TARGET = "Check its entry in SITE_NOTIFY, or SITE_WEBHOOK_URL; the office sends a test under Email."
_FIX_SAMPLES = (
    "Set them, and build again; SITE_ALLOW_SAMPLES=true keeps them for a public demonstration, which then says so on each page."
)


def refuse_samples(settings: Settings) -> None:
    """Exits if sample values would make a public site legally false or unreachable. Prints other samples on stderr."""
    problems = [problem for problem in samples_are_replaced(settings) if problem.state != OK]
    sentences = [f"{problem.message} {problem.fix}" for problem in problems]
    if any(problem.state == FAILURE for problem in problems):
        sys.exit(
            "\n".join(
                ["This site is public (SITE_PRODUCTION), and some of its texts or addresses are still samples.", *sentences]
            )
        )
    for problem in sentences:
        complain(problem)


def hosts_are_people(settings: Settings) -> Iterator[Finding]:
    """Checks that the site knows everybody who takes calls in a language of their own."""
    names = {person.name for person in people()}
    if strangers := [name for name in settings.call_languages.values() if name and name not in names]:
        sentence = f"SITE_BOOKING_LANGUAGES names {', '.join(strangers)}, who is not in site_app/content/people.py."
        yield warning("hosts", sentence, "Write the name as there, or add the person.")


def samples_are_replaced(settings: Settings) -> Iterator[Finding]:
    """Checks that a public site shows no sample values, unless it is a demonstration."""
    if not settings.production:
        return
    sample_values = samples(settings)
    refused, unset = ([name for name, treatment in sample_values.items() if treatment == kind] for kind in (REFUSED, LISTED))
    if refused:
        finding_of = warning if settings.allow_samples else failure
        yield finding_of("samples", f"Invented values that would be false or reach nobody: {', '.join(refused)}.", _FIX_SAMPLES)
    if unset:
        yield warning("samples", f"Sample values that were never set: {', '.join(unset)}.", "Set them, and build again.")
    if texts := sample_texts():
        fix = "Write real ones in site_app/content and site_app/core/business.py, or remove them."
        yield warning("samples", f"Sample texts and figures: {', '.join(texts)}.", fix)
    if not refused and not unset and not texts:
        yield ok("samples", "No sample values or texts are left.")


def refuse_wrong_password(settings: Settings) -> None:
    """Exits if Redis rejects user or password. If Redis is unreachable, only prints a warning, because the site works without it."""
    problem = redis_problem(settings.redis_url) if settings.redis_url else None
    if problem and problem.is_refusal:
        sys.exit(f"Redis rejects user or password: {problem.text}. Check them in SITE_REDIS_URL.")
    if problem:
        complain(f"Redis does not answer: {problem.text}. Until it does, each process counts its limits alone.")


def database_is_up_to_date(settings: Settings) -> Iterator[Finding]:
    """Checks that the database answers, has the tables of this version, and that nothing in it waits for the operator."""
    url = database_url(settings.database_url, settings.var)
    if is_missing(url):
        yield failure("database", "There is none yet, or it has been moved.", "python -m site_app db upgrade makes one.")
        return
    try:
        with brief_engine(url) as engine:
            with engine.connect() as connection:
                problem = _problem_of_tables(connection)
            if problem:
                yield problem
                return
            in_transaction(engine, write_probe)
            yield from in_transaction(engine, lambda session: [*_state(session, settings)])
    except (ForeignDatabase, DBAPIError, OSError) as error:
        message = str(getattr(error, "orig", error))
        yield failure(
            "database", f"It reports: {message}.", what_to_do(message) or "Check SITE_DATABASE_URL, and that the database runs."
        )


def _problem_of_tables(connection: Connection) -> Finding | None:
    revision = MigrationContext.configure(connection).get_current_revision()
    refuse_foreign_tables(connection, revision)
    damage = connection.execute(text("PRAGMA quick_check(1)")).scalar() if connection.dialect.name == "sqlite" else "ok"
    if damage != "ok":
        return failure("database", f"The file is damaged: {damage}.", "Restore the last backup.")
    if revision and not is_known(revision):
        sentence = f"Its tables are of a newer release ({revision}), as they should be after a return to an older one."
        return warning("database", sentence, "If you did not mean to return, start the newer release.")
    head = ScriptDirectory(str(SCRIPTS)).get_current_head()
    if revision != head:
        return failure(
            "database", f"Its tables are of version {revision or 'none'}, not {head}.", "python -m site_app db upgrade"
        )
    return None


def _state(session: Session, settings: Settings) -> Iterator[Finding]:
    yield ok("database", f"{session.get_bind().dialect.name}, {count_entries(session)} leads and calls.")
    if schemas := schemas_set_aside(session.connection()):
        yield warning(
            "restore",
            f"Restores left tables, in which nothing is ever erased, in these schemas: {', '.join(schemas)}.",
            "Once you are sure that you do not need them, in psql: "
            + " ".join(f"DROP SCHEMA {name} CASCADE;" for name in schemas),
        )
    if doubted := clock_problem(session, datetime.now(UTC)):
        yield failure("clock", f"{doubted}.", f"Set the clock; if it is right: {CLOCK_IS_RIGHT}")
    if difference := difference_from_database(session, datetime.now(UTC)):
        yield failure("clock", f"{difference}.", "Set both by NTP: holds, leases and links expire by them.")
    if oldest := oldest_quarantined(session, 1):
        first = erased_at(oldest[0], settings)
        sentence = f"In quarantine: {count_quarantined(session)}; the first will be deleted on {first:%Y-%m-%d}."
        yield warning("leads", sentence, "python -m site_app leads list --status quarantined")
    rows = counts(session)
    if dead := rows[OutboxStatus.DEAD]:
        sentence = f"Emails and notifications that were given up: {dead}."
        yield failure("outbox", sentence, "python -m site_app mail status says why; mail retry --all tries again.")
    if withheld := rows[OutboxStatus.WITHHELD]:
        yield ok("outbox", f"Emails withheld, because their addresses had already had their emails for the day: {withheld}.")
    if sources_of(settings):
        yield from _calendars(session, settings)


def _calendars(session: Session, settings: Settings) -> Iterator[Finding]:
    warnings = calendar_warnings(session, settings)
    for sentence in warnings:
        yield warning("calendar", f"{sentence}.", "Check SITE_CALDAV_… and SITE_BOOKING_BUSY_URL, and that the server runs.")
    if count := len(differences(session, now=datetime.now(UTC))):
        sentence = f"Booked calls that were deleted or moved in the host's calendar: {count}."
        yield warning("calendar", sentence, "Decide at /office/calls which time is right.")
    if warnings:
        return
    if read_at := last_read(session, settings):
        yield ok("calendar", f"The host's calendars were read at {read_at:%Y-%m-%d %H:%M} UTC.")
    else:
        yield warning("calendar", "The host's calendars have not been read yet.", "Start the site, which reads them at once.")


def redis_takes_the_site(settings: Settings) -> Iterator[Finding]:
    """Checks that Redis answers and accepts user and password, if the settings name it."""
    if not settings.redis_url:
        return
    problem = redis_problem(settings.redis_url)
    if problem is None:
        yield ok("redis", "It answers.")
    elif problem.is_refusal:
        yield failure("redis", f"It rejects user or password: {problem.text}.", "Check them in SITE_REDIS_URL.")
    else:
        yield failure("redis", f"It does not answer: {problem.text}.", "Check SITE_REDIS_URL, and that Redis runs.")


def mail_can_leave(settings: Settings) -> Iterator[Finding]:
    """Checks that the mail server accepts user and password. Sends nothing."""
    if settings.mail_transport != "smtp":
        sentence = f"Emails are not sent, but stored as files in {settings.var / 'mail'}."
        fix = "Set SITE_MAIL_TRANSPORT=smtp and the SITE_SMTP_… variables."
        yield warning("mail", sentence, fix) if settings.production else ok("mail", sentence)
        return
    server = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        asyncio.run(SmtpTransport(settings).greet())
    except NotDelivered as error:
        reason, fix = explain(error, settings)
        yield failure("mail", f"{server} does not accept our emails: {reason}.", fix)
    else:
        yield ok("mail", f"{server} accepts our emails.")


def targets_can_be_notified(settings: Settings) -> Iterator[Finding]:
    """Checks that the host of each target resolves to a public address, and names the targets whose last notification failed.

    Sends no request.
    """
    problems = asyncio.run(_problems_of_hosts(settings.targets))
    states = {state.target.name: state for state in _target_states(settings)}
    for target in settings.targets:
        state = states.get(target.name)
        if problem := problems[target.name]:
            yield failure("targets", f"{target.name} cannot be reached: {problem}.", _FIX_TARGET)
        elif state and state.problem:
            yield failure("targets", f"{target.name} did not get its last notification: {state.problem}.", _FIX_TARGET)
        elif state and state.last_sent_at:
            yield ok("targets", f"{target.name} was last notified at {state.last_sent_at:%Y-%m-%d %H:%M} UTC.")
        else:
            yield ok("targets", f"{target.name} can be reached; it has not had a notification yet.")


async def _problems_of_hosts(targets: Iterable[Target]) -> dict[str, str]:
    async def problem(target: Target) -> tuple[str, str]:
        try:
            await Receiver(target.url).look_up()
        except NotDelivered as error:
            return target.name, str(error)
        return target.name, ""

    return dict(await asyncio.gather(*map(problem, targets)))


def _target_states(settings: Settings) -> list[TargetState]:
    url = database_url(settings.database_url, settings.var)
    if is_missing(url):
        return []
    try:
        with brief_engine(url) as engine:
            return in_transaction(engine, lambda session: target_states(session, settings))
    except (DBAPIError, OSError):  # database_is_up_to_date reports it
        return []


def publishing_failures(settings: Settings) -> Sequence[str]:
    """Returns what could not be published and why, a sentence for each failed build that no later build has made up for."""
    url = database_url(settings.database_url, settings.var)
    if is_missing(url):
        return []
    try:
        with brief_engine(url) as engine:
            failed = in_transaction(engine, builds.failures)
    except (DBAPIError, OSError):  # database_is_up_to_date reports it
        return []
    return [f"{', '.join(build.paths) or 'All pages'} could not be published: {build.problem}" for build in failed]
