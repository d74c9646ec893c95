"""People of the agency: roles, links to sign in, sessions, their mails, and the audit log.

Links and cookies are 256 random bits and stored as hashes. The token that a form must send is computed from the cookie alone.
"""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from sqlmodel import Session, col, delete, func, select, update

from site_app.core.i18n import ENGLISH
from site_app.core.settings import Settings
from site_app.core.settings.rules import OWNER
from site_app.provider.endpoints.tokens import hash_of
from site_app.provider.leads.queries import row_of
from site_app.provider.outbox.mime import Fields, MailLink, MailText
from site_app.provider.outbox.rows import SIGN_IN, TEST_MAIL, Template, mail_row
from site_app.provider.store import advisory_lock, insert_rows
from site_app.provider.store.tables import AuditEntry, NewOutbox, Note, OfficeSession, Outbox, SignInLink

LINK_LASTS = timedelta(minutes=10)
FLOODED_LINK_LASTS = timedelta(hours=2)  # of which one is mailed an hour
IDLE, IN_ALL = timedelta(hours=12), timedelta(days=30)
_SEEN_EVERY = timedelta(minutes=5)  # not every request writes when the session was seen
_MOST_HELD = 20  # notes of one person
_LONGEST_TOKEN = 64
_MAIL_DELAY_MS = 3000
NUMBER_LENGTH = 12  # characters


@dataclass(frozen=True)
class Person:
    """Somebody of the agency; an owner changes things, a reader does not."""

    address: str
    role: str

    @property
    def is_owner(self) -> bool:
        return self.role == OWNER


_NOBODY = Person("", "")


def person_of(address: str, settings: Settings) -> Person | None:
    """The person whom SITE_OFFICE names by this address, in any capitalisation; None if there is none."""
    roles = dict(entry.rsplit(":", 1) for entry in settings.office)
    address = address.strip().lower()
    return Person(address, roles[address]) if address in roles else None


def new_link(
    session: Session, person: Person, *, settings: Settings, now: datetime, lasts: timedelta = LINK_LASTS, to: str = ""
) -> str:
    """A link to sign in with, once; it leads to the page `to` of the office."""
    token = secrets.token_urlsafe()
    session.add(SignInLink(token_hash=hash_of(token), person=person.address, expires_at=now + lasts))
    return f"{settings.office_origins[0]}/office/enter/{token}" + (f"?{urlencode({'to': to})}" if to else "")


