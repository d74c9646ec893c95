"""Sessions of the office: the mailed link that begins one, its use, and its end; and notes whose writer's session had ended.

Tokens of links and cookies have 256 random bits and are stored as hashes. The CSRF token of forms is computed from the cookie.
"""

import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlencode

from sqlmodel import Session, col, delete, func, select, update

from site_app.core.settings import Settings
from site_app.provider.http.tokens import MAX_TOKEN_LENGTH, hash_of
from site_app.provider.leads.queries import row_of
from site_app.provider.office.mails import sign_in_row
from site_app.provider.office.people import Member, person_of
from site_app.provider.store import advisory_lock, insert_rows
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.batches import delete_batch
from site_app.provider.store.tables import Note, OfficeSession, Outbox, SignInLink

LINK_LIFETIME = timedelta(minutes=10)
FLOODED_LINK_LIFETIME = timedelta(hours=2)  # so that at most one link an hour is mailed
MAX_IDLE_TIME, MAX_SESSION_AGE = timedelta(hours=12), timedelta(days=30)
_KEEP_SESSIONS = 2 * MAX_SESSION_AGE  # so that a note sent after a session's end can still be assigned to its author
_SEEN_EVERY = timedelta(minutes=5)  # so that not every request writes `seen_at`
_MAX_NOTES_ASIDE = 20  # of one person
_MAIL_DELAY_MS = 3000
NUMBER_LENGTH = 12  # characters
_NOBODY = Member("", "")


def new_link(
    session: Session, person: Member, *, settings: Settings, now: datetime, lifetime: timedelta = LINK_LIFETIME, to: str = ""
) -> str:
    """Creates a link to sign in once, which leads to the page `to` of the office. Returns its URL."""
    token = secrets.token_urlsafe()
    session.add(SignInLink(token_hash=hash_of(token), person=person.address, expires_at=now + lifetime))
    return f"{settings.office_origins[0]}/office/enter/{token}" + (f"?{urlencode({'to': to})}" if to else "")


