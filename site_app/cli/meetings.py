"""python -m site_app meetings: commands about meetings and blocked times."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo

import typer

from site_app.cli.database import read, write
from site_app.cli.office import actor
from site_app.cli.printing import Json, Reference, Yes, give_up, print_json, print_rows, say
from site_app.core.settings import settings
from site_app.provider.booking import busy
from site_app.provider.booking.meeting import upcoming_meetings
from site_app.provider.booking.rules import MeetingClosed, SlotTaken
from site_app.provider.booking.slots import slot_at
from site_app.provider.endpoints.refusals import EntryNotFound
from site_app.provider.office import actions
from site_app.provider.office.week import clashing
from site_app.provider.store.tables import BusyTime, Meeting

app = typer.Typer(help="The consultation calls: list and cancel them, and block times.")

T = TypeVar("T")
_FORMATS = ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]


def _end(text: str) -> datetime:
    """Parses the end of a blocked time; a day without a time ends at the start of the next day."""
    day, _, time = text.replace("T", " ").partition(" ")
    typed = datetime.strptime(f"{day} {time or '00:00'}", "%Y-%m-%d %H:%M")  # noqa: DTZ007  the founder's, like every start
    return typed if time else typed + timedelta(days=1)


@app.command("list")
def list_meetings(
    days: Annotated[int, typer.Option("--past", min=0, help="Also those of so many days back.")] = 0,
    json: Json = False,
) -> None:
    """List upcoming calls, including cancelled ones, and blocked times."""
    now = datetime.now(UTC)
    calls = [_line(meeting) for meeting in read(lambda session: upcoming_meetings(session, now=now, back=timedelta(days=days)))]
    blocked = [_blocked(meeting) for meeting in read(lambda session: busy.blocked_times(session, now=now))]
    if json:
        print_json({"calls": calls, "blocked": blocked})
        return
    print_rows(calls, none="No calls are booked.")
    if blocked:
        print_rows(blocked, none="")


@app.command()
def cancel(reference: Reference, yes: Yes = False) -> None:
    """Cancel a call: its slot is free again, and both sides get a mail that removes it from their calendars."""
    meeting = _to_come(
        lambda: read(lambda session: actions.coming(session, reference, datetime.now(UTC), lock=False)), reference
    )
    if not yes:
        typer.confirm(f"Cancel the call with {meeting.full_name} at {_local(meeting.starts_at)}?", abort=True)
    _to_come(lambda: write(lambda session: actions.cancel(session, reference, actor(), settings())), reference)
    say(f"{reference} is cancelled; the mails leave within seconds if the site is running.")


@app.command()
def move(
    reference: Reference,
    start: Annotated[datetime, typer.Argument(formats=_FORMATS[1:], help="When it is to begin, in the founder's time.")],
) -> None:
    """Move a call to a free slot; both sides get a mail with the new time."""
    slot = slot_at(_moment(start)).id
    try:
        moved = _to_come(lambda: write(lambda session: actions.move(session, reference, slot, actor(), settings())), reference)
    except SlotTaken as error:
        give_up(
            f"That time is not free. Near it are: {', '.join(_local(free_slot.start) for free_slot in error.nearest) or 'none'}"
        )
    say(f"{reference} is moved to {_local(moved.starts_at)}; the mails leave within seconds if the site is running.")


@app.command()
def block(
    start: Annotated[datetime, typer.Argument(formats=_FORMATS, help="In the founder's time: a day, or a day and a time.")],
    end: Annotated[datetime, typer.Argument(parser=_end, help="Likewise; a day without a time is blocked whole.")],
    note: Annotated[str, typer.Option("--note", help="Why; only you see it.")] = "",
) -> None:
    """Block a time for new calls. Calls already booked in it stay, and are listed."""
    begin, finish = _moment(start), _moment(end)
    if finish <= begin:
        raise typer.BadParameter("It ends before it begins.")
    row = write(lambda session: actions.block(session, begin, finish, actor(), reason=note).id)
    say(f"Blocked from {_local(begin)} to {_local(finish)}. To open it again: meetings unblock {row}")
    for meeting in read(lambda session: clashing(session, begin, finish)):
        say(
            f"Still booked in it: {meeting.reference} at {_local(meeting.starts_at)}. To call it off: meetings cancel {meeting.reference}"
        )


@app.command()
def unblock(number: Annotated[int, typer.Argument(help="As meetings list tells it.")]) -> None:
    """Unblock a time."""
    try:
        write(lambda session: actions.unblock(session, number, actor()))
    except EntryNotFound:
        give_up(f"No blocked time has the number {number}. Those there are: meetings list")
    say("It is open again.")


def _to_come(work: Callable[[], T], reference: str) -> T:
    """Runs the work and returns its result. Ends the command if the meeting does not exist or can no longer be changed."""
    try:
        return work()
    except (EntryNotFound, MeetingClosed):
        give_up(f"No call {reference} is to come. Those that are: meetings list")


def _line(meeting: Meeting) -> dict[str, object]:
    return {
        "when": _local(meeting.starts_at),
        "reference": meeting.reference,
        "state": meeting.state,
        "name": meeting.full_name,
        "email": meeting.email,
        "their_zone": meeting.time_zone,
        "video_call": meeting.conferencing_url,
    }


def _blocked(row: BusyTime) -> dict[str, object]:
    return {"blocked": row.id, "from": _local(row.starts_at), "to": _local(row.ends_at), "note": row.note}


def _moment(local: datetime) -> datetime:
    return local.replace(tzinfo=ZoneInfo(settings().booking_zone)).astimezone(UTC)


def _local(moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(settings().booking_zone)):%a %Y-%m-%d %H:%M %Z}"
