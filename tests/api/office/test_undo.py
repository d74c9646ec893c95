"""Undo reverts whole saves; each press goes one save further back."""

import re
from datetime import timedelta

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import Lead, Note
from tests.support.clock import Clock
from tests.support.office_browser import ADA, BO, Browser, text_of
from tests.support.records import a_quote, an_application
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
QUOTE = "Q-7F3K-29"


async def save(browser: Browser, context: ApiContext, clock: Clock, **form: str) -> None:
    """Saves the form of status and owner, a moment after the previous save."""
    clock.advance(timedelta(seconds=1))
    [lead] = await rows_in(context.store, Lead)
    response = await browser.do(QUOTE, "handle", version=str(lead.version), **form)
    assert response.status_code == 303


async def undo(browser: Browser, clock: Clock) -> bool:
    """Presses the page's undo button; returns False if there is none."""
    clock.advance(timedelta(seconds=1))
    line = re.search(r'name="line" value="(\d+)"', (await browser.get(f"/leads/{QUOTE}")).text)
    if line:
        assert (await browser.do(QUOTE, "undo", line=line[1])).status_code == 303
    return bool(line)


async def current_state(context: ApiContext) -> tuple[str, str]:
    [lead] = await rows_in(context.store, Lead)
    return lead.status, lead.owner


async def test_status_and_owner_saved_together_are_undone_together(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, a_quote())
    await save(ada, context, clock, status="answered", owner=BO)

    page = text_of(await ada.get(f"/leads/{QUOTE}"))
    await undo(ada, clock)

    assert "Undo: status and handler" in page
    assert await current_state(context) == ("new", "")


async def test_repeated_undo_reverts_one_change_after_the_other(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, a_quote())
    await save(ada, context, clock, status="read", owner=ADA)
    await ada.do(QUOTE, "note", text="Called.")
    await save(ada, context, clock, status="won", owner=ADA)
    await save(ada, context, clock, status="won", owner=BO)

    states = []
    while await undo(ada, clock):
        states.append((*await current_state(context), len(await rows_in(context.store, Note))))

    assert states == [("won", ADA, 1), ("read", ADA, 1), ("read", ADA, 0), ("new", "", 0)]


async def test_after_an_undo_a_new_change_is_undone_first(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, a_quote())
    await save(ada, context, clock, status="read", owner="")
    await save(ada, context, clock, status="won", owner="")
    await undo(ada, clock)
    await save(ada, context, clock, status="lost", owner="")

    states = []
    while await undo(ada, clock):
        states.append((await current_state(context))[0])

    assert states == ["read", "new"]


async def test_undoing_a_status_restores_released(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, a_quote(status="quarantined"))
    await ada.do(QUOTE, "release")
    await save(ada, context, clock, status="answered", owner="")

    await undo(ada, clock)

    assert await current_state(context) == ("released", "")
    assert not await undo(ada, clock)


async def test_an_undo_of_a_page_that_is_out_of_date_does_nothing(
    context: ApiContext, ada: Browser, bo: Browser, clock: Clock
) -> None:
    await add_rows(context.store, a_quote())
    await save(ada, context, clock, status="read", owner="")
    line = re.search(r'name="line" value="(\d+)"', (await ada.get(f"/leads/{QUOTE}")).text)
    assert line
    await save(bo, context, clock, status="won", owner="")

    assert (await ada.do(QUOTE, "undo", line=line[1])).status_code == 409
    assert await current_state(context) == ("won", "")


@pytest.mark.parametrize(("decision", "status"), [("approve", "won"), ("decline", "lost")])
async def test_what_was_saved_before_a_decision_is_not_undone(
    context: ApiContext, ada: Browser, clock: Clock, decision: str, status: str
) -> None:
    await add_rows(context.store, an_application(created_at=clock.now))
    await ada.do("A-7F3K-29", "handle", version="0", status="read", owner="")
    [saved] = re.findall(r'name="line" value="(\d+)"', (await ada.get("/leads/A-7F3K-29")).text)

    await ada.do("A-7F3K-29", decision)

    assert 'name="line"' not in (await ada.get("/leads/A-7F3K-29")).text
    assert (await ada.do("A-7F3K-29", "undo", line=saved)).status_code == 409
    assert await current_state(context) == (status, "")


async def test_what_was_saved_after_a_decision_is_undone(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, an_application(created_at=clock.now))
    await ada.do("A-7F3K-29", "decline")
    await ada.do("A-7F3K-29", "handle", version="1", status="read", owner="")
    [saved] = re.findall(r'name="line" value="(\d+)"', (await ada.get("/leads/A-7F3K-29")).text)

    await ada.do("A-7F3K-29", "undo", line=saved)

    assert await current_state(context) == ("lost", "")
