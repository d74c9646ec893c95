"""The rows of a lead become mails in the folder, in one round."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path

import pytest

from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.leads.mails import lead_rows
from site_app.provider.outbox.courier import courier_for
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.tables import Outbox
from tests.support.outbox import NOW, a_row, deliver_due
from tests.support.records import a_quote
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio


async def test_a_lead_becomes_two_mails(store: Store, tmp_path: Path) -> None:
    settings = replace(Settings(), var=tmp_path)
    lead = a_quote(created_at=NOW)
    await store.write(
        lambda session: insert_rows(session, Outbox, lead_rows(lead, settings=settings, now=NOW.replace(year=2020)))
    )

    await deliver_due(courier_for(settings, store, compose), store, lambda: datetime.now(UTC))

    files = await asyncio.to_thread(lambda: [file.read_bytes() for file in sorted((tmp_path / "mail").iterdir())])
    assert [message_from_bytes(file)["To"] for file in files] == [
        "ada@example.org",
        "Plumbline <hello@plumbline.example.com>",
    ]
    assert {row.status for row in await rows_in(store, Outbox)} == {"sent"}


async def test_an_event_without_its_target_waits(store: Store, tmp_path: Path) -> None:
    row = a_row(kind="webhook")
    row.next_attempt_at = row.next_attempt_at.replace(year=2020)
    await add_rows(store, row)

    await deliver_due(courier_for(replace(Settings(), var=tmp_path), store, compose), store, lambda: datetime.now(UTC))

    assert (await rows_in(store, Outbox))[0].last_error == "NoTarget"
