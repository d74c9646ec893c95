"""Visitors' data disappears from every table and file when its retention period ends."""

import asyncio
import uuid
from dataclasses import replace
from datetime import datetime, timedelta

import httpx
import pytest
from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.affiliates import program
from site_app.provider.api.mails import TEMPLATES_WITHOUT_LEAD
from site_app.provider.api.sweep import sweep_once
from site_app.provider.http.call import ApiContext
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.columns import Row
from site_app.provider.store.tables import BusyTime, CalendarReading, ClockReading, Outbox, OutboxStatus
from tests.support.builders import affiliate, meeting, message, quote
from tests.support.clock import Clock
from tests.support.databases import ON_SQLITE
from tests.support.outbox import a_row

pytestmark = pytest.mark.anyio
WORD = "canary7f3k"
# Tables without visitor data: the host's busy times, the readings of their calendar, and of the clock.
WITHOUT_VISITOR_DATA = {BusyTime.__tablename__, CalendarReading.__tablename__, ClockReading.__tablename__}
FILLED_BY_VISITORS = {
    *("lead", "attachment", "idempotency_key", "outbox", "page_view"),
    *("meeting", "manage_link", "hold", "booking_cell"),
}
FILLED_BY_PARTNERS = {"partner", "partner_link", "affiliate_entry"}
TABLES = [table for table in Row.metadata.sorted_tables if table.name not in WITHOUT_VISITOR_DATA]


def filled(session: Session) -> set[str]:
    """Returns the tables that have rows."""
    return {table.name for table in TABLES if session.exec(select(func.count()).select_from(table)).one()}


def join_and_leave(session: Session, application: str, *, settings: Settings, now: datetime) -> None:
    """Makes the applicant a partner who gives notice at once."""
    partner = program.approve(session, application, Actor("o@agency.example", now), name=WORD, settings=settings)
    program.leave(session, program.add_link(session, partner), settings=settings, now=now)


@pytest.fixture(autouse=True)
def mails_stay_in_outbox() -> None:
    """Replaces the fixture of all API tests: here the courier sends the mails, and what it leaves of them is looked for."""


async def no_mail_is_under_way(context: ApiContext) -> None:
    """Waits for the courier. A mail that it writes to the folder during a sweep is erased by the next one."""
    is_under_way = (col(Outbox.status) == OutboxStatus.SENDING) | (
        (col(Outbox.status) == OutboxStatus.WAITING) & (col(Outbox.next_attempt_at) <= context.clock())
    )
    for _ in range(200):
        if not await context.store.read(lambda session: session.exec(select(Outbox.id).where(is_under_way)).first()):
            return
        await asyncio.sleep(0.05)
    pytest.fail("the courier was not done after ten seconds")


async def test_mails_that_still_wait_are_sent_however_short_the_quarantine(context: ApiContext, settings: Settings) -> None:
    settings = replace(settings, keep_quarantine=timedelta(hours=1), mail_give_up=timedelta(days=2))
    old = context.clock()

    def add(session: Session) -> None:
        for number, status in enumerate(OutboxStatus):
            row = a_row(number)
            row.template, row.status, row.created_at = TEMPLATES_WITHOUT_LEAD[0], status, old
            session.add(row)

    await context.store.write(add)

    await sweep_once(context.store, settings, old + timedelta(hours=2))

    left = await context.store.read(lambda session: set(session.exec(select(Outbox.status))))
    assert left == {OutboxStatus.WAITING, OutboxStatus.SENDING}


@ON_SQLITE
async def test_after_eight_years_nothing_is_left_in_any_table_or_file(
    client: httpx.AsyncClient, context: ApiContext, settings: Settings, clock: Clock, token: str
) -> None:
    file = await client.post("/v1.0/attachments", files={"file": (f"{WORD}.txt", f"brief of {WORD}".encode())})
    payloads = {
        "requestQuote": quote(token=token, full_name=f"Ada {WORD}", attachments=[file.json()["id"]]),
        "sendMessage": message(token=token, full_name=f"Ada {WORD}"),
        "submitAffiliateRequest": affiliate(token=token, last_name=WORD),
        "bookMeeting": meeting(token=token, slot="20300103T0900Z", full_name=f"Ada {WORD}", project_information=WORD),
        "holdSlot": {"slot": "20300104T0900Z", "hold": uuid.uuid4().hex},
    }
    responses = [await client.post(f"/v1.0/{call}", json=payload) for call, payload in payloads.items()]
    responses.append(await client.post("/v1.0/pageView", json={"path": "/faq"}))
    assert all(response.is_success for response in responses), [response.text for response in responses]
    await context.views.write(context.store)
    await context.store.write(
        lambda session: join_and_leave(session, responses[2].json()["reference"], settings=settings, now=clock())
    )
    assert await context.store.read(filled) == FILLED_BY_VISITORS | FILLED_BY_PARTNERS
    await no_mail_is_under_way(context)

    for days in (1, 90, 2 * 365, 3 * 365, 8 * 365):
        await sweep_once(context.store, settings, clock() + timedelta(days=days), confirmed=True)

    assert await context.store.read(filled) == set()
    assert [path.name for path in settings.var.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes()] == []
