"""Changes of leads, meetings, the calendar and mails by the team, each with its entry in the audit log.

Used by the office's pages and by the few commands that change something. Changes of partners and payments are in affiliates/program.py and
affiliates/payments.py, with a log of their own; those of texts are in `publishing`, and sessions begin and end in office/sessions.py.
"""

from datetime import datetime

from sqlmodel import Session

from site_app.contracts.input import many_lines
from site_app.core.settings import Settings
from site_app.provider.affiliates import program
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.calendar_entries import correct_entry, write_again
from site_app.provider.booking.meeting import cancel_meeting, forget_guest, mark_outcome, move_meeting, require_changeable
from site_app.provider.booking.slots import slot_of
from site_app.provider.http.refusals import EntryNotFound, ProviderRefusal
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads import quarantine
from site_app.provider.leads.mails import name_of, status_event
from site_app.provider.leads.queries import find_by_reference, row_of
from site_app.provider.office.mails import test_mail_row
from site_app.provider.outbox import rows as outbox
from site_app.provider.outbox.notices import event_rows, row_of_test
from site_app.provider.store import insert_rows
from site_app.provider.store.audit_log import Actor, audit_entries, record
from site_app.provider.store.tables import (
    TEAM_STATUSES,
    AuditEntry,
    BusyTime,
    Lead,
    LeadStatus,
    Meeting,
    MeetingStage,
    Note,
    Outbox,
)

MAX_NOTE_LENGTH = 5000
# The log's actions that can be undone, with the action that records the undo.
_UNDO_ACTIONS = {"status": "undo status", "owner": "undo owner", "note": "note removed"}
# They set a status themselves, so undoing what was saved before them would overwrite it.
_DECISIONS = ("approve", "decline")


class EditConflict(ProviderRefusal):
    """Somebody else has changed it meanwhile; nothing was done."""


class ActionNotAllowed(ProviderRefusal):
    """The current state does not allow the change."""


def set_status_and_owner(
    session: Session,
    reference: str,
    actor: Actor,
    settings: Settings,
    *,
    status: str = "",
    owner: str | None = None,
    version: int | None = None,
) -> None:
    """Sets status and owner of a lead or meeting. Raises EditConflict if its version differs from `version`.

    Raises ActionNotAllowed for a status that cannot be set by hand, and for a lead in quarantine, which only `release` ends.
    """
    row = _row_of(session, reference)
    if version is not None and row.version != version:
        raise EditConflict
    old_status, old_owner = row.status, row.owner
    if status and status != row.status:
        if status not in TEAM_STATUSES or row.status == LeadStatus.QUARANTINED:
            raise ActionNotAllowed
        record(session, actor, "status", reference, row.status, status)
        row.status = status
    if owner is not None and owner != row.owner:
        record(session, actor, "owner", reference, row.owner, owner)
        row.owner = owner
    if (row.status, row.owner) != (old_status, old_owner):
        _touch(session, row)
        _notify_of_status(session, row, old_status, actor, settings)


def release(session: Session, reference: str, actor: Actor, settings: Settings, tokens: Tokens) -> None:
    """Releases a lead from quarantine and sends its mails. Raises ActionNotAllowed if it is not in quarantine."""
    if not quarantine.release(session, reference, tokens, settings=settings, now=actor.now):
        raise ActionNotAllowed
    _touch(session, _row_of(session, reference))
    record(session, actor, "release", reference)


def note_text(typed: str) -> str:
    """Returns a note's text as it is stored: truncated, without invisible characters."""
    return many_lines(typed[:MAX_NOTE_LENGTH])


def note(session: Session, reference: str, text: str, actor: Actor) -> None:
    """Adds a note to a lead or meeting."""
    row = _row_of(session, reference)
    note_row = Note(reference=row.reference, person=actor.name, written_at=actor.now, text=text)
    session.add(note_row)
    session.flush()
    record(session, actor, "note", reference, after=str(note_row.id))


