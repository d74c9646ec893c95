"""The page of a lead: reading it, its status, owner and notes, releasing it from quarantine, its files and mails."""

import re
from pathlib import Path

import pytest
from sqlmodel import Session

from site_app.provider.http.call import ApiContext
from site_app.provider.leads.attachments import directory
from site_app.provider.leads.erasing import delete_entries
from site_app.provider.leads.queries import LeadEntry, full_entry
from site_app.provider.office import lead_pages
from site_app.provider.office.inbox import opening, reason_words
from site_app.provider.store.tables import (
    TEAM_STATUSES,
    Lead,
    Note,
    OpenedLead,
    Outbox,
)
from tests.support.clock import Clock
from tests.support.locks import another_process
from tests.support.office_browser import ADA, BO, Browser, text_of
from tests.support.records import a_quote
from tests.support.stored_rows import abandoned_mail, add_rows, attached, logged_actions, rows_in

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE = "Q-7F3K-29"
HOSTILE = '<script>alert(1)</script><b>=1+1</b> \u202egpj.exe สวัสดีครับ 👩‍🚀 " onload="x'


async def test_looking_at_a_lead_changes_nothing(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    page = text_of(await ada.get(f"/leads/{QUOTE.lower()}"))

    assert "A machine that weaves algebraic patterns." in page
    assert "Ada Lovelace" in page
    assert [row.status for row in await rows_in(context.store, Lead)] == ["new"]
    assert await logged_actions(context) == []


async def test_a_lead_erased_while_it_is_opened_leaves_no_row(
    context: ApiContext, ada: Browser, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_rows(context.store, a_quote())

    def erased_once_read(session: Session, reference: str) -> LeadEntry | None:
        entry = full_entry(session, reference)
        with another_process(database) as bo:
            delete_entries(bo, reference)
            bo.commit()
        return entry

    monkeypatch.setattr(lead_pages, "full_entry", erased_once_read)
    response = await ada.get(f"/leads/{QUOTE}")

    assert response.status_code == 200
    assert await rows_in(context.store, OpenedLead) == []


async def test_status_and_owner_are_set_and_undone(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "handle", status="answered", owner=BO, version="0")

    [lead] = await rows_in(context.store, Lead)
    assert (lead.status, lead.owner, lead.version) == ("answered", BO, 1)
    assert await logged_actions(context) == [(ADA, "status", QUOTE), (ADA, "owner", QUOTE)]
    line = re.search(r'name="line" value="(\d+)"', (await ada.get(f"/leads/{QUOTE}")).text)
    assert line
    await ada.do(QUOTE, "undo", line=line[1])
    [lead] = await rows_in(context.store, Lead)
    assert (lead.status, lead.owner) == ("new", "")
    assert (await ada.do(QUOTE, "undo", line=line[1])).status_code == 409


@pytest.mark.parametrize("status", ["quarantined", "released", "nonsense", "<b>"])
async def test_a_status_that_cannot_be_set_by_hand_is_refused(context: ApiContext, ada: Browser, status: str) -> None:
    await add_rows(context.store, a_quote())

    assert (await ada.do(QUOTE, "handle", status=status, version="0")).status_code == 409
    assert [row.status for row in await rows_in(context.store, Lead)] == ["new"]


async def test_the_second_of_two_people_sees_the_change_of_the_first(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "handle", status="won", owner=ADA, version="0")
    refused = await bo.do(QUOTE, "handle", status="lost", owner=BO, version="0")

    assert refused.status_code == 409
    assert "Someone got there first" in refused.text
    assert ADA in text_of(refused)
    assert re.search(r'value="lost" checked', refused.text)
    [lead] = await rows_in(context.store, Lead)
    assert (lead.status, lead.owner) == ("won", ADA)
    version = re.search(r'name="version" value="(\d+)"', refused.text)
    assert version
    await bo.do(QUOTE, "handle", status="lost", owner=BO, version=version[1])
    assert [row.status for row in await rows_in(context.store, Lead)] == ["lost"]


async def test_a_save_without_a_change_refuses_nobody(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "handle", status="new", owner="", version="0")
    saved = await bo.do(QUOTE, "handle", status="read", owner=BO, version="0")

    assert saved.status_code == 303
    assert [(row.status, row.owner) for row in await rows_in(context.store, Lead)] == [("read", BO)]


async def test_an_owner_is_somebody_of_the_team(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "handle", status="read", owner="stranger@example.com", version="0")

    assert [row.owner for row in await rows_in(context.store, Lead)] == [""]


async def test_a_note_is_stored_escaped_and_undone(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "note", text=f"Called.\n{HOSTILE}")

    page = (await ada.get(f"/leads/{QUOTE}")).text
    assert "Called." in page
    assert "<script>alert" not in page
    assert [entry for entry in await logged_actions(context) if "Called" in str(entry)] == []
    line = re.search(r'name="line" value="(\d+)"', page)
    assert line
    await ada.do(QUOTE, "undo", line=line[1])
    assert await rows_in(context.store, Note) == []


async def test_a_lead_in_quarantine_says_in_words_why(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(status="quarantined", status_reason="honeypot no-token"))

    page = text_of(await ada.get(f"/leads/{QUOTE}"))

    assert reason_words("honeypot no-token") in page
    assert "no-token" not in page


async def test_a_lead_in_quarantine_is_released_once_with_its_mails(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(status="quarantined", status_reason="honeypot"))

    first = await ada.do(QUOTE, "release")
    second = await ada.do(QUOTE, "release")

    assert (first.status_code, second.status_code) == (303, 409)
    assert [row.status for row in await rows_in(context.store, Lead)] == ["released"]
    assert {row.template for row in await rows_in(context.store, Outbox)} == {"news", "answer"}


async def test_leads_leave_quarantine_only_by_release(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(status="quarantined"))

    for status in TEAM_STATUSES:
        assert (await ada.do(QUOTE, "handle", status=status, version="0")).status_code == 409

    assert [row.status for row in await rows_in(context.store, Lead)] == ["quarantined"]


async def test_only_the_leads_own_files_are_sent_as_attachments(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    (directory(tmp_path) / "ab12").write_text("<script>alert(1)</script>")
    name = 'brief "ö".html'
    await add_rows(context.store, a_quote(), attached(QUOTE, name))

    response = await ada.get(f"/leads/{QUOTE}/files/ab12")

    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    for path in ("/leads/M-7F3K-29/files/ab12", f"/leads/{QUOTE}/files/cd34", f"/leads/{QUOTE}/files/..%2fsecret"):
        assert (await ada.get(path)).status_code == 404


async def test_answering_opens_the_mail_program_with_the_reference(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(email="o'brien+x?cc=y@example.org"))

    page = (await ada.get(f"/leads/{QUOTE}")).text

    assert f'href="mailto:o%27brien%2Bx%3Fcc%3Dy@example.org?subject=Re%3A%20{QUOTE}"' in page


@pytest.mark.parametrize(("status", "template"), [("new", "answer"), ("quarantined", "confirmation")])
async def test_a_withheld_mail_is_shown_on_the_page_of_its_lead(
    context: ApiContext, ada: Browser, status: str, template: str
) -> None:
    withheld = abandoned_mail(QUOTE, NOW)
    withheld.template, withheld.status = template, "withheld"
    await add_rows(context.store, a_quote(status=status), withheld)

    page = text_of(await ada.get(f"/leads/{QUOTE}"))

    assert "had already had its emails for the day" in page
    assert "has been asked to confirm" not in page
    assert "1 withheld" in text_of(await ada.get("/mail"))


@pytest.mark.parametrize(
    "text",
    ["word " * 900, "word " * 139, "line\n" * 60, "One sentence, and one more. " * 100, "無空格的長句子。" * 300, "x" * 4000],
)
async def test_a_long_text_is_shown_in_full_in_two_parts(text: str) -> None:
    beginning, remainder = opening(text)

    assert "".join((beginning + remainder).split()) == "".join(text.split())
    assert len(beginning) <= 700
    assert beginning
