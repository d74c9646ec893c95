"""Good clients: whoever gets no answer, or is told to come back, sends the same words with the same key again."""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx

from tests.builders import message
from tests.faults.trial import Trial
from tests.scale.cluster import Cluster

PER_SECOND = 50
_RETRY_SECONDS = 0.2


@dataclass
class Told:
    """What the visitors heard: references by key, how long each took, and what made them repeat themselves."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    contradicted: int = 0
    took: list[float] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)

    @property
    def slowest(self) -> float:
        return max(self.took, default=0.0)


class Visitors:
    """They come evenly, each with a message of his own."""

    def __init__(self, trial: Trial, cluster: Cluster, *, each_waits: float = 10) -> None:
        self._client = trial.client(cluster.front, timeout=each_waits)
        self._tasks: list[asyncio.Task[None]] = []
        self.told = Told()
        self.came = 0

    async def come(self, seconds: float, per_second: int = PER_SECOND) -> None:
        for _ in range(int(per_second * seconds)):
            self.came += 1
            self._tasks.append(asyncio.create_task(self._visit(str(uuid.uuid4()))))
            await asyncio.sleep(1 / per_second)

    async def leave(self) -> Told:
        await asyncio.gather(*self._tasks)
        await self._client.aclose()
        return self.told

    async def _visit(self, key: str) -> None:
        began = time.monotonic()
        while time.monotonic() < began + 60:
            try:
                answer = await self._client.post("/v1.0/sendMessage", json=message(key=key))
            except httpx.HTTPError as error:
                self.told.repeated[type(error).__name__] += 1
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if answer.status_code == 200:
                reference = answer.json()["reference"]
                self.told.contradicted += self.told.acknowledged.setdefault(key, reference) != reference
                self.told.took.append(time.monotonic() - began)
                return
            self.told.repeated[str(answer.status_code)] += 1
            await asyncio.sleep(float(answer.headers.get("Retry-After", _RETRY_SECONDS)))


def together(heard: Iterator[Told]) -> Told:
    """What all of them heard."""
    sum_of_all = Told()
    for one in heard:
        sum_of_all.acknowledged |= one.acknowledged
        sum_of_all.contradicted += one.contradicted
        sum_of_all.took += one.took
        sum_of_all.repeated += one.repeated
    return sum_of_all