def undo(session: Session, reference: str, number: int | None, actor: Actor, settings: Settings) -> None:
    """Undoes the last save that was not undone yet. Raises EditConflict if there is none, or its newest log entry is not `number`."""
    row = _row_of(session, reference)  # locks the row before the log is read, so that the log entries are current
    save = last_save(session, reference)
    if not save or number not in (None, save[0].id):
        raise EditConflict
    old_status = row.status
    for entry in save:
        match entry.action:
            case "status":
                record(session, actor, _UNDO_ACTIONS["status"], reference, row.status, entry.before)
                row.status = entry.before
            case "owner":
                record(session, actor, _UNDO_ACTIONS["owner"], reference, row.owner, entry.before)
                row.owner = entry.before
            case "note":
                if note_row := session.get(Note, int(entry.after)):
                    session.delete(note_row)
                record(session, actor, _UNDO_ACTIONS["note"], reference)
    _touch(session, row)
    _notify_of_status(session, row, old_status, actor, settings)


def last_save(session: Session, reference: str) -> list[AuditEntry]:
    """Returns the log entries of the last save of a lead or meeting that was not undone, newest first, or [].

    Status and owner sent by one form are one save: they have the same person and time. Changes are undone in reverse order, so each
    entry of an undo belongs to the newest change of its kind before it. Nothing before a decision on an application can be undone.
    """
    taken_back = dict.fromkeys(_UNDO_ACTIONS, 0)
    action_of = {undoing: action for action, undoing in _UNDO_ACTIONS.items()}
    save: list[AuditEntry] = []
    for entry in audit_entries(session, reference, limit=None):
        if entry.action in _DECISIONS:
            return save
        if entry.action in action_of:
            taken_back[action_of[entry.action]] += 1
        elif taken_back.get(entry.action):
            taken_back[entry.action] -= 1
        elif entry.action in _UNDO_ACTIONS and not save:
            save = [entry]
        elif entry.action in _UNDO_ACTIONS:
            return [*save, entry] if _is_one_save(entry, save[0]) else save
    return save


def _is_one_save(entry: AuditEntry, later_entry: AuditEntry) -> bool:
    actions = {entry.action, later_entry.action}
    return actions == {"status", "owner"} and (entry.person, entry.at) == (later_entry.person, later_entry.at)


def approve(session: Session, reference: str, actor: Actor, settings: Settings) -> None:
    """Makes the sender of an application a partner. They get a mail. Raises EntryNotFound, or AlreadyDecided after any decision."""
    lead = _application(session, reference)
    old_status = lead.status
    name = name_of({**lead.own_fields, "language": lead.language})
    program.approve(session, reference, actor, name=name, settings=settings)
    record(session, actor, "approve", reference)
    _notify_of_status(session, lead, old_status, actor, settings)


def decline(session: Session, reference: str, actor: Actor, settings: Settings) -> None:
    """Declines an application. Its sender gets a mail. Raises EntryNotFound, or AlreadyDecided after any decision."""
    lead = _application(session, reference)
    old_status = lead.status
    program.decline(session, reference, actor, settings=settings)
    record(session, actor, "decline", reference)
    _notify_of_status(session, lead, old_status, actor, settings)


def _application(session: Session, reference: str) -> Lead:
    lead = find_by_reference(session, Lead, reference, lock=True)
    if lead is None:
        raise EntryNotFound
    return lead


def cancel(session: Session, reference: str, actor: Actor, settings: Settings) -> None:
    """Cancels a meeting. The visitor gets a mail."""
    cancel_meeting(session, upcoming_meeting(session, reference, now=actor.now), settings=settings, now=actor.now, by_team=True)
    record(session, actor, "cancel", reference)


def move(session: Session, reference: str, slot: str, actor: Actor, settings: Settings) -> Meeting:
    """Moves a meeting to a free slot. The visitor gets a mail. If it raises SlotTaken, the meeting stays unchanged."""
    meeting = upcoming_meeting(session, reference, now=actor.now)
    previous = f"{meeting.starts_at:%Y-%m-%d %H:%M} UTC"
    if slot != slot_of(meeting).id:
        move_meeting(session, meeting, slot, settings=settings, now=actor.now, by_team=True)
        record(session, actor, "move", reference, previous, f"{meeting.starts_at:%Y-%m-%d %H:%M} UTC")
    return meeting


