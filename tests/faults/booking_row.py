"""Row 1: two hundred people want one slot, on either database."""

import asyncio
import time
from collections import Counter

import httpx

from tests.builders import meeting
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial
from tests.scale.engines import database_url, postgresql
from tests.scale.packages import PACKAGES, programs

ROUNDS, CLIENTS = 10, 200
_BUFFERED = 4  # slots apart, so that no round's buffer touches the next
_WANTED = Counter({"sold": 1, "409": CLIENTS - 1})


async def one_slot(trial: Trial) -> Verdict:
    """Each round one slot, all at once over HTTP; on SQLite, then on a PostgreSQL of its own."""
    where = programs(usual={name: PACKAGES[name] for name in ("postgres", "initdb")})
    engine = postgresql(where, trial.room).start()
    try:
        tried = [await _on(trial, "SQLite", ""), await _on(trial, "PostgreSQL", database_url(engine))]
    finally:
        trial.close_sites()
        engine.kill()
    return Verdict(all(one.met for one in tried), "; ".join(one.figure for one in tried))


async def _on(trial: Trial, name: str, url: str) -> Verdict:
    rounds = 2 if trial.short else ROUNDS
    site = trial.site(database_url=url)
    async with trial.client(site) as client:
        token = (await client.get("/v1.0/formToken")).json()["token"]
        slots = [one["id"] for one in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]
        seen = [await race(client, slot, token) for slot in slots[: _BUFFERED * rounds : _BUFFERED]]
    told = [Counter({str(status) if status >= 300 else "sold": times for status, times in one.items()}) for one, _ in seen]
    slowest, right = max(p99 for _, p99 in seen), sum(one == _WANTED for one in told)
    wrong = [dict(one) for one in told if one != _WANTED]
    return Verdict(
        right == rounds and slowest <= 2.5,
        f"{name}: {right} of {rounds} rounds of {CLIENTS} sold once and refused {CLIENTS - 1} times with 409 {wrong or ''}".rstrip()
        + f", p99 {slowest:.2f} s",
    )


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
