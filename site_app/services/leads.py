"""What quotes, messages and applications share: keep the lead and what must be sent because of it, in one commit."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from site_app.contracts.submission import Reachable
from site_app.i18n import BY_ID, ENGLISH, href, use
from site_app.services.attachments import Files, attached_files
from site_app.services.exactly_once import once
from site_app.services.letters import confirmation_rows, lead_rows
from site_app.services.refusals import FieldRefused
from site_app.services.tokens import Tokens
from site_app.settings import Settings
from site_app.store import insert_rows
from site_app.store.tables import LEADS, AnyLead
from site_app.store.tables.lead import NEW, QUARANTINED, RELEASED


@dataclass(frozen=True)
class Desk:
    """What the desk that takes leads has at hand."""

    settings: Settings
    tokens: Tokens
    now: datetime
    signs: tuple[str, ...] = ()
    domain_takes_mail: bool = True  # of the sender, as far as anybody knows

    @property
    def status(self) -> str:
        return QUARANTINED if self.signs else NEW


def keep(
    session: Session,
    submission: Reachable,
    desk: Desk,
    *,
    letter: str,
    build: Callable[[dict[str, Any]], AnyLead],
    claim: Callable[[str], Files] = lambda reference: (),
) -> dict[str, Any]:
    """Take a submission once: the lead, its files and its outbox rows, or the answer it got the first time."""

    def make(reference: str) -> None:
        refuse_domain(submission, desk)
        lead = build(columns(submission, desk, reference))
        insert_rows(session, [lead])
        send(session, lead, claim(reference), desk)

    return once(session, submission, letter=letter, now=desk.now, make=make, quarantined=bool(desk.signs))


def send(session: Session, lead: AnyLead, files: Files, desk: Desk) -> None:
    """Write what the lead sends out now: news and answer, or in quarantine only a question to its sender."""
    if lead.status == QUARANTINED:
        with use(BY_ID.get(lead.language, ENGLISH)):
            url = desk.settings.api_address + href(f"/confirm/{desk.tokens.confirmation_token(lead.reference)}")
        rows = confirmation_rows(lead, confirm_url=url, settings=desk.settings, now=desk.now)
    else:
        rows = lead_rows(lead, files=files, settings=desk.settings, now=desk.now)
    insert_rows(session, rows)


def release(session: Session, reference: str, desk: Desk) -> bool:
    """Let a lead out of quarantine and send what was held back; False if there is none such in it."""
    from_quarantine = find(session, reference, lock=True)
    if from_quarantine is None or from_quarantine.status != QUARANTINED:
        return False
    from_quarantine.status = RELEASED
    session.add(from_quarantine)
    send(session, from_quarantine, attached_files(session, reference), desk)
    return True


def find(session: Session, reference: str, *, lock: bool = False) -> AnyLead | None:
    """The lead of a reference, if asked locked against a second release, where the database has such locks."""
    for table in LEADS:
        chosen = select(table).where(table.reference == reference)
        found = session.exec(chosen.with_for_update() if lock else chosen).first()
        if found is not None:
            return found
    return None


def refuse_domain(submission: Reachable, desk: Desk) -> None:
    """Raise FieldRefused when the sender's domain is on the list or takes no mail.

    Only what is new is asked about: what was taken before is answered as it was then, whatever list and DNS say by now.
    """
    if submission.domain in desk.settings.refused_email_domains or not desk.domain_takes_mail:
        raise FieldRefused("email", "email_refused")


def columns(submission: Reachable, desk: Desk, reference: str) -> dict[str, Any]:
    """What every lead keeps, calls included."""
    dialled = submission.dialled
    return {
        "reference": reference,
        "status": desk.status,
        "status_reason": " ".join(desk.signs),
        "created_at": desk.now,
        "language": submission.language,
        "source_page": submission.page,
        "email": submission.email,
        "phone": submission.phone,
        "phone_e164": dialled.e164 if dialled else "",
        "phone_extension": dialled.extension if dialled else "",
        "company": submission.company,
    }
