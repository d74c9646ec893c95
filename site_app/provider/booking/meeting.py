"""Books meetings, finds them by manage link, moves and cancels them. Each change and its mails to both sides are one commit.

Manage links are unguessable, stored as a hash, and valid until the meeting is erased.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce
from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlmodel import Session, col, delete, select, update

from site_app.contracts.meeting import MeetingRequest, slot_language
from site_app.core.i18n import href, use
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.affiliates.program import credit_all
from site_app.provider.booking.calendar_entries import is_in_calendar, write_entry
from site_app.provider.booking.calendar_file import calendar_file
from site_app.provider.booking.hold import release_hold
from site_app.provider.booking.limits import lock_and_check_booking, release_surplus_holds
from site_app.provider.booking.mails import (
    GUEST_MAILED,
    GUEST_NOT_MAILED,
    GUEST_TEMPLATES,
    REMINDER_TEMPLATES,
    STATE_TEMPLATES,
    Occasion,
    WithdrawnMails,
    guest_row,
    meeting_rows,
    no_show_rows,
)
from site_app.provider.booking.refusals import LooksAutomatic, MailedLinkNeeded, MeetingClosed
from site_app.provider.booking.slots import Availability, slot_of, vacate
from site_app.provider.http.refusals import EntryNotFound, FieldRefused
from site_app.provider.http.tokens import hash_of
from site_app.provider.leads.quarantine import transient_signals
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.leads.storing import Registration, SubmissionContext, refuse_domain, register, shared_columns
from site_app.provider.outbox.mailboxes import limit_mails, lock_mailboxes, mailbox_of
from site_app.provider.store import insert_rows
from site_app.provider.store.tables import ManageLink, Meeting, MeetingStage, NewOutbox, Outbox, OutboxStatus

# Moves allowed with the link shown at booking. Anybody can get such a link with somebody else's address, and each move sends a mail.
MOVES_WITHOUT_MAILED_LINK = 2
MAIL_OF_NO_SHOW_WITHIN = timedelta(days=7)  # after the meeting; later a mail about it would surprise


@dataclass(frozen=True)
class ManagedMeeting:
    """A meeting and the token of a manage link to it. `is_new` is True for the request that has just booked it."""

    meeting: Meeting
    token: str
    is_new: bool = False


def book_meeting(session: Session, request: MeetingRequest, context: SubmissionContext) -> ManagedMeeting:
    """Books the meeting once: a repeated request with the same key returns the same meeting, with another manage link.

    Raises SlotTaken if another booking was faster, MeetingExists or TooManyMeetings if a limit is reached, and LooksAutomatic for
    transient spam signals, so that programs cannot take the slots. A missing or too old token does not refuse a meeting, because
    the same person would be refused again at each retry.
    """
    if transient_signals(context.spam_signals):
        raise LooksAutomatic
    [acknowledgement] = register(session, [Registration(request, prefix="C", now=context.now)])
    reference = acknowledgement.reference
    if acknowledgement.is_new:
        refuse_domain(request, context)
        if request.guest_email.rpartition("@")[2] in context.settings.refused_email_domains:
            raise FieldRefused("guest_email", "email_refused")
        _book(session, request, context, reference)
    meeting = find_by_reference(session, Meeting, reference)
    if meeting is None:
        raise EntryNotFound  # erased since
    return replace(_new_link(session, meeting), is_new=acknowledgement.is_new)


def find_by_link(session: Session, token: str) -> ManagedMeeting:
    """Returns the meeting of a manage link. Raises EntryNotFound."""
    meeting = _meeting_of(session, token)
    if meeting is None:
        raise EntryNotFound
    return ManagedMeeting(meeting, token)


def move_by_link(
    session: Session, token: str, slot_id: str, *, settings: Settings, now: datetime, time_zone: str = ""
) -> ManagedMeeting:
    """Moves the meeting of a manage link to another slot. If it raises SlotTaken or MailedLinkNeeded, the meeting stays unchanged.

    `time_zone` is the zone in which the visitor chose the slot, empty if it is that of the meeting.
    """
    meeting = require_changeable(_meeting_of(session, token, lock=True), now)
    if slot_id != slot_of(meeting).id:
        if meeting.sequence >= MOVES_WITHOUT_MAILED_LINK and not _was_mailed(session, token):
            raise MailedLinkNeeded
        meeting.time_zone = time_zone or meeting.time_zone
        move_meeting(session, meeting, slot_id, settings=settings, now=now)
    return ManagedMeeting(meeting, token)


def cancel_by_link(session: Session, token: str, *, settings: Settings, now: datetime) -> ManagedMeeting:
    """Cancels the meeting of a manage link. Does nothing if it is cancelled already."""
    meeting = _meeting_of(session, token, lock=True)
    if meeting is None or meeting.state != MeetingStage.CANCELLED:
        meeting = require_changeable(meeting, now)
        cancel_meeting(session, meeting, settings=settings, now=now)
    return ManagedMeeting(meeting, token)


def move_meeting(
    session: Session, meeting: Meeting, slot_id: str, *, settings: Settings, now: datetime, by_team: bool = False
) -> None:
    """Moves a meeting to another slot and mails all sides. If it raises SlotTaken, the meeting stays unchanged."""
    # Locked before the quarter hours, in the same order as at booking, so that transactions cannot deadlock.
    lock_mailboxes(session, mailbox_of(meeting.email))
    availability = Availability(session, settings, now, own_meeting=meeting)
    slot = availability.slot(slot_id)
    network_hash = vacate(session, meeting)
    availability.occupy(slot, meeting_id=meeting.id, network_hash=network_hash)
    meeting.moved_from = meeting.starts_at
    meeting.starts_at = slot.start
    meeting.ends_at = slot.end
    if "{secret}" in settings.booking_room:
        meeting.conferencing_url = _new_room(settings)
    _note_change(session, meeting, settings=settings, now=now)
    _send_mails(session, Occasion.MOVED, meeting, settings=settings, now=now, by_team=by_team)


def cancel_meeting(session: Session, meeting: Meeting, *, settings: Settings, now: datetime, by_team: bool = False) -> None:
    """Cancels a meeting, frees its slot and mails both sides."""
    lock_mailboxes(session, mailbox_of(meeting.email))
    meeting.state = MeetingStage.CANCELLED
    vacate(session, meeting)
    _note_change(session, meeting, settings=settings, now=now)
    _send_mails(session, Occasion.CANCELLED, meeting, settings=settings, now=now, by_team=by_team)


def forget_guest(session: Session, meeting: Meeting) -> None:
    """Removes the guest's address from the meeting, its index of words and other people's waiting mails; deletes the guest's mails."""
    meeting.guest_email = meeting.folded = ""  # the next sweep indexes the other words again
    session.add(meeting)
    is_about_meeting = col(Outbox.reference) == meeting.reference
    is_to_guest = col(Outbox.template).in_(GUEST_TEMPLATES)
    session.connection().execute(delete(Outbox).where(is_about_meeting, is_to_guest))
    for row in session.exec(select(Outbox).where(is_about_meeting).with_for_update()):
        row.payload = _without_guest(row.payload)
        session.add(row)


