"""Calls: booked, found by their manage link, moved, cancelled; each change and its mails are one commit."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from site_app.constants import REMINDER
from site_app.contracts.meeting import MeetingRequest
from site_app.services.booking.cells import give_back, must_be_offered, take, wanted
from site_app.services.booking.holds import release_hold
from site_app.services.booking.invitations import send
from site_app.services.booking.manage_links import Managed, meeting_of, new_link
from site_app.services.booking.refusals import CallClosed, LooksAutomatic
from site_app.services.exactly_once import once
from site_app.services.leads import Desk, columns, refuse_domain
from site_app.services.refusals import NotFound
from site_app.settings import Settings
from site_app.store.tables import Meeting
from site_app.store.tables.booking import BOOKED, CANCELLED

Token = Callable[[], str]


def book_meeting(session: Session, request: MeetingRequest, desk: Desk, *, token: Token = secrets.token_urlsafe) -> Managed:
    """Book the call once: the same key gives the same call again, with a manage link of its own.

    Raises SlotTaken for whoever loses the race, and LooksAutomatic rather than letting a program take the slots away.
    """
    if desk.signs:
        raise LooksAutomatic(desk.signs)

    def make(reference: str) -> None:
        refuse_domain(request, desk)
        _book(session, request, desk, reference, token)

    reference = once(session, request, letter="C", now=desk.now, make=make)["reference"]
    meeting = session.exec(select(Meeting).where(Meeting.reference == reference)).first()
    if meeting is None:
        raise NotFound(reference)  # erased since
    return new_link(session, meeting, token=token)


def call_of(session: Session, token: str) -> Managed:
    """The call a manage link leads to, as it stands now; raises NotFound."""
    meeting = meeting_of(session, token)
    if meeting is None:
        raise NotFound("manage link")
    return Managed(meeting, token)


def move_meeting(
    session: Session,
    call: str,
    identity: str,
    *,
    settings: Settings,
    now: datetime,
    token: Token = secrets.token_urlsafe,
    hold: str | None = None,
) -> Managed:
    """Give the call another slot and say so by mail; raises SlotTaken, and then it stays where it was."""
    meeting = _open_call(session, call, now)
    slot = wanted(session, identity, settings, now=now)
    if slot.start == meeting.starts_at:
        return Managed(meeting, call)
    must_be_offered(session, slot, settings, now=now, own_call=meeting.id, own_hold=hold)
    if hold:
        release_hold(session, hold)
    give_back(session, meeting)
    take(session, slot, settings, now=now, meeting=meeting.id)
    meeting.moved_from, meeting.starts_at, meeting.ends_at = meeting.starts_at, slot.start, slot.end
    _changed(session, meeting, now)
    send(session, "moved", new_link(session, meeting, token=token), settings=settings, now=now)
    return Managed(meeting, call)


def cancel_meeting(
    session: Session, call: str, *, settings: Settings, now: datetime, token: Token = secrets.token_urlsafe
) -> Managed:
    """Call it off, free the slot and say so by mail; a call cancelled already stays as it is."""
    meeting = meeting_of(session, call, lock=True)
    if meeting is not None and meeting.state == CANCELLED:
        return Managed(meeting, call)
    return replace(cancel(session, _open_call(session, call, now), settings=settings, now=now, token=token), token=call)


def cancel(
    session: Session, meeting: Meeting, *, settings: Settings, now: datetime, token: Token = secrets.token_urlsafe
) -> Managed:
    """The same for a call in hand, as the host has it."""
    meeting.state = CANCELLED
    give_back(session, meeting)
    _changed(session, meeting, now)
    call = new_link(session, meeting, token=token)
    send(session, "cancelled", call, settings=settings, now=now)
    return call


def by_reference(session: Session, reference: str, *, lock: bool = False) -> Meeting | None:
    """The call of a reference, if asked locked against another change, where the database has such locks."""
    chosen = select(Meeting).where(Meeting.reference == reference)
    return session.exec(chosen.with_for_update() if lock else chosen).first()


def coming(session: Session, *, now: datetime, back: timedelta = timedelta()) -> list[Meeting]:
    """Every call that is not over, or not longer than `back`, in the order of the clock."""
    return list(session.exec(select(Meeting).where(Meeting.ends_at > now - back).order_by(col(Meeting.starts_at))))


def _book(session: Session, request: MeetingRequest, desk: Desk, reference: str, token: Token) -> None:
    settings, now = desk.settings, desk.now
    slot = wanted(session, request.slot, settings, now=now)
    must_be_offered(session, slot, settings, now=now, own_hold=request.hold)
    if request.hold:
        release_hold(session, request.hold)
    meeting = Meeting(
        full_name=request.full_name,
        starts_at=slot.start,
        ends_at=slot.end,
        time_zone=request.time_zone,
        project_information=request.project_information,
        additional_notes=request.additional_notes,
        conferencing_url=settings.booking_room.replace("{room}", token()[:20]),
        uid=f"{token()}@{settings.brand_email.rpartition('@')[2]}",
        changed_at=now,
        remind_at=_reminder(slot.start, now),
        **columns(request, desk, reference),
    )
    session.add(meeting)
    session.flush()
    take(session, slot, settings, now=now, meeting=meeting.id)
    send(session, "booked", new_link(session, meeting, token=token), settings=settings, now=now)


def _open_call(session: Session, token: str, now: datetime) -> Meeting:
    meeting = meeting_of(session, token, lock=True)
    if meeting is None:
        raise NotFound("manage link")
    if meeting.state != BOOKED or meeting.starts_at <= now:
        raise CallClosed(meeting.reference)
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