def mail_link(
    session: Session, person: Person | None, *, settings: Settings, now: datetime, to: str = "", is_flooded: bool = False
) -> str | None:
    """Write the mail with such a link; returns the link, which development prints, or None if no mail was written.

    If the address is asked for too often, by whomever, a mail is written only where no unused link has half of its time left. So a
    stranger cannot fill the mailbox, and its owner always has a link there that works.

    Sign-in must not tell by its time who is a member. So for nobody the same rows are written, and deleted in the same transaction, and
    a mail leaves at a random moment of the next seconds.
    """
    recipient, lasts = person or _NOBODY, FLOODED_LINK_LASTS if is_flooded else LINK_LASTS
    is_decoy = person is None
    if is_flooded:
        advisory_lock(session, f"sign-in {recipient.address}")
        usable = select(SignInLink).where(SignInLink.person == recipient.address, col(SignInLink.expires_at) > now + lasts / 2)
        is_decoy = session.exec(usable.limit(1)).first() is not None or is_decoy
    url = new_link(session, _NOBODY if is_decoy else recipient, settings=settings, now=now, lasts=lasts, to=to)
    mail = office_row(
        SIGN_IN, recipient.address, url=url, minutes=str(lasts // timedelta(minutes=1)), settings=settings, now=now
    )
    mail.next_attempt_at += timedelta(milliseconds=secrets.randbelow(_MAIL_DELAY_MS))
    insert_rows(session, Outbox, [mail])
    session.flush()
    if is_decoy:
        execute = session.connection().execute
        execute(delete(SignInLink).where(col(SignInLink.person) == _NOBODY.address))
        execute(delete(Outbox).where(col(Outbox.reference) == mail.reference))
    return None if is_decoy else url


def begin_session(session: Session, token: str, *, browser: str, settings: Settings, now: datetime) -> str | None:
    """Use the link up and begin a session: returns its cookie, or None. Notes that were held for the person are saved."""
    matches = col(SignInLink.token_hash) == hash_of(token)
    used = session.connection().execute(
        delete(SignInLink).where(matches).returning(col(SignInLink.person), col(SignInLink.expires_at))
    )
    link = used.first()
    person = person_of(link.person, settings) if link and link.expires_at > now else None
    if person is None:
        return None
    cookie = secrets.token_urlsafe()
    session.add(
        OfficeSession(token_hash=hash_of(cookie), person=person.address, created_at=now, seen_at=now, browser=browser[:200])
    )
    record(session, person.address, "sign in", now=now)
    if person.is_owner:
        held_notes = (col(Note.person) == person.address, col(Note.held))
        saved = session.connection().execute(
            update(Note).where(*held_notes).values(held=False).returning(col(Note.reference), col(Note.id))
        )
        for reference, number in saved:
            record(session, person.address, "note", reference, after=str(number), now=now)
    return cookie


def session_of(session: Session, cookie: str) -> OfficeSession | None:
    """The session that the cookie is of, which may have run out."""
    return session.get(OfficeSession, hash_of(cookie)) if 0 < len(cookie) <= _LONGEST_TOKEN else None


def has_run_out(row: OfficeSession, now: datetime) -> bool:
    return now - row.seen_at > IDLE or now - row.created_at > IN_ALL


def is_long_unseen(row: OfficeSession, now: datetime) -> bool:
    """Whether the time at which the session was last seen should be written anew."""
    return now - row.seen_at > _SEEN_EVERY


def note_seen(session: Session, token_hash: str, now: datetime) -> None:
    session.connection().execute(update(OfficeSession).where(col(OfficeSession.token_hash) == token_hash).values(seen_at=now))


def sessions(session: Session, *, now: datetime, address: str = "") -> Sequence[OfficeSession]:
    """Every session that has not run out, of all or of one person, the one used last first."""
    statement = select(OfficeSession).where(
        col(OfficeSession.seen_at) >= now - IDLE, col(OfficeSession.created_at) >= now - IN_ALL
    )
    return session.exec(
        (statement.where(OfficeSession.person == address) if address else statement).order_by(col(OfficeSession.seen_at).desc())
    ).all()


def sign_out(session: Session, who: str, *, now: datetime, address: str = "", number: str = "") -> int:
    """End sessions, of everybody, of one person, or the one of that number; returns how many. Unless a number is given, unused links to sign in end as well."""
    ending = delete(OfficeSession)
    if address:
        ending = ending.where(col(OfficeSession.person) == address)
    if number:
        ending = ending.where(func.substr(OfficeSession.token_hash, 1, NUMBER_LENGTH) == number)
    else:
        links = delete(SignInLink)
        session.connection().execute(links.where(col(SignInLink.person) == address) if address else links)
    count = session.connection().execute(ending).rowcount
    if count:
        record(session, who, "sign out", after=f"{count} sessions of {address or 'everybody'}", now=now)
    return count


def browser_of(row: OfficeSession) -> str:
    """The browser and its system in two words."""
    names = (
        re.search(words, row.browser) for words in (r"Firefox|Edg|OPR|Chrome|Safari", r"iPhone|iPad|Android|Windows|Mac|Linux")
    )
    return " on ".join(name[0] for name in names if name) or "another program"


def number_of(row: OfficeSession) -> str:
    """What a session is called in lists; nobody can sign in with it."""
    return row.token_hash[:NUMBER_LENGTH]


def hold_note(session: Session, row: OfficeSession, reference: str, text: str, *, now: datetime) -> bool:
    """Keep a note that came after its session had run out, until the person has signed in again.

    Returns False if there are too many, or no lead or call has this reference: such a note would be erased with none.
    """
    about = row_of(session, reference.upper(), lock=True)
    if about is None:
        return False
    held_count = select(func.count()).select_from(Note).where(Note.person == row.person, col(Note.held))
    if session.exec(held_count).one() >= _MOST_HELD:
        return False
    session.add(Note(reference=about.reference, person=row.person, written_at=now, text=text, held=True))
    return True


def form_token(cookie: str) -> str:
    """What every form of the session sends along; without the cookie nobody can compute it."""
    return hmac.new(cookie.encode(), b"form", "sha256").hexdigest()


def office_row(template: str, recipient: str, *, settings: Settings, now: datetime, **fields: str) -> NewOutbox:
    """Return the row of a mail to somebody of the agency; `fields` are what the template shows."""
    reference = f"office-{secrets.token_hex(8)}"
    return mail_row(template, {"reference": reference} | fields, recipient, ENGLISH.id, settings=settings, now=now)


def sign_in(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Sign in to the {settings.brand_name} office",
        heading="Sign in",
        opening=(f"This link works once, within {fields.get('minutes', '10')} minutes of asking for it.",),
        action=MailLink("Sign in", fields["url"]),
        closing=("If you did not ask for it, do nothing: without the link nobody gets in.",),
    )


def test_mail(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Test mail from {settings.brand_name}",
        heading="Mail leaves",
        opening=("You asked for this mail. It went the same way as mails to visitors.",),
    )


TEMPLATES = {SIGN_IN: Template(sign_in), TEST_MAIL: Template(test_mail)}


COMMAND_LINE = "command line"


def record(
    session: Session, person: str, action: str, reference: str = "", before: str = "", after: str = "", *, now: datetime
) -> None:
    """Add a line in the transaction of the change itself. Of a visitor it may hold the reference alone."""
    session.add(AuditEntry(at=now, person=person, action=action, reference=reference, before=before, after=after))


def lines(session: Session, reference: str = "", *, before: int | None = None, limit: int | None = 50) -> Sequence[AuditEntry]:
    """The newest lines first, of all or of one reference; `before` is the number of the last line already seen."""
    statement = select(AuditEntry).order_by(col(AuditEntry.id).desc()).limit(limit)
    if reference:
        statement = statement.where(AuditEntry.reference == reference)
    return session.exec(statement.where(col(AuditEntry.id) < before) if before else statement).all()