def _without_guest(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the payload of a mail or webhook without the guest's address; a webhook has the meeting's fields under `data`."""
    kept_values = {name: value for name, value in payload.items() if name != "guest_email"}
    return (
        kept_values | {"data": _without_guest(kept_values["data"])}
        if isinstance(kept_values.get("data"), Mapping)
        else kept_values
    )


def mark_outcome(
    session: Session, meeting: Meeting, outcome: str, *, settings: Settings, now: datetime, is_first_no_show: bool
) -> None:
    """Marks a meeting as attended or as a no-show. Raises MeetingClosed if it has not begun or was cancelled.

    The first no-show is an event, and a mail to the visitor if the meeting was not long ago.
    """
    is_outcome = outcome in (MeetingStage.ATTENDED, MeetingStage.NO_SHOW)
    if not is_outcome or meeting.state == MeetingStage.CANCELLED or meeting.starts_at > now:
        raise MeetingClosed
    meeting.state = outcome
    session.add(meeting)
    session.flush()
    if outcome == MeetingStage.NO_SHOW and is_first_no_show:
        is_recent = now <= meeting.ends_at + MAIL_OF_NO_SHOW_WITHIN
        insert_rows(session, Outbox, no_show_rows(meeting, settings=settings, now=now, with_mail=is_recent))


def upcoming_meetings(session: Session, *, now: datetime, back: timedelta = timedelta()) -> list[Meeting]:
    """Returns all meetings that are not over, or ended less than `back` ago, in the order of their start."""
    return list(session.exec(select(Meeting).where(Meeting.ends_at > now - back).order_by(col(Meeting.starts_at))))


def _book(session: Session, request: MeetingRequest, context: SubmissionContext, reference: str) -> None:
    settings = context.settings
    now = context.now
    availability = Availability(session, settings, now, own_hold_id=request.hold, language=slot_language(request.slot))
    slot = availability.slot(request.slot)
    guest = request.guest_email
    if guest and mailbox_of(guest) == mailbox_of(request.email):
        guest = ""  # has the visitor's mails
    lock_and_check_booking(session, request.email, context.network_hash, guest=guest, settings=settings, now=now)
    if request.hold:
        release_hold(session, request.hold)
    meeting = Meeting(
        full_name=request.full_name,
        starts_at=slot.start,
        ends_at=slot.end,
        time_zone=request.time_zone,
        call_language=availability.call_language,
        host=availability.host or "",
        project_information=request.project_information,
        additional_notes=request.additional_notes,
        guest_email=guest,
        conferencing_url=_new_room(settings),
        uid=f"{secrets.token_urlsafe()}@{settings.brand_email.rpartition('@')[2]}",
        changed_at=now,
        remind_at=_next_reminder(slot.start, settings=settings, now=now),
        **shared_columns(request, context, reference),  # the status is "new", because meetings are never quarantined
    )
    session.add(meeting)
    session.flush()
    availability.occupy(slot, meeting_id=meeting.id, network_hash=context.network_hash)
    release_surplus_holds(session, context.network_hash, settings=settings, now=now)
    _send_mails(session, Occasion.BOOKED, meeting, settings=settings, now=now)
    credit_all(session, [meeting], settings=settings)


def _new_room(settings: Settings) -> str:
    """Returns the address of a video call that nobody can guess."""
    names = {"{room}": secrets.token_urlsafe()[:20], "{secret}": secrets.token_urlsafe()}
    return reduce(lambda url, name: url.replace(*name), names.items(), settings.booking_room)


def require_changeable(meeting: Meeting | None, now: datetime) -> Meeting:
    """Returns the meeting if it can still be moved or cancelled. Raises EntryNotFound or MeetingClosed."""
    if meeting is None:
        raise EntryNotFound
    if meeting.state != MeetingStage.BOOKED or meeting.starts_at <= now:
        raise MeetingClosed
    return meeting


def _note_change(session: Session, meeting: Meeting, *, settings: Settings, now: datetime) -> None:
    meeting.sequence += 1
    meeting.changed_at = now
    meeting.remind_at = (
        _next_reminder(meeting.starts_at, settings=settings, now=now) if meeting.state == MeetingStage.BOOKED else None
    )
    session.add(meeting)
    session.flush()


def _next_reminder(start: datetime, *, settings: Settings, now: datetime) -> datetime | None:
    # Reminders whose time has passed are left out: a visitor who has just booked or moved the meeting has just had a mail.
    return min((due for lead in settings.booking_reminders if (due := start - lead) > now), default=None)


def _new_link(session: Session, meeting: Meeting, *, mailed: bool = False) -> ManagedMeeting:
    """Creates another link to the meeting's page; earlier links stay valid. A token with `mailed` must be sent by mail only."""
    token = secrets.token_urlsafe()
    session.add(ManageLink(token_hash=hash_of(token), meeting_id=meeting.id or 0, mailed=mailed))
    session.flush()
    return ManagedMeeting(meeting, token)


def _meeting_of(session: Session, token: str, *, lock: bool = False) -> Meeting | None:
    """Returns the meeting of this token, or None."""
    statement = select(Meeting).join(ManageLink).where(ManageLink.token_hash == hash_of(token))
    return session.exec(statement.with_for_update(of=Meeting, key_share=True) if lock else statement).first()


def _was_mailed(session: Session, token: str) -> bool:
    """Returns True if the token was sent by mail only, so that its user can read the visitor's mailbox."""
    link = session.get(ManageLink, hash_of(token))
    return link is not None and link.mailed


def manage_url(managed: ManagedMeeting, settings: Settings) -> str:
    """Returns the URL of the meeting's page in the language of the booking."""
    with use(BY_ID.get(managed.meeting.language, ENGLISH)):
        return settings.api_url + href(f"/meetings/{managed.token}")


def _send_mails(
    session: Session, occasion: Occasion, meeting: Meeting, *, settings: Settings, now: datetime, by_team: bool = False
) -> None:
    """Adds the mails of an occasion to the outbox, and the write to the host's calendar. Undelivered mails that it makes untrue are deleted.

    The host gets no reminder of a meeting that is in their calendar, which reminds them. Mails are never withheld, because the visitor
    must learn of changes. `lock_and_check_booking` and MOVES_WITHOUT_MAILED_LINK limit their number.
    """
    is_about_meeting = col(Outbox.reference) == meeting.reference
    _withdraw(session, REMINDER_TEMPLATES, is_about_meeting)
    withdrawn = WithdrawnMails()
    if occasion in (Occasion.MOVED, Occasion.CANCELLED):
        withdrawn = _withdraw(session, STATE_TEMPLATES, is_about_meeting)
    with use(BY_ID.get(meeting.language, ENGLISH)):
        file = calendar_file(meeting, settings)
    guest_rows, guest = _mail_to_guest(session, occasion, meeting, withdrawn, settings=settings, now=now, by_team=by_team)
    rows = meeting_rows(
        occasion,
        meeting,
        manage_url=manage_url(_new_link(session, meeting, mailed=True), settings),
        calendar_file=file,
        to_host=occasion != Occasion.REMINDER or not is_in_calendar(session, meeting),
        guest=guest or withdrawn.guest,
        is_first=withdrawn.has_confirmation,
        settings=settings,
        now=now,
        by_team=by_team,
    )
    insert_rows(session, Outbox, [*rows, *guest_rows])
    if occasion != Occasion.REMINDER:
        write_entry(session, meeting, settings=settings, now=now)


def _withdraw(session: Session, templates: Collection[str], condition: ColumnElement[bool]) -> WithdrawnMails:
    """Deletes mails with these templates that were not delivered yet, and returns them. Mails that are being sent stay."""
    is_undelivered = col(Outbox.status).in_((OutboxStatus.WAITING, OutboxStatus.DEAD))
    statement = delete(Outbox).where(col(Outbox.template).in_(templates), is_undelivered, condition)
    deleted = session.connection().execute(statement.returning(col(Outbox.template), col(Outbox.payload)))
    return WithdrawnMails({row.template: row.payload for row in deleted})


def _mail_to_guest(
    session: Session,
    occasion: Occasion,
    meeting: Meeting,
    withdrawn: WithdrawnMails,
    *,
    settings: Settings,
    now: datetime,
    by_team: bool,
) -> tuple[Sequence[NewOutbox], str]:
    """Returns the guest's mail, and whether the visitor's mail says that the guest got one.

    Anybody may name anybody as a guest, so an invitation counts among the mails of the day to that mailbox and may be withheld: the
    meeting then has no guest. An invited guest is told of the cancellation, and of as many moves as a visitor without a mailed link may make.
    A mail that replaces a withdrawn one is always sent: as an invitation if none has left. A cancelled meeting then has no guest.
    """
    if not meeting.guest_email or occasion == Occasion.REMINDER:
        return (), ""
    if occasion == Occasion.CANCELLED and withdrawn.has_invitation:
        forget_guest(session, meeting)
        return (), ""
    is_late_move = occasion == Occasion.MOVED and not by_team and meeting.sequence > MOVES_WITHOUT_MAILED_LINK
    if is_late_move and not withdrawn.has_mail_to_guest:
        return (), GUEST_NOT_MAILED
    with use(BY_ID.get(meeting.language, ENGLISH)):
        file = calendar_file(meeting, settings, attendee=meeting.guest_email)
    guest_occasion = Occasion.BOOKED if withdrawn.has_invitation else occasion
    row = guest_row(guest_occasion, meeting, calendar_file=file, settings=settings, now=now)
    if occasion == Occasion.BOOKED and limit_mails(session, [row], now=now)[0].status == OutboxStatus.WITHHELD:
        forget_guest(session, meeting)
        return (), GUEST_NOT_MAILED
    return [row], GUEST_MAILED


def withdraw_outdated_mails(session: Session) -> None:
    """Deletes undelivered mails that tell an older state of their meeting: those being sent when it changed, whose delivery failed."""
    has_changed = exists().where(
        col(Meeting.reference) == col(Outbox.reference), col(Meeting.changed_at) > col(Outbox.created_at)
    )
    _withdraw(session, STATE_TEMPLATES, has_changed)


def write_reminders(session: Session, *, settings: Settings, now: datetime) -> int:
    """Adds each due reminder to the outbox once, even if several processes run this at the same time. Returns their number.

    If several reminders of a meeting became due while nothing ran, the visitor gets a single mail. Undelivered reminders of meetings that
    have begun are deleted.
    """
    has_begun = exists().where(col(Meeting.reference) == col(Outbox.reference), col(Meeting.starts_at) <= now)
    _withdraw(session, REMINDER_TEMPLATES, has_begun)
    due = (col(Meeting.remind_at) <= now, col(Meeting.starts_at) > now, col(Meeting.state) == MeetingStage.BOOKED)
    # The transaction that empties `remind_at` writes the reminder: a concurrent UPDATE waits for this commit and then matches no row.
    marked = session.connection().execute(update(Meeting).where(*due).values(remind_at=None).returning(col(Meeting.id)))
    ids = [identity for (identity,) in marked]
    for meeting in session.exec(select(Meeting).where(col(Meeting.id).in_(ids))) if ids else ():
        _send_mails(session, Occasion.REMINDER, meeting, settings=settings, now=now)
        meeting.remind_at = _next_reminder(meeting.starts_at, settings=settings, now=now)
        session.add(meeting)
    return len(ids)
