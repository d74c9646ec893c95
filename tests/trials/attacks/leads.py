"""Rows 2 to 7: what was acknowledged is kept, once, whatever happens to the process, the database or the disk."""

import asyncio
import ctypes
import os
import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import httpx

from tests.browser.server import Site
from tests.builders import SUBMISSIONS, message
from tests.trials.attacks.bystander import Bystander
from tests.trials.lab.scorecard import NotRun, Verdict
from tests.trials.lab.trial import Trial, database, end, kill_all, percentile, until, workers
from tests.trials.lab.visitors import KEPT, MANY_SLOTS, Ledger, Told, Visitors, ledger, submissions

_CRASH_LOOP_SECONDS = 6  # granian ends when a worker dies sooner after its start than that: the service manager's turn


async def retry(trial: Trial) -> Verdict:
    """Of every form: the same submission a hundred times at once, and then other words under its key."""
    site = trial.site()
    told: dict[str, str] = {}
    async with trial.client(site) as client:
        wanted = await submissions(client)
        for path, said in (next(wanted) for _ in SUBMISSIONS):
            answers = await asyncio.gather(*(client.post(path, json=said) for _ in range(100)))
            other = await client.post(path, json=said | {"email": "grace@example.com"})
            references = {answer.json().get("reference") for answer in answers if answer.is_success}
            refused = sorted({answer.status_code for answer in answers if not answer.is_success})
            if len(references) != 1 or refused or other.status_code != 422:
                told[path] = f"{len(references)} references, refused {refused}, other body {other.status_code}"
    made = _made(site)
    figure = f"{len(SUBMISSIONS)} forms, each 100 times at once: {made} made in all, 1 reference each; other body: 422"
    return Verdict(made == len(SUBMISSIONS) and not told, figure if not told else f"{made} made; {told}")


def _made(site: Site) -> int:
    with database(site) as rows:
        return sum(rows.execute(f"SELECT count(*) FROM {table.__tablename__}").fetchone()[0] for table in KEPT)


async def kill(trial: Trial) -> Verdict:
    async def killed(site: Site) -> None:
        kill_all(site)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(site.start)

    rounds = 2 if trial.short else 20
    told, found = await _under_load(trial, rounds, killed)
    figure = f"{rounds} kills, {len(told.acknowledged)} of {told.came} forms acknowledged: {found}"
    return Verdict(found.is_clean and len(told.acknowledged) == told.came, figure)


async def deploy(trial: Trial) -> Verdict:
    exits: list[float] = []

    async def restarted(site: Site) -> None:
        began = time.monotonic()
        await asyncio.to_thread(site.stop)
        exits.append(time.monotonic() - began)
        await asyncio.to_thread(site.start)

    rounds = 2 if trial.short else 20
    told, found = await _under_load(trial, rounds, restarted)
    unexpected = [why for why in told.repeated if why.isdigit() and why != "503"]
    met = found.is_clean and len(told.acknowledged) == told.came and told.slowest <= 10 and max(exits) <= 15 and not unexpected
    figure = (
        f"{rounds} restarts, {len(told.acknowledged)} of {told.came} clients done: {found}, "
        f"slowest client {told.slowest:.1f} s, slowest exit {max(exits):.1f} s"
    )
    return Verdict(met, figure)


async def _under_load(trial: Trial, rounds: int, fault: Callable[[Site], Awaitable[None]]) -> tuple[Told, Ledger]:
    """Fifty submissions a second of every kind for two seconds a round, with the fault in their midst."""
    site, told = trial.site(**MANY_SLOTS), Told()
    async with trial.client(site) as client:
        wanted = await submissions(client)
    for _ in range(rounds):
        visitors = Visitors(trial.client(site, timeout=5), wanted, told)
        coming = asyncio.create_task(visitors.come(2))
        await asyncio.sleep(1)
        await fault(site)
        await coming
        await visitors.leave()
    return told, ledger(partial(_rows, site), told)


def _rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    with database(site) as connection:
        return connection.execute(query).fetchall()


async def crash(trial: Trial) -> Verdict:
    site = trial.site()
    slowest = 0.0
    kills = 1 if trial.short else 5
    for number in range(kills):
        await asyncio.sleep(_CRASH_LOOP_SECONDS if number else 0)
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
    return Verdict(slowest <= 5, f"{kills} kills: answers again after {slowest:.1f} s at the slowest")


async def lock(trial: Trial) -> Verdict:
    site = trial.site()
    async with trial.client(site) as client:
        said = list(islice(await submissions(client), len(SUBMISSIONS)))
    writer = database(site)
    writer.isolation_level = None
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    async with trial.client(site) as client, Bystander(site) as bystander:

        async def send(path: str, one: dict[str, Any]) -> tuple[int, str, float]:
            sent = time.monotonic()
            answer = await client.post(path, json=one)
            return answer.status_code, answer.headers.get("Retry-After", ""), time.monotonic() - sent

        seen = await asyncio.gather(*(send(*one) for one in said))
        await asyncio.sleep(max(0, began + 8 - time.monotonic()))
        writer.execute("ROLLBACK")
        writer.close()
        later = [(await send(*one))[0] for one in said]
    slowest = max(took for _, _, took in seen)
    p95 = percentile(bystander.took) * 1000  # nothing waits with them: the database has threads of its own
    met = all(status == 503 and wait for status, wait, _ in seen) and slowest <= 5.5 and max(later) < 300 and p95 <= 500
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
    told, refusals = Told(), list[int]()
    async with trial.client(site) as client:

        async def send() -> int:
            said = message(message="x" * 4000)
            answer = await client.post("/v1.0/sendMessage", json=said)
            if answer.status_code == 200:
                told.acknowledged[said["key"]] = answer.json()["reference"]
            return answer.status_code

        for _ in range(800):
            refusals += [status for status in [await send()] if status != 200]
            if len(refusals) > 20:
                break
        during = len(told.acknowledged)
        ballast.unlink()

        async def taken() -> bool:
            return await send() == 200

        back = await until(taken, seconds=30)
    found = ledger(partial(_rows, site), told)
    met = bool(refusals) and set(refusals) == {503} and found.is_clean and during > 10
    figure = f"{during} taken, then {sorted(set(refusals))}; {found}; takes leads again {back:.1f} s after there was room, not restarted"
    return Verdict(met, figure)


def _mount(where: Path, options: str) -> None:
    if ctypes.CDLL(None, use_errno=True).mount(b"tmpfs", str(where).encode(), b"tmpfs", 0, options.encode()):
        raise NotRun(f"a tmpfs cannot be mounted here: {os.strerror(ctypes.get_errno())}")