def mail_link(
    session: Session, person: Member | None, *, settings: Settings, now: datetime, to: str = "", is_flooded: bool = False
) -> str | None:
    """Adds the mail with a sign-in link to the outbox. Returns the link, which development prints, or None if no mail is sent.

    `is_flooded` means that links for this address were requested too often, by anybody. Then a mail is sent only if no unused link has
    half of its time left: a stranger cannot fill the mailbox, and its owner always has a valid link there.

    The response time must not reveal who is a member. So for unknown addresses the same rows are written and deleted in the same
    transaction, and mails leave with a random delay of a few seconds.
    """
    recipient = person or _NOBODY
    lifetime = FLOODED_LINK_LIFETIME if is_flooded else LINK_LIFETIME
    is_decoy = person is None
    if is_flooded:
        advisory_lock(session, f"sign-in {recipient.address}")
        usable = select(SignInLink).where(
            SignInLink.person == recipient.address, col(SignInLink.expires_at) > now + lifetime / 2
        )
        is_decoy = session.exec(usable.limit(1)).first() is not None or is_decoy
    url = new_link(session, _NOBODY if is_decoy else recipient, settings=settings, now=now, lifetime=lifetime, to=to)
    mail = sign_in_row(recipient.address, url, minutes=lifetime // timedelta(minutes=1), settings=settings, now=now)
    mail.next_attempt_at += timedelta(milliseconds=secrets.randbelow(_MAIL_DELAY_MS))
    insert_rows(session, Outbox, [mail])
    session.flush()
    if is_decoy:
        execute = session.connection().execute
        execute(delete(SignInLink).where(col(SignInLink.person) == _NOBODY.address))
        execute(delete(Outbox).where(col(Outbox.reference) == mail.reference))
    return None if is_decoy else url


def begin_session(session: Session, token: str, *, browser: str, settings: Settings, now: datetime) -> str | None:
    """Uses the link up and starts a session. Returns its cookie, or None if the link is invalid. Publishes the owner's held notes."""
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
    actor = Actor(person.address, now)
    record(session, actor, "sign in")
    if person.is_owner:
        held_notes = (col(Note.person) == person.address, col(Note.held))
        saved = session.connection().execute(
            update(Note).where(*held_notes).values(held=False).returning(col(Note.reference), col(Note.id))
        )
        for reference, number in saved:
            record(session, actor, "note", reference, after=str(number))
    return cookie


def session_of(session: Session, cookie: str) -> OfficeSession | None:
    """Returns the cookie's session, which may have expired, or None."""
    return session.get(OfficeSession, hash_of(cookie)) if 0 < len(cookie) <= MAX_TOKEN_LENGTH else None


def has_run_out(row: OfficeSession, now: datetime) -> bool:
    return now - row.seen_at > MAX_IDLE_TIME or now - row.created_at > MAX_SESSION_AGE


def is_long_unseen(row: OfficeSession, now: datetime) -> bool:
    """Returns True if `seen_at` of the session should be updated."""
    return now - row.seen_at > _SEEN_EVERY


def note_seen(session: Session, token_hash: str, *, now: datetime) -> None:
    session.connection().execute(update(OfficeSession).where(col(OfficeSession.token_hash) == token_hash).values(seen_at=now))


def open_sessions(session: Session, *, now: datetime, address: str = "") -> Sequence[OfficeSession]:
    """Returns unexpired sessions of all or of one person, last used first."""
    statement = select(OfficeSession).where(
        col(OfficeSession.seen_at) >= now - MAX_IDLE_TIME, col(OfficeSession.created_at) >= now - MAX_SESSION_AGE
    )
    return session.exec(
        (statement.where(OfficeSession.person == address) if address else statement).order_by(col(OfficeSession.seen_at).desc())
    ).all()


def sign_out(session: Session, actor: Actor, *, address: str = "", number: str = "") -> int:
    """Ends the sessions of everybody, of one person, or with this number, and returns their count.

    Without a number, unused sign-in links are deleted as well.
    """
    ending = delete(OfficeSession)
    if address:
        ending = ending.where(col(OfficeSession.person) == address)
    if number:
        ending = ending.where(func.substr(OfficeSession.token_hash, 1, NUMBER_LENGTH) == number)
    else:
        links = delete(SignInLink)
        session.connection().execute(links.where(col(SignInLink.person) == address) if address else links)
    people = session.connection().execute(ending.returning(col(OfficeSession.person))).scalars().all()
    if people:
        names = ", ".join(sorted({*people})) if address or number else "everyone"
        record(session, actor, "sign out", after=f"sessions of {names}: {len(people)}")
    return len(people)


def delete_expired_links(session: Session, now: datetime) -> int:
    """Deletes a batch of expired sign-in links. Returns the number of rows."""
    return delete_batch(session, SignInLink, SignInLink.token_hash, col(SignInLink.expires_at) < now)


def delete_old_sessions(session: Session, now: datetime) -> int:
    """Deletes a batch of sessions that ended long ago. Returns the number of rows."""
    return delete_batch(session, OfficeSession, OfficeSession.token_hash, col(OfficeSession.created_at) < now - _KEEP_SESSIONS)


def browser_of(row: OfficeSession) -> str:
    """Returns browser and operating system, such as "Firefox on Linux"."""
    names = (
        re.search(pattern, row.browser)
        for pattern in (r"Firefox|Edg|OPR|Chrome|Safari", r"iPhone|iPad|Android|Windows|Mac|Linux")
    )
    return " on ".join(name[0] for name in names if name) or "another program"


def number_of(row: OfficeSession) -> str:
    """Returns a session's number for lists. It does not allow signing in."""
    return row.token_hash[:NUMBER_LENGTH]


def set_note_aside(session: Session, row: OfficeSession, reference: str, text: str, *, now: datetime) -> bool:
    """Sets a note aside that was sent after its session had expired, until the person has signed in again.

    Returns False if the person has too many notes set aside, or no lead or meeting has this reference: such a note would not be erased with a lead.
    """
    about = row_of(session, reference.upper(), lock=True)
    if about is None:
        return False
    held_count = select(func.count()).select_from(Note).where(Note.person == row.person, col(Note.held))
    if session.exec(held_count).one() >= _MAX_NOTES_ASIDE:
        return False
    session.add(Note(reference=about.reference, person=row.person, written_at=now, text=text, held=True))
    return True


def form_token(cookie: str) -> str:
    """Returns the CSRF token of the session's forms. It cannot be computed without the cookie."""
    return hmac.new(cookie.encode(), b"form", "sha256").hexdigest()
