"""How 200 people who want one call fare, and how fast slots are listed, on SQLite or PostgreSQL.

Run it with `python -m tests.bench.booking [postgresql+psycopg://…]`; the database named must be empty. Clients and API share
one process, so the numbers hold the clients' work too.
"""

import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import structlog
from sqlmodel import Session, func, select

from site_app.api.app import make_api, opened
from site_app.settings import Settings
from site_app.store.tables import BookingCell, Meeting, Outbox
from tests.builders import meeting

ROUNDS, CLIENTS, LISTINGS = 10, 200, 600
NOW = datetime(2030, 1, 2, 12, tzinfo=UTC)


async def race(client: httpx.AsyncClient, slot: str, token: str) -> tuple[Counter[int], float]:
    """How often each status was answered, and the 99th percentile of the seconds until it was."""
    seconds: list[float] = []

    async def attempt() -> int:
        began = time.perf_counter()
        answer = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
        seconds.append(time.perf_counter() - began)
        return answer.status_code

    statuses = Counter(await asyncio.gather(*(attempt() for _ in range(CLIENTS))))
    return statuses, sorted(seconds)[int(CLIENTS * 0.99) - 1]


async def listings_per_second(client: httpx.AsyncClient) -> float:
    async def some() -> None:
        for _ in range(LISTINGS // 12):
            await client.post("/v1.0/meetingSlots", json={})

    began = time.perf_counter()
    await asyncio.gather(*(some() for _ in range(12)))
    return LISTINGS / (time.perf_counter() - began)


def counts(session: Session) -> list[int]:
    return [session.exec(select(func.count()).select_from(table)).one() for table in (Meeting, BookingCell, Outbox)]


async def measure(database_url: str, var: Path) -> None:
    free = "1000000/minute"
    settings = Settings(
        var=var, database_url=database_url, limit_submissions=free, limit_reads=free, minimum_filling_time=timedelta(0)
    )
    api = make_api(settings)
    transport = httpx.ASGITransport(api, client=("203.0.113.7", 50000))
    headers = {"X-API-Key": settings.api_key}
    async with (
        opened(api, settings, lambda: NOW) as office,
        httpx.AsyncClient(transport=transport, base_url="http://api.test", headers=headers, timeout=60) as client,
    ):
        token = office.tokens.form_token()
        slots = [slot["id"] for slot in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]
        for number, slot in enumerate(slots[: 4 * ROUNDS : 4], start=1):
            statuses, p99 = await race(client, slot, token)
            print(f"round {number}: {dict(statuses)}, p99 {p99:.2f} s")
        print("meetings, quarter hours, mails:", await office.store.read(counts))
        print(f"meetingSlots: {await listings_per_second(client):.0f} a second")


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(measure(sys.argv[1] if len(sys.argv) > 1 else "", Path(directory)))
