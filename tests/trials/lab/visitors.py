"""A trial's visitors, who repeat a request with the same key until they are answered; many of them want one slot at once.

Also reads the database's content at the end.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import httpx
from sqlmodel import SQLModel

from site_app.provider.store.tables import Lead, Meeting
from tests.support.builders import SUBMISSIONS, meeting, message

LEAD_TABLES: tuple[type[SQLModel], ...] = (Lead, Meeting)  # where submissions end up
# Slots at any hour, without gaps: enough for a trial in which every fourth visitor books one.
MANY_SLOTS: Any = {  # settings of the site
    "booking_days": "mon,tue,wed,thu,fri,sat,sun",
    "booking_hours": "00:00-24:00",
    "booking_buffer": "0s",
}
Submission = tuple[str, dict[str, Any]]
PER_SECOND = 50
_RETRY_SECONDS = 0.2


async def submissions(client: httpx.AsyncClient) -> Iterator[Submission]:
    """Yields every call with a form's payload in turn, without end, each with its own slot and payload."""
    slots, token = iter(await free_slots(client)), await form_token(client)

    def endless() -> Iterator[Submission]:
        for call, (_, build) in cycle(SUBMISSIONS.items()):
            yield f"/v1.0/{call}", build(token=token, **({"slot": next(slots)} if call == "bookMeeting" else {}))

    return endless()


async def free_slots(client: httpx.AsyncClient) -> list[str]:
    return [slot["id"] for slot in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]


async def form_token(client: httpx.AsyncClient) -> str:
    return (await client.get("/v1.0/formToken")).json()["token"]


def messages() -> Iterator[Submission]:
    """Yields new messages, without end."""
    while True:
        yield "/v1.0/sendMessage", message()


@dataclass
class Outcomes:
    """Outcomes of all visits: references by key, the slowest visit, and the reasons for repeated requests."""

    visits: int = 0
    acknowledged: dict[str, str] = field(default_factory=dict)
    contradicted: int = 0
    seconds: list[float] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)

    @property
    def slowest(self) -> float:
        return max(self.seconds, default=0.0)


class Visitors:
    """Visitors arrive evenly, each with a form, and record their outcomes."""

    def __init__(self, client: httpx.AsyncClient, submissions: Iterator[Submission], outcomes: Outcomes) -> None:
        self._client, self._submissions, self._outcomes = client, submissions, outcomes
        self._tasks: list[asyncio.Task[None]] = []

    async def arrive_for(self, seconds: float) -> None:
        for _ in range(int(PER_SECOND * seconds)):
            self._outcomes.visits += 1
            self._tasks.append(asyncio.create_task(self._visit(*next(self._submissions))))
            await asyncio.sleep(1 / PER_SECOND)

    async def arrive_while(self, goes_on: Callable[[], bool]) -> None:
        while goes_on():
            await self.arrive_for(0.5)

    async def leave(self) -> None:
        await asyncio.gather(*self._tasks)
        await self._client.aclose()

    async def _visit(self, path: str, payload: dict[str, Any]) -> None:
        began, outcomes = time.monotonic(), self._outcomes
        while time.monotonic() < began + 60:
            try:
                response = await self._client.post(path, json=payload)
            except httpx.HTTPError as error:
                outcomes.repeated[type(error).__name__] += 1
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if response.is_success:
                reference = response.json()["reference"]
                outcomes.contradicted += outcomes.acknowledged.setdefault(payload["key"], reference) != reference
                outcomes.seconds.append(time.monotonic() - began)
                return
            outcomes.repeated[str(response.status_code)] += 1
            await asyncio.sleep(float(response.headers.get("Retry-After", _RETRY_SECONDS)))


@dataclass(frozen=True)
class Consistency:
    """Acknowledged leads that are lost, leads stored twice, and leads without a row in the outbox."""

    lost: int
    double: int
    unsent: int

    @property
    def is_clean(self) -> bool:
        return self.lost == self.double == self.unsent == 0

    def __str__(self) -> str:
        return f"{self.lost} lost, {self.double} doubled, {self.unsent} without outbox row"


def check_consistency(rows: Callable[[str], list[tuple[Any, ...]]], outcomes: Outcomes) -> Consistency:
    """Compares with the acknowledgements; a key acknowledged with two references counts as doubled too."""
    references = dict(rows("SELECT key, reference FROM idempotency_key"))
    leads = [reference for table in LEAD_TABLES for (reference,) in rows(f"SELECT reference FROM {table.__tablename__}")]
    mailed = {reference for (reference,) in rows("SELECT DISTINCT reference FROM outbox")}
    stored = set(leads)
    lost = sum(references.get(key) != reference or reference not in stored for key, reference in outcomes.acknowledged.items())
    return Consistency(lost, len(leads) - len({*references.values()} & stored) + outcomes.contradicted, len(stored - mailed))


CLIENTS, MAX_SECONDS = 200, 2.5
_BUFFERED = 4  # slots far apart, so that no round's buffer touches the next
_EXPECTED = Counter({200: 1, 409: CLIENTS - 1})


async def races(client: httpx.AsyncClient, rounds: int) -> tuple[int, list[dict[int, int]], float]:
    """Returns the rounds that sold a slot once and refused the rest, the other responses, and the slowest 99th percentile."""
    token, slots = await form_token(client), await free_slots(client)
    outcomes = [await race(client, slot, token) for slot in slots[: _BUFFERED * rounds : _BUFFERED]]
    mistakes = [dict(statuses) for statuses, _ in outcomes if statuses != _EXPECTED]
    return len(outcomes) - len(mistakes), mistakes, max(p99 for _, p99 in outcomes)


async def race(client: httpx.AsyncClient, slot: str, token: str) -> tuple[Counter[int], float]:
    """Returns the number of responses by status, and the 99th percentile of their seconds."""
    seconds: list[float] = []

    async def attempt() -> int:
        began = time.perf_counter()
        response = await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
        seconds.append(time.perf_counter() - began)
        return response.status_code

    statuses = Counter(await asyncio.gather(*(attempt() for _ in range(CLIENTS))))
    return statuses, sorted(seconds)[int(CLIENTS * 0.99) - 1]
