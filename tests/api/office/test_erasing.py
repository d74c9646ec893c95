"""Leads and people are erased with everything that belongs to them."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.leads.attachments import directory
from site_app.provider.office.frame import DONE_MESSAGES
from site_app.provider.outbox.rows import mail_row
from site_app.provider.store.tables import (
    Attachment,
    Lead,
    Note,
    Outbox,
)
from tests.support.clock import Clock
from tests.support.databases import ON_SQLITE
from tests.support.office_browser import ADA, Browser, text_of
from tests.support.records import a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, attached, logged_actions, rows_in

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE, CALL = "Q-7F3K-29", "C-7F3K-29"
GUEST = "bo@guest.example.org"


async def test_erasing_needs_a_confirmation_and_removes_everything(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    file, mail = directory(tmp_path) / "ab12", tmp_path / "mail" / f"{QUOTE}.news.eml"
    mail.parent.mkdir(exist_ok=True)
    file.write_text("x")
    mail.write_text("x")
    await add_rows(context.store, a_quote(), attached(QUOTE), Note(reference=QUOTE, person=ADA, written_at=NOW, text="Called."))

    question = await ada.do(QUOTE, "erase")
    assert question.status_code == 200
    assert "Entries of the log stay, and so does an affiliate’s referral with its payments." in text_of(question)
    assert len(await rows_in(context.store, Lead)) == 1
    await ada.do(QUOTE, "erase", sure=QUOTE)

    assert [await rows_in(context.store, table) for table in (Lead, Note, Attachment)] == [[], [], []]
    assert not file.exists()
    assert not mail.exists()
    assert (ADA, "erase", QUOTE) in await logged_actions(context)
    assert (await ada.get(f"/leads/{QUOTE}")).status_code == 404
    assert (await ada.do(QUOTE, "note", text="Too late")).status_code == 404


@ON_SQLITE
async def test_an_erasure_reports_copies_kept_by_a_reader(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    await add_rows(context.store, a_quote(), a_message())
    reader = sqlite3.connect(tmp_path / "site.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM lead").fetchone()

    held_back = await ada.do(QUOTE, "erase", sure=QUOTE)
    reader.close()
    complete = await ada.do("M-7F3K-29", "erase", sure="M-7F3K-29")

    pages = [text_of(await ada.client.get(response.headers["Location"])) for response in (held_back, complete)]
    assert DONE_MESSAGES["erase-row"] in pages[0]
    assert DONE_MESSAGES["erase"] in pages[1]


async def test_all_data_of_a_person_is_exported_and_erased_at_once(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(), a_message(), an_application(email="other@example.org"))
    await ada.do(QUOTE, "note", text="Called.")

    exported = json.loads((await ada.get("/person.json?email=ADA@example.org")).text)
    question = await ada.do(QUOTE, "erase")
    await ada.do(QUOTE, "erase", sure=QUOTE, all="yes")

    assert {row["reference"] for row in exported["leads"]} == {QUOTE, "M-7F3K-29"}
    assert "Called." in str(exported)
    assert "Delete all 2 leads" in question.text
    assert [row.reference for row in await rows_in(context.store, Lead)] == ["A-7F3K-29"]
    assert (await ada.get("/person.json?email=ada@example.org")).status_code == 404


@pytest.mark.parametrize("address", ["ada@bücher.de", "ADA@BÜCHER.DE", "ada@xn--bcher-kva.de", " ada@bücher.de\u200b"])
async def test_a_person_is_known_by_the_address_as_they_write_it(context: ApiContext, ada: Browser, address: str) -> None:
    await add_rows(context.store, a_quote(email="ada@xn--bcher-kva.de"), a_message(email="ada@xn--bcher-kvb.de"))

    exported = await ada.get("/person.json", params={"email": address})

    assert [row["reference"] for row in exported.json()["leads"]] == [QUOTE]


async def test_the_page_of_a_call_leads_to_the_export_about_its_guest(context: ApiContext, ada: Browser) -> None:
    invitation = mail_row("call-booked-guest", {"reference": CALL}, GUEST, "en", settings=context.settings, now=NOW)
    invitation.mailbox = GUEST
    await add_rows(context.store, a_meeting(guest_email=GUEST), Outbox(**invitation.model_dump(exclude={"id"})))

    [link] = re.findall(r'href="/office(/person\.json\?email=bo[^"]*)"', (await ada.get(f"/leads/{CALL}")).text)
    exported = (await ada.get(link)).json()

    assert [call["reference"] for call in exported["guest_of"]] == [CALL]
    assert "ada@example.org" not in str(exported)
