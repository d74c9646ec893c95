"""Row 1: two hundred people want one slot, on either database."""

import asyncio
import time
from collections import Counter

import httpx

from tests.builders import meeting
from tests.lab.scorecard import Verdict
from tests.lab.servers import database_url, postgresql
from tests.lab.trial import Trial
from tests.lab.visitors import form_token, free_slots

ROUNDS, CLIENTS, MOST_SECONDS = 10, 200, 2.5
_BUFFERED = 4  # slots apart, so that no round's buffer touches the next
_WANTED = Counter({200: 1, 409: CLIENTS - 1})


async def one_slot(trial: Trial) -> Verdict:
    """Each round one slot, all at once over HTTP; on SQLite, then on a PostgreSQL of its own."""
    with postgresql(trial.room) as server:
        tried = [await _on(trial, "SQLite", ""), await _on(trial, "PostgreSQL", database_url(server))]
        trial.close_sites()
    return Verdict(all(one.met for one in tried), "; ".join(one.figure for one in tried), all(one.late for one in tried))


async def _on(trial: Trial, name: str, url: str) -> Verdict:
    site = trial.site(database_url=url)
    async with trial.client(site) as client:
        right, wrong, slowest = await races(client, rounds := 2 if trial.short else ROUNDS)
    said = f"{name}: {right} of {rounds} rounds of {CLIENTS} sold once and refused {CLIENTS - 1} times with 409 {wrong or ''}"
    return Verdict(right == rounds and slowest <= MOST_SECONDS, f"{said.rstrip()}, p99 {slowest:.2f} s", right == rounds)


async def races(client: httpx.AsyncClient, rounds: int) -> tuple[int, list[dict[int, int]], float]:
    """In how many rounds a slot was sold once and refused to all others, the answers of the rest, and the slowest 99th percentile."""
    token, slots = await form_token(client), await free_slots(client)
    seen = [await race(client, slot, token) for slot in slots[: _BUFFERED * rounds : _BUFFERED]]
    wrong = [dict(told) for told, _ in seen if told != _WANTED]
    return len(seen) - len(wrong), wrong, max(p99 for _, p99 in seen)


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
