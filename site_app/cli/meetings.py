"""python -m site_app meetings: the consultation calls, and times kept free of them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import typer
from sqlmodel import Session

from site_app.booking import busy
from site_app.booking.meeting import by_reference, call_off, coming
from site_app.cli.database import read, write
from site_app.cli.printing import complain, print_json, print_rows, say
from site_app.settings import settings
from site_app.store.tables import BusyTime, Meeting
from site_app.store.tables.booking import BOOKED

app = typer.Typer(help="The consultation calls: list and cancel them, and block times.")

Reference = Annotated[str, typer.Argument(help="Such as C-7F3K-29.", metavar="REF")]
_FORMATS = ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]


def _end(text: str) -> datetime:
    """When what was typed is over: a day without a time, as the next one begins."""
    day, _, time = text.replace("T", " ").partition(" ")
    typed = datetime.strptime(f"{day} {time or '00:00'}", "%Y-%m-%d %H:%M")  # noqa: DTZ007  the founder's, like every start
    return typed if time else typed + timedelta(days=1)


@app.command("list")
def list_meetings(
    days: Annotated[int, typer.Option("--past", min=0, help="Also those of so many days back.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """List the calls to come, cancelled ones too, and the times that are blocked."""
    now = datetime.now(UTC)
    calls = [_line(one) for one in read(lambda session: coming(session, now=now, back=timedelta(days=days)))]
    blocked = [_blocked(one) for one in read(lambda session: busy.blocks(session, now=now))]
    if json:
        print_json({"calls": calls, "blocked": blocked})
        return
    print_rows(calls, none="No calls are booked.")
    if blocked:
        print_rows(blocked, none="")


@app.command()
def cancel(reference: Reference, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Call a meeting off: its slot is free again, and both sides get a mail that takes it out of their calendars."""
    reference, now = reference.strip().upper(), datetime.now(UTC)
    found = read(lambda session: by_reference(session, reference))
    if found is None or found.state != BOOKED or found.starts_at <= now:
        complain(f"No call {reference} is to come. Those that are: meetings list")
        raise typer.Exit(1)
    if not yes:
        typer.confirm(f"Cancel the call with {found.full_name} at {_local(found.starts_at)}?", abort=True)
    write(lambda session: _call_off(session, reference, now))
    say(f"{reference} is cancelled; the mails leave within seconds if the site is running.")


@app.command()
def block(
    start: Annotated[datetime, typer.Argument(formats=_FORMATS, help="In the founder's time: a day, or a day and a time.")],
    end: Annotated[datetime, typer.Argument(parser=_end, help="Likewise; a day without a time is blocked whole.")],
    note: Annotated[str, typer.Option("--note", help="Why; only you see it.")] = "",
) -> None:
    """Keep a time free of calls. Calls already booked in it stay, and are named."""
    begin, finish = _moment(start), _moment(end)
    if finish <= begin:
        raise typer.BadParameter("It ends before it begins.")
    row = write(lambda session: busy.block(session, begin, finish, note=note).id)
    say(f"Blocked from {_local(begin)} to {_local(finish)}. To open it again: meetings unblock {row}")
    booked = [one for one in read(lambda session: coming(session, now=datetime.now(UTC))) if one.state == BOOKED]
    for one in booked:
        if one.starts_at < finish and one.ends_at > begin:
            say(
                f"Still booked in it: {one.reference} at {_local(one.starts_at)}. To call it off: meetings cancel {one.reference}"
            )


@app.command()
def unblock(number: Annotated[int, typer.Argument(help="As meetings list tells it.")]) -> None:
    """Open a blocked time again."""
    if not write(lambda session: busy.unblock(session, number)):
        complain(f"No blocked time has the number {number}. Those there are: meetings list")
        raise typer.Exit(1)
    say("It is open again.")


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


def _call_off(session: Session, reference: str, now: datetime) -> None:
    meeting = by_reference(session, reference, lock=True)
    if meeting is not None and meeting.state == BOOKED:
        call_off(session, meeting, settings=settings(), now=now)


def _moment(local: datetime) -> datetime:
    return local.replace(tzinfo=ZoneInfo(settings().booking_zone)).astimezone(UTC)


def _local(moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(settings().booking_zone)):%a %Y-%m-%d %H:%M %Z}"
