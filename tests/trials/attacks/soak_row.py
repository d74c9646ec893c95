"""An ordinary day, hour after hour: nothing grows and nothing fails."""

import asyncio
import random
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx

from site_app.content.routes import ROUTES
from site_app.core.locales import LOCALES
from tests.support.builders import affiliate, message, quote
from tests.support.site_server import Site
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, descriptors, memory_mb, tracebacks
from tests.trials.lab.wire import DIALOG, FAQ, Refused, Wire, packet

_VISITORS, _SUBMISSIONS = 20, 5  # per second
_STAY_SECONDS = 2.0
_FORMS: dict[str, Callable[..., dict[str, object]]] = {
    "sendMessage": message, "requestQuote": quote, "submitAffiliateRequest": affiliate,
}  # fmt: skip
_PATHS = [(locale.prefix + route.path).rstrip("/") or "/" for locale in LOCALES for route in ROUTES]


@dataclass(frozen=True)
class Sample:
    at: float
    memory_mb: float
    descriptors: int


class Day:
    """Counts of visitors and of their responses."""

    def __init__(self, site: Site, client: httpx.AsyncClient) -> None:
        self._site, self._client, self._dice = site, client, random.Random(23)
        self._tasks: set[asyncio.Task[None]] = set()
        self.outcomes: Counter[str] = Counter()

    async def goes_on(self, visit: Callable[[], Awaitable[None]], *, per_second: float, until: float) -> None:
        """Starts one at this rate, even if earlier ones still run; late ones are not skipped."""
        due = time.monotonic()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            task = asyncio.ensure_future(visit())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            due += 1 / per_second

    async def ends(self) -> None:
        await asyncio.gather(*self._tasks)

    async def visit(self) -> None:
        """Opens a page, its socket, a dialog and an answer of the FAQ, then leaves."""
        path = self._dice.choice(_PATHS)
        try:
            await self._count("page", self._client.get(path))
            wire = await Wire(self._site).connect()
            wire.send(packet(f"{DIALOG}.report", {"name": "quote", "seq": 1}))
            wire.send(packet(f"{FAQ}.report", {"category": "services", "question": "", "seq": 1}))
            await asyncio.sleep(_STAY_SECONDS)
            await wire.round_trip()
            wire.close()
        except (Refused, TimeoutError, OSError) as error:
            self.outcomes[f"socket {type(error).__name__}"] += 1
        else:
            self.outcomes["socket well"] += 1

    async def submit(self) -> None:
        form = self._dice.choice(list(_FORMS))
        await self._count("lead", self._client.post(f"/v1.0/{form}", json=_FORMS[form]()))

    async def _count(self, kind: str, request: Awaitable[httpx.Response]) -> None:
        try:
            self.outcomes[f"{kind} {(await request).status_code}"] += 1
        except httpx.HTTPError as error:
            self.outcomes[f"{kind} {type(error).__name__}"] += 1


async def soak(trial: Trial) -> Verdict:
    """Measures growth only once as many idle visitors are forgotten as arrive: their state is kept for a while."""
    seconds, retention = (240, 60) if trial.short else (3600, 600)
    site = trial.site(keep_state=f"{retention}s")
    samples: list[Sample] = []
    async with trial.client(site) as client:
        idle = descriptors(site)
        day, began = Day(site, client), time.monotonic()
        end = began + seconds
        watching = asyncio.create_task(_watch(site, samples, began))
        await asyncio.gather(
            day.goes_on(day.visit, per_second=_VISITORS, until=end), day.goes_on(day.submit, per_second=_SUBMISSIONS, until=end)
        )
        took = time.monotonic() - began
        await day.ends()
        watching.cancel()
    settled = [sample for sample in samples if sample.at > min(1.5 * retention + 15, seconds / 2)]
    growth, unsure = _per_hour(settled)
    left_open = descriptors(site) - idle
    failures = {kind: count for kind, count in day.outcomes.items() if not kind.endswith((" 200", " well"))}
    # an hourly growth from a few minutes is a guess, so in the short form only certain growth falls short
    least = growth - 2 * unsure if trial.short else growth
    half = len(settled) // 2
    later_slope, _ = _per_hour(settled[half:])
    drift = statistics.fmean(reading.descriptors for reading in settled[half:]) - statistics.fmean(
        reading.descriptors for reading in settled[:half]
    )
    visits, leads = day.outcomes["socket well"], day.outcomes["lead 200"]
    return Verdict(
        not failures and least <= 10 and drift <= 5 and left_open <= 10 and tracebacks(site) == 0,
        f"{took / 60:.0f} min, {visits} visitors ({visits / took:.1f}/s), {leads} leads ({leads / took:.1f}/s); others {failures or 'none'}; memory "
        f"{settled[0].memory_mb:.0f} to {settled[-1].memory_mb:.0f} MB once warm, {growth:+.0f} ± {2 * unsure:.0f} MB/h, {later_slope:+.0f} in the later half; descriptors {drift:+.1f}, "
        f"{left_open:+d} when all have left; {tracebacks(site)} tracebacks",
    )


async def _watch(site: Site, samples: list[Sample], began: float) -> None:
    while True:
        samples.append(Sample(time.monotonic() - began, memory_mb(site), descriptors(site)))
        await asyncio.sleep(1)


def _per_hour(samples: list[Sample]) -> tuple[float, float]:
    """Returns the least-squares slope of memory in MB an hour and its standard error, from every tenth sample."""
    at, memory = [value.at for value in samples], [value.memory_mb for value in samples]
    line = statistics.linear_regression(at, memory)
    off = [y - line.intercept - line.slope * x for x, y in zip(at, memory, strict=True)]
    spread = sum((x - statistics.fmean(at)) ** 2 for x in at)
    error = (sum(value * value for value in off) / max(1, len(off) / 10 - 2) / (spread / 10)) ** 0.5
    return line.slope * 3600, error * 3600
