"""A store filled with work: calls booked and leads kept, as many as are asked for, written past the API to save hours."""

import sqlite3
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlmodel import SQLModel

from site_app.services.booking.openings import QUARTER
from site_app.store.tables import BookingCell, Inquiry, Meeting

Row = dict[str, object]
FIRST_ID = 1_000_000  # of calls: their quarter hours name them


def book(database: Path, number: int, *, already: int, now: datetime) -> None:
    """So many calls more, one every hour back from now, each with the quarter hours it took."""
    latest = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    meetings, cells = [], []
    for turn in range(already, already + number):
        begins = latest - timedelta(hours=turn)
        meetings.append({"id": FIRST_ID + turn} | _lead("C", turn, begins) | _call(turn, begins))
        cells += [
            {"starts_at": begins + step * QUARTER, "meeting_id": FIRST_ID + turn, "hold_id": None, "expires_at": None}
            for step in range(3)
        ]
    _insert(database, Meeting, meetings)
    _insert(database, BookingCell, cells)


def keep_leads(database: Path, number: int, *, already: int, now: datetime) -> None:
    """So many messages more, one every minute back from now: none is old enough to be erased."""
    rows = (
        _lead("M", turn, now - timedelta(minutes=turn))
        | {"kind": "message", "full_name": "Ada Lovelace", "subject": "A question", "message": "Do you write programs? " * 20}
        | {"country": "", "currency": "", "services": "[]", "project_description": ""}
        for turn in range(already, already + number)
    )
    _insert(database, Inquiry, rows)


def _lead(letter: str, turn: int, when: datetime) -> Row:
    return {
        "reference": f"{letter}-WORK-{turn}",
        "status": "new",
        "status_reason": "",
        "created_at": when,
        "language": "en",
        "source_page": "/",
        "email": f"ada{turn}@example.com",
        **dict.fromkeys(("phone", "phone_e164", "phone_extension", "company", "additional_notes"), ""),
    }


def _call(turn: int, begins: datetime) -> Row:
    return {
        "state": "booked",
        "full_name": "Ada Lovelace",
        "starts_at": begins,
        "ends_at": begins + 2 * QUARTER,
        "time_zone": "Europe/London",
        "project_information": "",
        "conferencing_url": "",
        "moved_from": None,
        "uid": str(uuid.uuid4()),
        "sequence": 0,
        "changed_at": begins,
        "remind_at": None,
    }


def _insert(database: Path, table: type[SQLModel], rows: Iterable[Row]) -> None:
    rows = list(rows)
    if not rows:
        return
    columns = list(rows[0])
    written = [tuple(_plain(row[name]) for name in columns) for row in rows]
    statement = f"INSERT INTO {table.__tablename__} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    with sqlite3.connect(database, timeout=60) as connection:
        connection.executemany(statement, written)


def _plain(value: object) -> object:
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime) else value
