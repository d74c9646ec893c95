"""Calls: booked, found by their manage link, moved, cancelled; each change and its mails are one commit."""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from site_app.booking.availability import Availability, vacate
from site_app.booking.hold import release_hold
from site_app.booking.invitation import ManagedCall, invite, meeting_of, new_link, was_mailed
from site_app.booking.rules import CallClosed, LooksAutomatic
from site_app.booking.share import keep_to_share, may_book
from site_app.booking.slots import slot_at
from site_app.business import REMINDER
from site_app.contracts.meeting import MeetingRequest
from site_app.leads.exactly_once import claim_key
from site_app.leads.keep import SubmissionContext, columns, refuse_domain
from site_app.leads.spam_signals import passing_signals
from site_app.services.mailboxes import mailbox_of
from site_app.services.refusals import NotFound
from site_app.services.strangers import lock_mailboxes
from site_app.settings import Settings
from site_app.store.tables import Meeting
from site_app.store.tables.booking import BOOKED, CANCELLED


def book_meeting(session: Session, request: MeetingRequest, context: SubmissionContext) -> ManagedCall:
    """Book the call once: the same key gives the same call again, with a manage link of its own.

    Raises SlotTaken for whoever loses the race, CallExists and TooManyCalls for whoever has their share already, and
    LooksAutomatic rather than letting a program take the slots away. That is for signals which are gone when the same person
    sends again; a token that did not come, or is too old, stops no call.
    """
    if signals := passing_signals(context.spam_signals):
        raise LooksAutomatic(signals)
    entry = claim_key(session, request, prefix="C", now=context.now)
    if entry.is_new:
        refuse_domain(request, context)
        _book(session, request, context, entry.reference)
    meeting = by_reference(session, entry.reference)
    if meeting is None:
        raise NotFound(entry.reference)  # erased since
    return new_link(session, meeting)


def call_of(session: Session, token: str) -> ManagedCall:
    """The call a manage link leads to, as it stands now; raises NotFound."""
    meeting = meeting_of(session, token)
    if meeting is None:
        raise NotFound("manage link")
    return ManagedCall(meeting, token)


def move_meeting(session: Session, token: str, identity: str, *, settings: Settings, now: datetime) -> ManagedCall:
    """Give the call another slot and say so by mail; raises SlotTaken, and then it stays where it was."""
    meeting = _open_call(session, token, now)
    if identity == slot_at(meeting.starts_at).id:
        return ManagedCall(meeting, token)
    availability = Availability(session, settings, now, own_call=meeting.id)
    slot = availability.slot(identity)
    network = vacate(session, meeting)
    availability.occupy(slot, meeting=meeting.id, network=network)
    meeting.moved_from, meeting.starts_at, meeting.ends_at = meeting.starts_at, slot.start, slot.end
    _changed(session, meeting, now)
    invite(session, "moved", meeting, settings=settings, now=now, always=was_mailed(session, token))
    return ManagedCall(meeting, token)


def cancel_meeting(session: Session, token: str, *, settings: Settings, now: datetime) -> ManagedCall:
    """Call it off, free the slot and say so by mail; a call cancelled already stays as it is."""
    meeting = meeting_of(session, token, lock=True)
    if meeting is None or meeting.state != CANCELLED:
        meeting = _open_call(session, token, now)
        call_off(session, meeting, settings=settings, now=now, always=was_mailed(session, token))
    return ManagedCall(meeting, token)


def call_off(session: Session, meeting: Meeting, *, settings: Settings, now: datetime, always: bool = True) -> None:
    """The same for a call in hand, as the host has it; the visitor is `always` told of it."""
    lock_mailboxes(session, mailbox_of(meeting.email))
    meeting.state = CANCELLED
    vacate(session, meeting)
    _changed(session, meeting, now)
    invite(session, "cancelled", meeting, settings=settings, now=now, always=always)


def by_reference(session: Session, reference: str, *, lock: bool = False) -> Meeting | None:
    """The call of a reference, if asked locked against another change, where the database has such locks."""
    chosen = select(Meeting).where(Meeting.reference == reference)
    return session.exec(chosen.with_for_update() if lock else chosen).first()


def coming(session: Session, *, now: datetime, back: timedelta = timedelta()) -> list[Meeting]:
    """Every call that is not over, or not longer than `back`, in the order of the clock."""
    return list(session.exec(select(Meeting).where(Meeting.ends_at > now - back).order_by(col(Meeting.starts_at))))


def _book(session: Session, request: MeetingRequest, context: SubmissionContext, reference: str) -> None:
    settings, now = context.settings, context.now
    availability = Availability(session, settings, now, own_hold=request.hold)
    slot = availability.slot(request.slot)
    may_book(session, request.email, context.network, settings=settings, now=now)
    if request.hold:
        release_hold(session, request.hold)
    meeting = Meeting(
        full_name=request.full_name,
        starts_at=slot.start,
        ends_at=slot.end,
        time_zone=request.time_zone,
        project_information=request.project_information,
        additional_notes=request.additional_notes,
        conferencing_url=settings.booking_room.replace("{room}", secrets.token_urlsafe()[:20]),
        uid=f"{secrets.token_urlsafe()}@{settings.brand_email.rpartition('@')[2]}",
        changed_at=now,
        remind_at=_reminder(slot.start, now),
        **columns(request, context, reference),  # its status is new: no call waits in quarantine, it is on or off
    )
    session.add(meeting)
    session.flush()
    availability.occupy(slot, meeting=meeting.id, network=context.network)
    keep_to_share(session, context.network, settings=settings, now=now)
    invite(session, "booked", meeting, settings=settings, now=now)


def _open_call(session: Session, token: str, now: datetime) -> Meeting:
    meeting = meeting_of(session, token, lock=True)
    if meeting is None:
        raise NotFound("manage link")
    if meeting.state != BOOKED or meeting.starts_at <= now:
        raise CallClosed(meeting.reference)
    # Before the quarter hours, as when a call is booked: no two transactions then wait for each other.
    lock_mailboxes(session, mailbox_of(meeting.email))
    return meeting


def _changed(session: Session, meeting: Meeting, now: datetime) -> None:
    meeting.sequence += 1
    meeting.changed_at = now
    meeting.remind_at = _reminder(meeting.starts_at, now) if meeting.state == BOOKED else None
    session.add(meeting)
    session.flush()


def _reminder(start: datetime, now: datetime) -> datetime | None:
    # Whoever books for tomorrow has just had a mail.
    due = start - REMINDER
    return due if due > now else None
