"""python -m site_app meetings: lists meetings and blocked times. They are changed in the office."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from site_app.cli.database import read
from site_app.cli.printing import Json, print_json, print_rows
from site_app.core.settings import settings
from site_app.provider.booking import busy
from site_app.provider.booking.meeting import upcoming_meetings
from site_app.provider.store.tables import BusyTime, Meeting

app = typer.Typer(help="The consultation calls, and the times blocked for them. Change them in the office.")


@app.callback()
def about() -> None:
    """Makes `meetings` a group: without a callback typer turns a group with one command into that command."""


@app.command("list")
def list_meetings(
    days: Annotated[int, typer.Option("--past", min=0, max=36500, help="Also those of so many days back.")] = 0,
    json: Json = False,
) -> None:
    """List upcoming calls, including cancelled ones, and blocked times."""
    now = datetime.now(UTC)
    booked = read(lambda session: upcoming_meetings(session, now=now, back=timedelta(days=days)))
    meetings = [_line(meeting) for meeting in booked]
    blocked = [_blocked(row) for row in read(lambda session: busy.blocked_times(session, now=now))]
    if json:
        print_json({"calls": meetings, "blocked": blocked})
        return
    print_rows(meetings, none="No calls are booked.")
    if blocked:
        print_rows(blocked, none="")


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


def _local(moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(settings().booking_zone)):%a %Y-%m-%d %H:%M %Z}"
