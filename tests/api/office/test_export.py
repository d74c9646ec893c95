"""Leads are exported as CSV and JSON."""

import csv
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from sqlmodel import Session

from site_app.provider.http.call import ApiContext
from site_app.provider.leads import export
from site_app.provider.leads.export import as_json
from site_app.provider.leads.queries import entries
from tests.support.clock import Clock
from tests.support.office_browser import Browser
from tests.support.records import a_meeting, a_message, a_quote
from tests.support.stored_rows import add_rows

pytestmark = pytest.mark.anyio


async def test_the_filtered_leads_are_exported(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(phone_e164="+442079460958", full_name="=1+1"), a_message(phone="+44-20-7946"))

    [line] = csv.DictReader(StringIO((await ada.get("/leads.csv?kind=quote")).text.removeprefix("\ufeff")))
    matches = json.loads((await ada.get("/leads.json?words=question")).text)

    assert (line["phone"], line["phone_e164"], line["full_name"]) == ("+44 20 7946 0958", "+442079460958", "'=1+1")
    assert [row["reference"] for row in matches] == ["M-7F3K-29"]
    every = csv.DictReader(StringIO((await ada.get("/leads.csv")).text.removeprefix("\ufeff")))
    assert list(every.fieldnames or ()) == list(line)


async def test_an_export_is_read_and_sent_page_by_page(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PAGE_SIZE", 3)
    stamps = [clock() - timedelta(minutes=number // 4) for number in range(10)]  # some share the same moment
    await add_rows(
        context.store, *(a_quote(reference=f"Q-{number}", created_at=stamp) for number, stamp in enumerate(stamps)), a_meeting()
    )
    reads: list[object] = []
    read = context.store.read

    async def counted(job: Callable[[Session], object]) -> object:
        reads.append(job)
        return await read(job)

    monkeypatch.setattr(context.store, "read", counted)
    table, count = await ada.get("/leads.csv"), len(reads)
    listed = await ada.get("/leads.json")

    expected = [entry["reference"] for entry in await read(entries)]
    assert [line["reference"] for line in csv.DictReader(StringIO(table.text.removeprefix("\ufeff")))] == expected
    assert [entry["reference"] for entry in listed.json()] == expected
    assert listed.text == as_json(listed.json())
    assert "Content-Length" not in table.headers
    assert count > 4


async def test_an_empty_export_is_complete(context: ApiContext, ada: Browser) -> None:
    assert (await ada.get("/leads.json")).json() == []
    assert len((await ada.get("/leads.csv")).text.splitlines()) == 1
    assert (await ada.get("/leads.xml")).status_code == 404
