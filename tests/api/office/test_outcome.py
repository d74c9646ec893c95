"""After a call the office marks it as attended or as a no-show, and writes down how it went."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import httpx
import pytest

from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.http.call import ApiContext
from site_app.provider.leads.word_index import index_words, needs_index
from site_app.provider.store.tables import Meeting, Note, Outbox
from tests.support.builders import meeting
from tests.support.clock import Clock
from tests.support.office_browser import ADA, CY, Browser, text_of
from tests.support.stored_rows import logged_actions, rows_in

pytestmark = pytest.mark.anyio

AFTER_MEETING = timedelta(days=1)  # from the clock's start to a while after the call


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, notify="slack=https://hooks.slack.com/services/canary meeting.no-show")


@pytest.fixture
async def reference(client: httpx.AsyncClient, token: str) -> str:
    form = meeting(slot="20300103T0900Z", token=token, language="th")
    return (await client.post("/v1.0/bookMeeting", json=form)).json()["reference"]


@pytest.fixture
async def ada(sign_in: Callable[[str], Awaitable[Browser]], clock: Clock, reference: str) -> Browser:
    """Ada's browser, after the call."""
    clock.advance(AFTER_MEETING)
    return await sign_in(ADA)


async def sent(context: ApiContext) -> list[str]:
    """Returns the templates of no-shows in the outbox."""
    return [row.template for row in await rows_in(context.store, Outbox) if "no-show" in row.template]


async def state(context: ApiContext) -> str:
    return (await rows_in(context.store, Meeting))[0].state


async def test_a_meeting_that_took_place_keeps_its_outcome_and_next_step(
    context: ApiContext, ada: Browser, reference: str
) -> None:
    response = await ada.do(reference, "attended", text="They want a quote. Next: send the scope.")

    assert response.status_code == 303
    assert await state(context) == "attended"
    assert [note.text for note in await rows_in(context.store, Note)] == ["They want a quote. Next: send the scope."]
    assert (ADA, "outcome", reference) in await logged_actions(context)
    assert "Marked as attended." in text_of(await ada.get(f"/leads/{reference}"))
    assert await sent(context) == []


async def test_a_no_show_mail_speaks_the_language_and_links_to_a_new_booking(
    context: ApiContext, ada: Browser, reference: str
) -> None:
    await ada.do(reference, "no-show")

    assert (await state(context), await sent(context)) == ("no-show", ["call-no-show-visitor", "meeting.no-show"])
    mail, notice = (row for row in await rows_in(context.store, Outbox) if "no-show" in row.template)
    text = message_from_bytes(compose(mail, context.settings), policy=policy.default).get_body(("plain",))
    assert text
    assert "http://localhost:3000/th?open=consultation" in text.get_content()
    assert notice.payload["line"] == f"No-show of a visitor: Thursday 3 January 2030, 09:00 (Europe/London), {reference}"


async def test_a_no_show_sends_one_notice(context: ApiContext, ada: Browser, reference: str) -> None:
    for mark in ("no-show", "no-show", "attended", "no-show"):
        assert (await ada.do(reference, mark)).status_code == 303

    assert await sent(context) == ["call-no-show-visitor", "meeting.no-show"]


async def test_a_no_show_marked_long_after_the_meeting_mails_nobody(
    context: ApiContext, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]], reference: str
) -> None:
    clock.advance(AFTER_MEETING + timedelta(days=7))
    ada = await sign_in(ADA)

    await ada.do(reference, "no-show")

    assert await sent(context) == ["meeting.no-show"]


async def test_a_meeting_to_come_or_cancelled_cannot_be_marked(
    context: ApiContext, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]], reference: str
) -> None:
    ada = await sign_in(ADA)
    assert (await ada.do(reference, "no-show")).status_code == 409
    assert 'value="no-show"' not in (await ada.get(f"/leads/{reference}")).text

    await ada.do(reference, "cancel")
    clock.advance(AFTER_MEETING)
    ada = await sign_in(ADA)

    assert (await ada.do(reference, "attended", text="A note.")).status_code == 409
    assert (await state(context), await sent(context), await rows_in(context.store, Note)) == ("cancelled", [], [])


async def test_readers_cannot_record_an_outcome(
    context: ApiContext, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]], reference: str
) -> None:
    clock.advance(AFTER_MEETING)
    cy = await sign_in(CY)

    assert (await cy.do(reference, "no-show")).status_code == 403
    assert await state(context) == "booked"


async def test_the_office_removes_a_guest_who_asks_for_it(
    client: httpx.AsyncClient, context: ApiContext, sign_in: Callable[[str], Awaitable[Browser]], token: str
) -> None:
    form = meeting(slot="20300104T0900Z", token=token, guest_email="bo@guest.example.org")
    reference = (await client.post("/v1.0/bookMeeting", json=form)).json()["reference"]
    ada = await sign_in(ADA)
    page_before = text_of(await ada.get(f"/leads/{reference}"))
    found_before = reference in (await ada.get("?words=bo@guest")).text

    response = await ada.do(reference, "drop-guest")
    while await context.store.read(needs_index):
        await context.store.write(index_words)

    [row] = await rows_in(context.store, Meeting)
    assert (response.status_code, row.state, row.guest_email) == (303, "booked", "")
    assert "Guest’s email address" in page_before
    assert "Guest’s email address" not in text_of(await ada.get(f"/leads/{reference}"))
    assert (found_before, reference in (await ada.get("?words=bo@guest")).text) == (True, False)
    assert reference in (await ada.get("?words=lovelace")).text
    assert "call-booked-guest" not in [mail.template for mail in await rows_in(context.store, Outbox)]
    assert (ADA, "remove guest", reference) in await logged_actions(context)


async def test_mails_and_notices_that_wait_do_not_name_a_removed_guest(
    client: httpx.AsyncClient,
    context: ApiContext,
    change_settings: Callable[..., None],
    sign_in: Callable[[str], Awaitable[Browser]],
    token: str,
) -> None:
    change_settings(notify="webhook=https://crm.example.com/hook key=whsec_" + "c2VjcmV0" * 4 + " meeting.booked")
    form = meeting(slot="20300104T0900Z", token=token, guest_email="bo@guest.example.org")
    reference = (await client.post("/v1.0/bookMeeting", json=form)).json()["reference"]
    templates = [row.template for row in await rows_in(context.store, Outbox) if "bo@guest" in str(row.payload)]

    await (await sign_in(ADA)).do(reference, "drop-guest")

    assert {"call-booked-host", "meeting.booked"} <= set(templates)
    waiting = [row for row in await rows_in(context.store, Outbox) if row.reference == reference]
    assert {"call-booked-host", "meeting.booked"} <= {row.template for row in waiting}
    assert "bo@guest" not in str([row.payload for row in waiting])
    assert "Lovelace" in str([row.payload for row in waiting if row.template == "meeting.booked"])


async def test_a_reader_cannot_remove_a_guest(
    client: httpx.AsyncClient, context: ApiContext, sign_in: Callable[[str], Awaitable[Browser]], token: str
) -> None:
    form = meeting(slot="20300104T0900Z", token=token, guest_email="bo@guest.example.org")
    reference = (await client.post("/v1.0/bookMeeting", json=form)).json()["reference"]

    await (await sign_in(CY)).do(reference, "drop-guest")

    assert (await rows_in(context.store, Meeting))[0].guest_email == "bo@guest.example.org"
