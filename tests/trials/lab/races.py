"""Many visitors want one slot at once."""

import asyncio
import time
from collections import Counter

import httpx

from tests.builders import meeting
from tests.trials.lab.visitors import form_token, free_slots

CLIENTS, MOST_SECONDS = 200, 2.5
_BUFFERED = 4  # slots far apart, so that no round's buffer touches the next
_EXPECTED = Counter({200: 1, 409: CLIENTS - 1})


async def races(client: httpx.AsyncClient, rounds: int) -> tuple[int, list[dict[int, int]], float]:
    """Return the rounds that sold a slot once and refused the rest, the other responses, and the slowest 99th percentile."""
    token, slots = await form_token(client), await free_slots(client)
    outcomes = [await race(client, slot, token) for slot in slots[: _BUFFERED * rounds : _BUFFERED]]
    mistakes = [dict(statuses) for statuses, _ in outcomes if statuses != _EXPECTED]
    return len(outcomes) - len(mistakes), mistakes, max(p99 for _, p99 in outcomes)


async def race(client: httpx.AsyncClient, slot: str, token: str) -> tuple[Counter[int], float]:
    """Return the number of responses by status, and the 99th percentile of their seconds."""
    seconds: list[float] = []

    async def attempt() -> int:
        began = time.perf_counter()
        answer = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
        seconds.append(time.perf_counter() - began)
        return answer.status_code

    statuses = Counter(await asyncio.gather(*(attempt() for _ in range(CLIENTS))))
    return statuses, sorted(seconds)[int(CLIENTS * 0.99) - 1]
