"""Rows 2 to 7: what was acknowledged is kept, once, whatever happens to the process, the database or the disk."""

import asyncio
import ctypes
import os
import signal
import time
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from tests.browser.server import Site
from tests.builders import message
from tests.faults.bystander import Bystander
from tests.faults.scorecard import NotRun, Verdict
from tests.faults.trial import Trial, database, end, kill_all, percentile, until, workers

PER_SECOND = 50


class Visitors:
    """They send once each and try again with the same key until they hear that it was taken."""

    def __init__(self, trial: Trial, site: Site) -> None:
        self._client = trial.client(site, timeout=5)
        self.acknowledged: dict[str, str] = {}
        self.contradicted = 0
        self.took: list[float] = []
        self.unexpected: set[int] = set()
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, seconds: float, per_second: int = PER_SECOND) -> None:
        for _ in range(int(per_second * seconds)):
            self._tasks.append(asyncio.create_task(self._visit(str(uuid.uuid4()))))
            await asyncio.sleep(1 / per_second)

    async def leave(self) -> None:
        await asyncio.gather(*self._tasks)
        await self._client.aclose()

    async def _visit(self, key: str) -> None:
        began = time.monotonic()
        while time.monotonic() < began + 60:
            try:
                answer = await self._client.post("/v1.0/sendMessage", json=message(key=key))
            except httpx.HTTPError:
                await asyncio.sleep(0.2)
                continue
            if answer.status_code == 200:
                reference = answer.json()["reference"]
                self.contradicted += self.acknowledged.setdefault(key, reference) != reference
                self.took.append(time.monotonic() - began)
                return
            if answer.status_code != 503:
                self.unexpected.add(answer.status_code)
            await asyncio.sleep(float(answer.headers.get("Retry-After", 0.5)))


def ledger(site: Site, acknowledged: dict[str, str]) -> tuple[int, int, int]:
    """How many acknowledged leads are lost, how many double, how many without an outbox row."""
    with database(site) as rows:
        kept = dict(rows.execute("SELECT key, reference FROM idempotency_key"))
        leads = [reference for (reference,) in rows.execute("SELECT reference FROM inquiry")]
        mailed = {reference for (reference,) in rows.execute("SELECT reference FROM outbox")}
    lost = sum(kept.get(key) != reference or reference not in set(leads) for key, reference in acknowledged.items())
    return lost, len(leads) - len(set(kept.values())), len(set(leads) - mailed)


async def retry(trial: Trial) -> Verdict:
    site = trial.site()
    said = message()
    async with trial.client(site) as client:
        answers = await asyncio.gather(*(client.post("/v1.0/sendMessage", json=said) for _ in range(100)))
        other = await client.post("/v1.0/sendMessage", json=said | {"message": "Something else altogether, I think."})
    references = {answer.json().get("reference") for answer in answers if answer.status_code == 200}
    with database(site) as rows:
        (made,) = rows.execute("SELECT count(*) FROM inquiry").fetchone()
    refused = [answer.status_code for answer in answers if answer.status_code != 200]
    met = made == 1 and len(references) == 1 and not refused and other.status_code == 422
    figure = (
        f"{made} made, {len(answers) - len(refused)} answers with {len(references)} reference; other body: {other.status_code}"
    )
    return Verdict(met, figure)


async def kill(trial: Trial) -> Verdict:
    rounds = 2 if trial.short else 20
    var = trial.room / "var"
    acknowledged: dict[str, str] = {}
    contradicted, site = 0, trial.site(var=var)
    for _ in range(rounds):
        visitors = Visitors(trial, site)
        coming = asyncio.create_task(visitors.come(2))
        await asyncio.sleep(1.5)
        kill_all(site)
        await coming
        await asyncio.to_thread(site.start)
        await visitors.leave()
        acknowledged |= visitors.acknowledged
        contradicted += visitors.contradicted
    lost, double, unsent = ledger(site, acknowledged)
    figure = f"{rounds} kills, {len(acknowledged)} acknowledged: {lost} lost, {double} double, {unsent} without outbox row"
    return Verdict(lost == double == unsent == contradicted == 0 and len(acknowledged) == rounds * 100, figure)


