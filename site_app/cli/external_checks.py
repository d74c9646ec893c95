"""What doctor asks of those that the site leans on: database, calendar, mail server, webhook."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from site_app.booking.busy import busy_note
from site_app.cli.finding import ODD, WELL, WRONG, Finding
from site_app.cli.retention import CLOCK_IS_RIGHT
from site_app.leads.lead_queries import how_many
from site_app.leads.quarantine import erased_at, waiting
from site_app.mail import NotDelivered, SmtpSender, sender_for, webhook_of
from site_app.mail.backlog import counts
from site_app.services.clock import doubt
from site_app.settings import BrokenSetting, Settings
from site_app.store import database_url, in_transaction, open_engine
from site_app.store.health import explained, write_something
from site_app.store.migration import SCRIPTS, ForeignDatabase, knows, refuse_foreign_tables


def database_is_up_to_date(settings: Settings) -> Iterator[Finding]:
    """It answers, it has the tables of this version, and nobody waits in quarantine."""
    where = make_url(database_url(settings.database_url, settings.var))
    if where.get_backend_name() == "sqlite" and not Path(where.database or "").exists():  # looking would make an empty one
        yield Finding("database", WRONG, "There is none yet, or it has been moved.", "python -m site_app db upgrade makes one.")
        return
    head = ScriptDirectory(str(SCRIPTS)).get_current_head()
    engine = None
    try:
        engine = open_engine(database_url(settings.database_url, settings.var), connections=1)
        with engine.connect() as connection:
            revision = MigrationContext.configure(connection).get_current_revision()
            refuse_foreign_tables(connection, revision)
            damage = connection.execute(text("PRAGMA quick_check(1)")).scalar() if engine.dialect.name == "sqlite" else "ok"
        if damage != "ok":
            yield Finding("database", WRONG, f"The file is damaged: {damage}.", "Restore the last backup.")
        elif revision and not knows(revision):
            says = f"Its tables are of a newer release, {revision}: right for one that was put back."
            yield Finding("database", ODD, says, "Otherwise start the newer one.")
        elif revision != head:
            known = revision or "none"
            yield Finding("database", WRONG, f"Its tables are of version {known}, not {head}.", "python -m site_app db upgrade")
        else:
            in_transaction(engine, write_something)
            yield from in_transaction(engine, lambda session: [*_look(session, settings, session.get_bind().dialect.name)])
    except ForeignDatabase as error:
        yield Finding("database", WRONG, f"In this database {error}.", "Name one of its own in SITE_DATABASE_URL or SITE_VAR.")
    except (DBAPIError, OSError) as error:
        yield Finding(
            "database", WRONG, explained(str(getattr(error, "orig", error))), "Look at SITE_DATABASE_URL, and whether it runs."
        )
    finally:
        if engine:
            engine.dispose()


def calendar_is_known(settings: Settings) -> Iterator[Finding]:
    """The calendar that takes slots away could be read."""
    if not settings.booking_busy_url:
        yield Finding("calendar", WELL, "No calendar besides this site's own takes slots away.")
        return
    engine = None
    try:
        engine = open_engine(database_url(settings.database_url, settings.var), read_only=True, connections=1)
        note = in_transaction(engine, busy_note)
    except (DBAPIError, OSError):
        return  # the database has its own checkup
    finally:
        if engine:
            engine.dispose()
    if note:
        yield Finding("calendar", ODD, f"{note}.", "Open SITE_BOOKING_BUSY_URL in a browser.")
    else:
        yield Finding("calendar", WELL, "The host's calendar could be read.")


def mail_can_leave(settings: Settings) -> Iterator[Finding]:
    """The mail server takes our name and password; nothing is sent."""
    sender = sender_for(settings)
    if not isinstance(sender, SmtpSender):
        state = ODD if settings.production else WELL
        mend = "Set SITE_MAIL_TRANSPORT=smtp and the SITE_SMTP_… variables." if settings.production else ""
        yield Finding("mail", state, f"Mails stay in {settings.var / 'mail'} as files.", mend)
        return
    server = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        asyncio.run(sender.greet())
    except NotDelivered as error:
        yield Finding("mail", WRONG, f"{server} does not take our mails: {error}.", "Look at the SITE_SMTP_… variables.")
    else:
        yield Finding("mail", WELL, f"{server} takes our mails.")


def webhook_is_public(settings: Settings) -> Iterator[Finding]:
    """Its name leads somewhere, and not into a private network; nobody is called."""
    try:
        webhook = webhook_of(settings)
        if webhook:
            asyncio.run(webhook.look_up())
            yield Finding("webhook", WELL, "Its address is public.")
    except (BrokenSetting, NotDelivered) as error:
        yield Finding("webhook", WRONG, f"It cannot be called: {error}.", "Look at SITE_WEBHOOK_URL and SITE_WEBHOOK_SECRET.")


def _look(session: Session, settings: Settings, database: str) -> Iterator[Finding]:
    yield Finding("database", WELL, f"{database}, {sum(how_many(session).values())} leads and calls.")
    if doubted := doubt(session, datetime.now(UTC)):
        yield Finding("clock", WRONG, f"{doubted}.", f"Set the clock; if it is right: {CLOCK_IS_RIGHT}")
    if quarantined := waiting(session):
        first = min(erased_at(lead, settings) for lead in quarantined)
        says = f"{len(quarantined)} leads wait in quarantine; the first is erased on {first:%Y-%m-%d}."
        yield Finding("leads", ODD, says, "python -m site_app leads list --status quarantined")
    if dead := counts(session)["dead"]:
        says = f"{dead} mails or webhooks were given up."
        yield Finding("outbox", WRONG, says, "python -m site_app mail status says why; mail retry --all tries again.")