def drop_guest(session: Session, reference: str, actor: Actor, settings: Settings) -> None:
    """Removes the guest of a meeting, who may ask for it. The guest gets no mail, and the host's calendar no longer names them.

    What the host has made of the entry stays, and so does the question about it.
    """
    meeting = find_by_reference(session, Meeting, reference, lock=True)
    if meeting is None:
        raise EntryNotFound
    if meeting.guest_email:
        forget_guest(session, meeting)
        record(session, actor, "remove guest", reference)
        correct_entry(session, meeting, settings=settings, now=actor.now)


def mark_meeting(session: Session, reference: str, outcome: str, text: str, actor: Actor, settings: Settings) -> None:
    """Marks a meeting as attended or as a no-show, and adds the text as a note. Raises MeetingClosed before its start.

    A mark may be corrected; the visitor and the targets hear of a no-show only the first time.
    """
    meeting = find_by_reference(session, Meeting, reference, lock=True)
    if meeting is None:
        raise EntryNotFound
    if outcome != meeting.state:
        marks = (entry for entry in audit_entries(session, reference, limit=None) if entry.action == "outcome")
        is_first_no_show = all(mark.after != MeetingStage.NO_SHOW for mark in marks)
        old_state = meeting.state
        mark_outcome(session, meeting, outcome, settings=settings, now=actor.now, is_first_no_show=is_first_no_show)
        record(session, actor, "outcome", reference, old_state, outcome)
    if text:
        note(session, reference, text, actor)


def write_entry_again(session: Session, reference: str, actor: Actor, settings: Settings) -> None:
    """Has the meeting written into the host's calendar again, where the host had deleted or moved it."""
    write_again(session, upcoming_meeting(session, reference, now=actor.now), settings=settings, now=actor.now)
    record(session, actor, "write entry", reference)


def block(session: Session, start: datetime, end: datetime, actor: Actor, *, reason: str = "") -> BusyTime:
    """Blocks a time for new meetings. Meetings already booked in it stay."""
    row = BusyTime(source=BLOCKED, starts_at=start, ends_at=end, note=reason)
    session.add(row)
    session.flush()
    record(session, actor, "block", after=f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC")
    return row


def unblock(session: Session, number: int, actor: Actor) -> None:
    """Unblocks a time. Raises EntryNotFound if no blocked time has this number."""
    row = session.get(BusyTime, number, with_for_update=True)
    if row is None or row.source != BLOCKED:
        raise EntryNotFound
    session.delete(row)
    record(session, actor, "unblock")


def retry(session: Session, actor: Actor, reference: str | None = None) -> int:
    """Reschedules undelivered mails of one reference or of all for now. Returns their number."""
    count = outbox.retry(session, now=actor.now, reference=reference)
    if count:
        record(session, actor, "retry", reference or "", after=f"emails: {count}")
    return count


def send_test_mail(session: Session, address: str, actor: Actor, settings: Settings) -> None:
    """Adds a test mail to this address to the outbox."""
    insert_rows(session, Outbox, [test_mail_row(address, settings=settings, now=actor.now)])
    record(session, actor, "test mail")


def send_test_notice(session: Session, name: str, actor: Actor, settings: Settings) -> None:
    """Adds a test notice to the target with this name to the outbox. Raises EntryNotFound if the settings name no such target."""
    target = next((target for target in settings.targets if target.name == name), None)
    if target is None:
        raise EntryNotFound
    insert_rows(session, Outbox, [row_of_test(target, settings=settings, now=actor.now)])
    record(session, actor, "test notice", after=target.name)


def _row_of(session: Session, reference: str) -> Lead | Meeting:
    row = row_of(session, reference, lock=True)
    if row is None:
        raise EntryNotFound
    return row


def upcoming_meeting(session: Session, reference: str, *, now: datetime, lock: bool = True) -> Meeting:
    """Returns the meeting of a reference if it can still be changed. Raises EntryNotFound or MeetingClosed."""
    return require_changeable(find_by_reference(session, Meeting, reference, lock=lock), now)


def _notify_of_status(session: Session, row: Lead | Meeting, old_status: str, actor: Actor, settings: Settings) -> None:
    if row.status != old_status:
        insert_rows(
            session, Outbox, event_rows(status_event(row, old_status, actor.name, settings), settings=settings, now=actor.now)
        )


def _touch(session: Session, row: Lead | Meeting) -> None:
    row.version += 1
    session.add(row)
    session.flush()
