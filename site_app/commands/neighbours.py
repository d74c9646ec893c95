"""What doctor asks of those that the site leans on: database, calendar, mail server, webhook."""

import asyncio
from collections.abc import Iterator

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from site_app.commands.finding import ODD, WELL, WRONG, Finding
from site_app.mailer import NotDelivered, SmtpSender, sender_for, webhook_of
from site_app.mailer.backlog import counts
from site_app.services.archive import how_many
from site_app.services.booking.busy_times import busy_note
from site_app.services.booking.openings import openings
from site_app.settings import BrokenSetting, Settings
from site_app.store import database_url, in_transaction, open_engine
from site_app.store.migration import SCRIPTS, knows
from site_app.store.tables.lead import QUARANTINED


def database_is_up_to_date(settings: Settings) -> Iterator[Finding]:
    """It answers, it has the tables of this version, and nobody waits in quarantine."""
    engine = open_engine(database_url(settings.database_url, settings.var), connections=1)
    head = ScriptDirectory(str(SCRIPTS)).get_current_head()
    try:
        with engine.connect() as connection:
            revision = MigrationContext.configure(connection).get_current_revision()
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
            leads, outbox = in_transaction(engine, _look)
            yield Finding("database", WELL, f"{engine.dialect.name}, {sum(leads.values())} leads and calls.")
            yield from _waiting(leads.get(QUARANTINED, 0), outbox["dead"])
    except DBAPIError as error:
        yield Finding("database", WRONG, f"It says: {error.orig}.", "Look at SITE_DATABASE_URL, and whether it runs.")
    finally:
        engine.dispose()


def calendar_is_known(settings: Settings) -> Iterator[Finding]:
    """The founder's hours make sense, and the calendar that takes slots away could be read."""
    try:
        openings(settings)
    except BrokenSetting as error:
        yield Finding("calendar", WRONG, f"{error}.", "Set it right: the site does not start like this.")
        return
    if not settings.booking_busy_url:
        yield Finding("calendar", WELL, "No calendar besides this site's own takes slots away.")
        return
    engine = open_engine(database_url(settings.database_url, settings.var), read_only=True, connections=1)
    try:
        note = in_transaction(engine, busy_note)
    except DBAPIError:
        return  # the database has its own checkup
    finally:
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


def _look(session: Session) -> tuple[dict[str, int], dict[str, int]]:
    return how_many(session), counts(session)


def _waiting(quarantined: int, dead: int) -> Iterator[Finding]:
    if quarantined:
        says = f"{quarantined} leads wait in quarantine."
        yield Finding("leads", ODD, says, "python -m site_app leads list --status quarantined")
    if dead:
        says = f"{dead} mails or webhooks were given up."
        yield Finding("outbox", WRONG, says, "python -m site_app mail status says why; mail retry --all tries again.")
