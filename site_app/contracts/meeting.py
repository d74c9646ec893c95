"""The calls bookMeeting and meetingSlots, and the hold on a slot while the form is filled in."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from site_app.contracts.fields import FullName, Notes, OptionalEmail, TimeZone
from site_app.contracts.input import ManyLines
from site_app.contracts.reply import Accepted, Refused, Reply
from site_app.contracts.submission import ContactedSubmission, Contract, hidden_field
from site_app.core.locales import ENGLISH

BOOKING_CALL = "bookMeeting"
# Our ids contain the start of the slot; a remote provider's ids are opaque.
MAX_SLOT_ID_LENGTH = 64
SLOT_ID = re.compile(rf"^[!-~]{{1,{MAX_SLOT_ID_LENGTH}}}$")
SlotId = Annotated[
    str,
    Field(pattern=SLOT_ID.pattern, description="The id of a slot, as meetingSlots returned it", examples=["20300102T0930Z"]),
]
HOLD_ID = re.compile(r"^[A-Za-z0-9_-]{16,64}$")
HoldId = Annotated[str, Field(pattern=HOLD_ID.pattern, description="The hold's id, as sent to or returned by holdSlot")]


def _hold(value: Any) -> str | None:
    return value if isinstance(value, str) and HOLD_ID.fullmatch(value) else None


def slot_language(identity: str) -> str:
    """Returns the language of the meetings that a slot of our provider with this id is for."""
    return identity.partition("-")[2] or ENGLISH.id


class MeetingRequest(ContactedSubmission):
    slot: SlotId
    hold: Annotated[
        str | None,
        BeforeValidator(_hold),
        hidden_field("The hold's id, as sent to or returned by holdSlot. An invalid id is ignored."),
    ] = None
    time_zone: TimeZone
    full_name: FullName
    project_information: Annotated[ManyLines, Field(max_length=5000)] = ""
    additional_notes: Notes = ""
    guest_email: OptionalEmail = ""


class SlotsRequest(Contract):
    """The requested free slots: all within the horizon, or those of some of the host's days."""

    hold: Annotated[HoldId | None, Field(description="The caller's hold; its slot is then listed, too")] = None
    first: Annotated[date | None, Field(strict=False)] = None
    last: Annotated[date | None, Field(strict=False)] = None
    call_language: Annotated[
        str, Field(pattern="^[a-z]{2}$", description="The language of the call; there are no slots in a language without calls")
    ] = ENGLISH.id


class HoldRequest(Contract):
    slot: SlotId
    hold: Annotated[
        HoldId | None,
        Field(
            description="Id chosen by the caller. If this hold exists, it moves to the slot and its time starts again; otherwise it is created. "
            "The call can be repeated safely."
        ),
    ] = None


class ReleaseRequest(Contract):
    hold: HoldId


class Slot(Reply):
    id: str
    start: datetime
    end: datetime


def nearest(slots: Iterable[Slot], moment: datetime, *, count: int = 3) -> list[Slot]:
    """Returns the slots closest to a moment, in chronological order."""
    return sorted(sorted(slots, key=lambda slot: abs(slot.start - moment))[:count], key=lambda slot: slot.start)


class Slots(Reply):
    results: list[Slot] = Field(default_factory=list)


class Held(Reply):
    """A slot reserved until `expires_at` for the caller who knows the hold."""

    ok: bool = True
    hold: str
    slot: Slot
    expires_at: datetime


class SlotRefused(Refused):
    """The slot has been taken; `results` are the free slots closest to it."""

    results: list[Slot] = Field(default_factory=list)


class CalendarLinks(Reply):
    """Links that add a meeting to a calendar: a file, and two web calendars."""

    ics: str
    google: str
    outlook: str


class Booked(Accepted):
    """A booked meeting, with its time also in words. Only this reply and the mail contain the manage link; the provider stores its hash."""

    slot: Slot
    time_zone: str
    day: str
    clocks: str
    conferencing_url: str
    manage_url: str
    calendar: CalendarLinks
