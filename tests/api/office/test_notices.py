"""The office shows each chat and webhook, sends a test to each, and notifies them of what the team does."""

import re
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from site_app.core.service_table import SERVICE_TABLE
from site_app.core.settings import Settings
from site_app.provider.http.call import ApiContext
from site_app.provider.office.actions import last_save
from site_app.provider.store.tables import Outbox
from tests.support.builders import meeting, quote
from tests.support.office_browser import ADA, Browser, text_of
from tests.support.records import a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
APPLICATION, QUOTE = "A-7F3K-29", "Q-7F3K-29"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    targets = "slack=https://hooks.slack.com/services/canary all; discord:sales=https://discord.com/api/webhooks/1/canary all"
    return replace(settings, notify=targets)


async def waiting_notices(context: ApiContext) -> list[tuple[str, str]]:
    return [(row.recipient, row.template) for row in await rows_in(context.store, Outbox) if row.kind == "notice"]


async def test_an_owner_sends_a_test_to_one_target(context: ApiContext, ada: Browser) -> None:
    response = await ada.post("/mail", do="test-notice", target="discord:sales")

    assert response.status_code == 303
    assert await waiting_notices(context) == [("discord:sales", "test")]
    assert "test notice" in text_of(await ada.get("/log"))


async def test_an_unknown_target_gets_no_test_notice(context: ApiContext, ada: Browser) -> None:
    response = await ada.post("/mail", do="test-notice", target="https://evil.example.com/")

    assert (response.status_code, await waiting_notices(context)) == (404, [])


async def test_a_reader_sends_no_test(context: ApiContext, cy: Browser) -> None:
    response = await cy.post("/mail", do="test-notice", target="slack")

    assert (response.status_code, await waiting_notices(context)) == (403, [])
    assert "Send a test" not in (await cy.get("/mail")).text


async def test_the_page_of_mails_lists_notices_without_secrets(context: ApiContext, ada: Browser) -> None:
    now = context.clock()

    def row(name: str, **changes: object) -> Outbox:
        times = {"next_attempt_at": now + timedelta(minutes=5), "created_at": now}
        return Outbox(
            kind="notice", message_id=name, reference=QUOTE, template="lead.created", recipient=name, **{**times, **changes}
        )

    await add_rows(context.store, row("slack", status="waiting", attempts=3, last_error="HTTP 404"))
    await add_rows(context.store, row("discord:sales", status="sent", sent_at=now))

    page = await ada.get("/mail")

    assert "slack at hooks.slack.com" in text_of(page)
    assert "last delivery failed: HTTP 404" in text_of(page)
    assert re.search(r"last delivery \d\d:\d\d", text_of(page))
    assert "lead.created to slack" in text_of(page)
    assert "canary" not in page.text


@pytest.mark.parametrize("decision", ["approve", "decline"])
async def test_a_decision_on_an_application_sends_a_notice(context: ApiContext, ada: Browser, decision: str) -> None:
    await add_rows(context.store, an_application())

    await ada.do(APPLICATION, decision)

    assert await waiting_notices(context) == [("slack", "status"), ("discord:sales", "status")]


async def test_status_changes_send_notices_and_owner_changes_do_not(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    await ada.do(QUOTE, "handle", status="new", owner=ADA, version="0")
    assert await waiting_notices(context) == []
    await ada.do(QUOTE, "handle", status="answered", owner=ADA, version="1")
    await ada.do(QUOTE, "undo", line=str(await _last_line(context)))

    assert await waiting_notices(context) == [("slack", "status"), ("discord:sales", "status")] * 2
    lines = [row.payload["line"] for row in await rows_in(context.store, Outbox)]
    assert [line.partition(": ")[2].partition(": ")[2] for line in lines[::2]] == [
        "new → answered, by ada",
        "answered → new, by ada",
    ]
    assert "Lovelace" not in str(lines)


async def test_notices_of_submissions_are_in_english_and_link_to_the_lead(
    context: ApiContext, client: httpx.AsyncClient, ada: Browser, token: str
) -> None:
    form = {"token": token, "language": "cn"}
    lead = (await client.post("/v1.0/requestQuote", json=quote(**form))).json()["reference"]
    meeting_reference = (await client.post("/v1.0/bookMeeting", json=meeting(slot="20300103T0900Z", **form))).json()[
        "reference"
    ]
    await ada.post(f"/leads/{meeting_reference}/move", slot="20300103T1100Z")
    await ada.do(meeting_reference, "cancel")

    notices = [row for row in await rows_in(context.store, Outbox) if row.recipient == "slack"]

    assert [(row.reference, row.template) for row in notices] == [
        (lead, "lead.created"),
        (meeting_reference, "meeting.booked"),
        (meeting_reference, "meeting.moved"),
        (meeting_reference, "meeting.cancelled"),
    ]
    lines = [row.payload["line"] for row in notices]
    web, brand = (row.name() for row in SERVICE_TABLE if row.slug in ("web_development", "brand_creation"))
    assert lines[0] == f"Quote request {lead} from United Kingdom: {web}, {brand}"
    assert lines[2] == f"Call with a visitor moved: Thursday 3 January 2030, 11:00 (Europe/London), {meeting_reference}"
    assert all(row.payload["url"] == f"http://localhost:3000/office/leads/{row.reference}" for row in notices)


async def test_a_release_from_quarantine_sends_a_notice(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_message(status="quarantined"))

    await ada.do("M-7F3K-29", "release")

    assert await waiting_notices(context) == [("slack", "lead.released"), ("discord:sales", "lead.released")]


async def test_the_rows_of_notices_go_with_the_lead(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())
    await ada.do(QUOTE, "handle", status="won", owner="", version="0")

    await ada.do(QUOTE, "erase", sure=QUOTE)

    assert await rows_in(context.store, Outbox) == []


@pytest.mark.parametrize(("crm", "column"), [("hubspot", "Deal Stage"), ("pipedrive", "Deal - Title")])
async def test_the_inbox_exports_for_a_crm(context: ApiContext, ada: Browser, crm: str, column: str) -> None:
    await add_rows(context.store, a_quote())

    response = await ada.get(f"/leads.{crm}?kind=quote")

    assert f'href="/office/leads.{crm}?"' in (await ada.get()).text
    assert response.headers["content-disposition"] == f'attachment; filename="leads-{crm}.csv"'
    assert column in response.text
    assert QUOTE in response.text


async def _last_line(context: ApiContext) -> int:
    save = await context.store.read(lambda session: last_save(session, QUOTE))
    return save[0].id or 0