async def deploy(trial: Trial) -> Verdict:
    rounds = 2 if trial.short else 20
    site = trial.site()
    acknowledged: dict[str, str] = {}
    slowest, longest_exit, unexpected = 0.0, 0.0, set[int]()
    for _ in range(rounds):
        visitors = Visitors(trial, site)
        coming = asyncio.create_task(visitors.come(2))
        await asyncio.sleep(1)
        began = time.monotonic()
        await asyncio.to_thread(site.stop)
        longest_exit = max(longest_exit, time.monotonic() - began)
        await asyncio.to_thread(site.start)
        await coming
        await visitors.leave()
        acknowledged |= visitors.acknowledged
        slowest, unexpected = max(slowest, *visitors.took), unexpected | visitors.unexpected
    lost, double, _ = ledger(site, acknowledged)
    met = lost == double == 0 and len(acknowledged) == rounds * 100 and slowest <= 10 and longest_exit <= 15 and not unexpected
    figure = (
        f"{rounds} restarts, {len(acknowledged)} of {rounds * 100} clients done: {lost} lost, {double} double, "
        f"slowest client {slowest:.1f} s, slowest exit {longest_exit:.1f} s"
    )
    return Verdict(met, figure)


async def crash(trial: Trial) -> Verdict:
    site = trial.site()
    slowest = 0.0
    for _ in range(1 if trial.short else 5):
        before = workers(site)
        for pid in before:
            end(pid, signal.SIGKILL)
        async with trial.client(site, timeout=1) as client:

            async def answers(client: httpx.AsyncClient = client) -> bool:
                try:
                    return (await client.get("/healthz")).status_code == 200
                except httpx.HTTPError:
                    return False

            slowest = max(slowest, await until(answers, seconds=30))
    return Verdict(slowest <= 5, f"answers again after {slowest:.1f} s at the slowest")


async def lock(trial: Trial) -> Verdict:
    site = trial.site()
    said = [message() for _ in range(5)]
    writer = database(site)
    writer.isolation_level = None
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    async with trial.client(site) as client, Bystander(site) as bystander:

        async def send(one: dict[str, object]) -> tuple[int, str, float]:
            sent = time.monotonic()
            answer = await client.post("/v1.0/sendMessage", json=one)
            return answer.status_code, answer.headers.get("Retry-After", ""), time.monotonic() - sent

        seen = await asyncio.gather(*(send(one) for one in said))
        await asyncio.sleep(max(0, began + 8 - time.monotonic()))
        writer.execute("ROLLBACK")
        writer.close()
        later = [(await send(one))[0] for one in said]
    slowest = max(took for _, _, took in seen)
    p95 = percentile(bystander.took) * 1000  # nothing waits with them: the database has threads of its own
    met = all(status == 503 and wait for status, wait, _ in seen) and slowest <= 5.5 and later == [200] * 5 and p95 <= 500
    statuses = sorted({status for status, _, _ in seen})
    figure = f"{statuses} with Retry-After {sorted({wait for _, wait, _ in seen})} after {slowest:.2f} s at the slowest; later {later}; others' p95 {p95:.0f} ms"
    return Verdict(met, figure)


async def full_disk(trial: Trial) -> Verdict:
    if os.geteuid() != 0:
        raise NotRun("needs root, to mount a small tmpfs")
    disk = trial.room / "disk"
    disk.mkdir()
    _mount(disk, "size=3m")
    try:
        return await _on_full_disk(trial, disk)
    finally:
        trial.close_sites()
        ctypes.CDLL(None).umount2(str(disk).encode(), 2)


async def _on_full_disk(trial: Trial, disk: Path) -> Verdict:
    site = trial.site(var=disk / "var", mail_transport="smtp", smtp_port="9", smtp_security="none")
    ballast = disk / "ballast"
    ballast.write_bytes(b"x" * 1_000_000)
    acknowledged: dict[str, str] = {}
    refusals: list[int] = []
    async with trial.client(site) as client:

        async def send() -> int:
            said = message(message="x" * 4000)
            answer = await client.post("/v1.0/sendMessage", json=said)
            if answer.status_code == 200:
                acknowledged[said["key"]] = answer.json()["reference"]
            return answer.status_code

        for _ in range(800):
            refusals += [status for status in [await send()] if status != 200]
            if len(refusals) > 20:
                break
        during = len(acknowledged)
        ballast.unlink()
        back = await until(_is_taken(send), seconds=30)
    lost, double, unsent = ledger(site, acknowledged)
    met = bool(refusals) and set(refusals) == {503} and lost == double == unsent == 0 and during > 10
    figure = (
        f"{during} taken, then {sorted(set(refusals))}; {lost} lost, {double} double; "
        f"takes leads again {back:.1f} s after there was room, not restarted"
    )
    return Verdict(met, figure)


def _is_taken(send: Callable[[], Awaitable[int]]) -> Callable[[], Awaitable[bool]]:
    async def taken() -> bool:
        return await send() == 200

    return taken


def _mount(where: Path, options: str) -> None:
    if ctypes.CDLL(None, use_errno=True).mount(b"tmpfs", str(where).encode(), b"tmpfs", 0, options.encode()):
        raise NotRun(f"a tmpfs cannot be mounted here: {os.strerror(ctypes.get_errno())}")
