"""A database of release 0.1.0 with rows in every table keeps all of them on the way to this release, and back.

`first_release.sql` is a SQLite database that release wrote itself, dumped with `sqlite3.Connection.iterdump`: invented visitors used its
API, at commit 755b820e, with a fixed clock and a secret made for this purpose. Their mails went into a folder at first, and later to a
server that did not answer. `first_release.json` has what they sent, without form tokens, and the references that they got.
"""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select

from alembic import command
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.meeting import MeetingRequest
from site_app.provider.api.mails import compose
from site_app.provider.booking.meeting import book_meeting, find_by_link
from site_app.provider.leads.storing import IncomingLead, store_leads
from site_app.provider.store import brief_engine
from site_app.provider.store.migration import configuration, upgrade
from site_app.provider.store.tables import Attachment, Lead, Meeting, Outbox
from tests.support.bookings import SETTINGS, submission_context
from tests.unit.store.first_release import write_first_release

FOLDER = Path(__file__).parent
SENT: list[dict[str, Any]] = json.loads((FOLDER / "first_release.json").read_text())
BY_CALL = {kind.call: kind for kind in LEAD_KINDS}
IN_ONE_TABLE_NOW = ("inquiry", "affiliate")
AFTERWARDS = datetime(2026, 11, 21, tzinfo=UTC)
# Fields that are stored under another name, or not at all.
_ABOUT_THE_SUBMISSION = ("key", "website_url", "page", "phone_country", "attachments", "slot", "hold")
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_first_release(tmp_path)


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of that database with the tables of this release, for tests that commit nothing."""
    url = f"sqlite:///{write_first_release(tmp_path_factory.mktemp('first'))}"
    upgrade(url)
    return url


def stored(file: Path) -> Rows:
    """Returns the rows of every table as the file has them."""
    with closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {table: [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid")] for table in tables}


def as_before(row: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    """Returns those columns of a row that the earlier one has."""
    return {name: row.get(name) for name in earlier}


def test_every_table_of_the_first_release_has_rows(file: Path) -> None:
    assert sorted(table for table, rows in stored(file).items() if not rows) == ["calendar_reading"]


def test_every_row_keeps_its_values(file: Path, url: str) -> None:
    earlier = stored(file)

    upgrade(url)

    now = stored(file)
    for table in earlier.keys() - {*IN_ONE_TABLE_NOW, "alembic_version"}:
        rows = [as_before(row, old) for row, old in zip(now[table], earlier[table], strict=True)]
        assert rows == earlier[table], table


def test_every_lead_keeps_its_values(file: Path, url: str) -> None:
    earlier = stored(file)
    leads = [row for table in IN_ONE_TABLE_NOW for row in earlier[table]]

    upgrade(url)

    stored_leads = stored(file)["lead"]
    assert [row["reference"] for row in stored_leads] == [row["reference"] for row in leads]
    for row, old in zip(stored_leads, leads, strict=True):
        empty = {name: "[]" if name == "services" else "" for name in old}
        own_fields = {
            name: json.dumps(value) if name == "services" else value for name, value in json.loads(row["said"]).items()
        }
        values = as_before(empty | row | own_fields, old)
        assert values | {"id": old["id"]} == old


def test_the_texts_of_visitors_are_read_by_this_release(upgraded: str) -> None:
    with brief_engine(upgraded) as engine, Session(engine) as session:
        rows = [*session.exec(select(Lead)), *session.exec(select(Meeting))]
        by_reference = {row.reference: row.model_dump() | getattr(row, "own_fields", {}) for row in rows}
        files = session.exec(select(Attachment.original_name, Attachment.claimed_by)).all()

    assert len(by_reference) == len(SENT)
    for entry in SENT:
        row, payload = by_reference[entry["reference"]], entry["payload"]
        texts = {name: value for name, value in payload.items() if name not in _ABOUT_THE_SUBMISSION}
        assert {name: row.get(name) for name in texts} == texts
        assert row["source_page"] == payload.get("page", "")
    [with_files] = [entry for entry in SENT if entry["payload"].get("attachments")]
    assert [claimed_by for _, claimed_by in files].count(with_files["reference"]) == 2


@pytest.mark.parametrize("entry", SENT, ids=[f"{number} {entry['call']}" for number, entry in enumerate(SENT, 1)])
def test_a_repeated_key_still_gives_the_same_reference(upgraded: str, entry: dict[str, Any]) -> None:
    """A visitor's browser may repeat after an upgrade what it sent before."""
    context = submission_context(AFTERWARDS)

    with brief_engine(upgraded) as engine, Session(engine) as session:
        if kind := BY_CALL.get(entry["call"]):
            submission = kind.contract.model_validate(entry["payload"])
            reference = store_leads(session, [IncomingLead(kind, submission, context)])[0].reference
        else:
            reference = book_meeting(session, MeetingRequest.model_validate(entry["payload"]), context).meeting.reference

    assert reference == entry["reference"]


def test_mails_that_wait_are_sent_by_this_release(upgraded: str) -> None:
    with brief_engine(upgraded) as engine, Session(engine) as session:
        waiting = session.exec(select(Outbox).where(Outbox.status == "waiting")).all()
        mails = [message_from_bytes(compose(row, SETTINGS)) for row in waiting]

    assert {row.template for row in waiting} >= {"news", "answer", "confirmation", "call-booked-visitor", "call-moved-host"}
    assert [mail["Message-ID"] for mail in mails] == [row.message_id for row in waiting]


def test_the_links_of_those_mails_lead_to_the_meetings(upgraded: str) -> None:
    with brief_engine(upgraded) as engine, Session(engine) as session:
        links = [row for row in session.exec(select(Outbox)) if "manage_url" in row.payload]
        meetings = [find_by_link(session, row.payload["manage_url"].rpartition("/")[2]).meeting.reference for row in links]

    assert meetings == [row.reference for row in links]
    assert meetings


def test_the_first_rows_come_back(file: Path, url: str) -> None:
    """The release before can be put back with `downgrade`, if there are no leads that it does not know."""
    earlier = stored(file)
    upgrade(url)

    with brief_engine(url) as engine, engine.begin() as connection:
        command.downgrade(configuration(connection), "0001")

    assert stored(file) == earlier
