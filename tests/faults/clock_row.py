"""The clock's part of row 31: whatever it says, nothing is erased that should stay, and nothing waits for a wrong date."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import httpx
from sqlmodel import Session, col, func, select

from site_app.api.app import make_api, opened
from site_app.api.context import ApiContext
from site_app.api.sweeping import sweep_once
from site_app.cli.database import prepare
from site_app.mail.courier import wait_after
from site_app.services.clock import ClockDoubted, clock_problem, last_seen
from site_app.settings import Settings
from site_app.store.tables import WITHHELD, Lead, Meeting, Outbox
from tests.browser.server import free_port
from tests.builders import affiliate, meeting, message, quote
from tests.faults.scorecard import Verdict
from tests.faults.trial import FREE, Trial, until

_LIES = [timedelta(days=days) for days in (730, -730, 800, 365, -365, 8, -8, 10_000, -10_000)]


@dataclass
class _Clock:
    """The machine's clock, as wrong as `off` says."""

    off: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.off


@dataclass
class _Seen:
    refused: int = 0  # sweeps by a wrong clock, each with a sentence for the operator
    bookable: int = 0
    late: int = 0
    lost: set[str] = field(default_factory=set)


async def clocks(trial: Trial) -> Verdict:
    """A provider is started by clocks that are wrong, takes a lead by each, and is started again by the right one."""
    lies, clock, seen = _LIES[:3] if trial.short else _LIES, _Clock(), _Seen()
    # Mails cannot leave, so that the wrong clocks put them off.
    settings = Settings(
        var=trial.room / "clock", limit_submissions=FREE, limit_reads=FREE, limit_holds=FREE,
        minimum_filling_time=timedelta(0), mail_transport="smtp", smtp_host="127.0.0.1", smtp_port=free_port(), smtp_security="none",
    )  # fmt: skip
    async with _started(settings, clock) as (context, client):
        kept = await _one_of_each(client)
        await until(lambda: _was_swept(context), seconds=10)
        await _mails_were_tried(context)
    for lie in lies:
        clock.off = lie
        async with _started(settings, clock) as (context, client):
            kept.add(await _reference(client, "sendMessage", message(token=await _token(client))))
            await _mails_were_tried(context)
            try:
                await sweep_once(context.store, settings, clock())
            except ClockDoubted:
                seen.refused += bool(await context.store.read(lambda session: clock_problem(session, clock())))
        clock.off = timedelta()
        async with _started(settings, clock) as (context, client):
            await sweep_once(context.store, settings, clock())
            seen.bookable += bool((await client.post("/v1.0/meetingSlots", json={})).json()["results"])
            await asyncio.sleep(0.5)  # the courier's first look
            seen.late += await context.store.read(lambda session: _put_off(session, clock()))
            seen.lost |= kept - await context.store.read(_references)
    return Verdict(
        not seen.lost and not seen.late and seen.refused == seen.bookable == len(lies),
        f"clocks {', '.join(f'{lie.days:+}' for lie in lies)} days off: {seen.refused} of {len(lies)} sweeps refused with a sentence; "
        f"{len(seen.lost)} of {len(kept)} leads and calls lost; right again: slots offered {seen.bookable} of {len(lies)} "
        f"times, {seen.late} mails put off for longer than their attempts allow",
    )


@asynccontextmanager
async def _started(settings: Settings, clock: _Clock) -> AsyncIterator[tuple[ApiContext, httpx.AsyncClient]]:
    prepare(settings)
    api = make_api(settings)
    headers = {"X-API-Key": settings.api_key}
    async with (
        opened(api, settings, clock) as context,
        httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://api.test", headers=headers) as client,
    ):
        yield context, client


async def _one_of_each(client: httpx.AsyncClient) -> set[str]:
    """A lead of each kind, one of them in quarantine, and a call at the far end of what can be booked."""
    slot = (await client.post("/v1.0/meetingSlots", json={})).json()["results"][-1]["id"]
    token = await _token(client)
    return {
        await _reference(client, "requestQuote", quote(token=token)),
        await _reference(client, "sendMessage", message(token=token)),
        await _reference(client, "sendMessage", message()),  # without a token it is doubtful
        await _reference(client, "submitAffiliateRequest", affiliate(token=token)),
        await _reference(client, "bookMeeting", meeting(token=token, slot=slot)),
    }


async def _reference(client: httpx.AsyncClient, call: str, said: dict[str, object]) -> str:
    answer = await client.post(f"/v1.0/{call}", json=said)
    assert answer.is_success, answer.text
    return answer.json()["reference"]


async def _token(client: httpx.AsyncClient) -> str:
    return (await client.get("/v1.0/formToken")).json()["token"]


async def _was_swept(context: ApiContext) -> bool:
    return await context.store.read(last_seen) is not None


async def _mails_were_tried(context: ApiContext) -> None:
    # A mail past the day's share of its address is withheld and never tried.
    untried = select(func.count()).select_from(Outbox).where(Outbox.attempts == 0, Outbox.status != WITHHELD)

    async def none_is_left() -> bool:
        return await context.store.read(lambda session: session.exec(untried).one()) == 0

    with suppress(TimeoutError):  # one that a wrong clock holds back is counted in the end
        await until(none_is_left, seconds=10)


def _put_off(session: Session, now: datetime) -> int:
    def longest(attempts: int) -> timedelta:
        return timedelta(minutes=1) + (wait_after(attempts) * 1.2 if attempts else timedelta())

    waiting = session.exec(select(Outbox).where(col(Outbox.status) == "waiting"))
    return sum(row.next_attempt_at > now + longest(row.attempts) for row in waiting)


def _references(session: Session) -> set[str]:
    return {reference for table in (Lead, Meeting) for reference in session.exec(select(table.reference))}
