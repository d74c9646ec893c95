"""An acknowledged lead is stored, once, whatever happens to the process, the database or the disk."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import httpx

from tests.support.builders import SUBMISSIONS, message
from tests.support.site_server import Site
from tests.trials.attacks.bystander import Bystander
from tests.trials.lab.disk import small_disk
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, database, end, kill_all, percentile, until, workers
from tests.trials.lab.visitors import LEAD_TABLES, MANY_SLOTS, Consistency, Outcomes, Visitors, check_consistency, submissions

# granian ends if a worker dies sooner after its start; then the service manager restarts it
_CRASH_LOOP_SECONDS = 6


async def retry(trial: Trial) -> Verdict:
    """For every form: send one submission a hundred times at once, then other words with its key."""
    site = trial.site()
    failures: dict[str, str] = {}
    async with trial.client(site) as client:
        pending = await submissions(client)
        for path, payload in (next(pending) for _ in SUBMISSIONS):
            responses = await asyncio.gather(*(client.post(path, json=payload) for _ in range(100)))
            conflict = await client.post(path, json=payload | {"email": "grace@example.com"})
            references = {response.json().get("reference") for response in responses if response.is_success}
            refused = sorted({response.status_code for response in responses if not response.is_success})
            if len(references) != 1 or refused or conflict.status_code != 422:
                failures[path] = f"{len(references)} references, refused {refused}, other body {conflict.status_code}"
    count = _lead_count(site)
    figure = f"{len(SUBMISSIONS)} forms, each 100 times at once: {count} made in all, 1 reference each; other body: 422"
    return Verdict(
        count == len(SUBMISSIONS) and not failures,
        figure if not failures else f"{count} made; {failures}",
    )


def _lead_count(site: Site) -> int:
    with database(site) as rows:
        return sum(rows.execute(f"SELECT count(*) FROM {table.__tablename__}").fetchone()[0] for table in LEAD_TABLES)


async def kill(trial: Trial) -> Verdict:
    async def killed(site: Site) -> None:
        kill_all(site)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(site.start)

    rounds = 2 if trial.short else 20
    outcomes, records = await _under_load(trial, rounds, killed)
    figure = f"{rounds} kills, {len(outcomes.acknowledged)} of {outcomes.visits} forms acknowledged: {records}"
    return Verdict(records.is_clean and len(outcomes.acknowledged) == outcomes.visits, figure)


async def deploy(trial: Trial) -> Verdict:
    exits: list[float] = []

    async def restarted(site: Site) -> None:
        began = time.monotonic()
        await asyncio.to_thread(site.stop)
        exits.append(time.monotonic() - began)
        await asyncio.to_thread(site.start)

    rounds = 2 if trial.short else 20
    outcomes, records = await _under_load(trial, rounds, restarted)
    unexpected = [reason for reason in outcomes.repeated if reason.isdigit() and reason != "503"]
    met = (
        records.is_clean
        and len(outcomes.acknowledged) == outcomes.visits
        and outcomes.slowest <= 10
        and max(exits) <= 15
        and not unexpected
    )
    figure = (
        f"{rounds} restarts, {len(outcomes.acknowledged)} of {outcomes.visits} clients done: {records}, "
        f"slowest client {outcomes.slowest:.1f} s, slowest exit {max(exits):.1f} s"
    )
    return Verdict(met, figure)


async def _under_load(trial: Trial, rounds: int, fault: Callable[[Site], Awaitable[None]]) -> tuple[Outcomes, Consistency]:
    """Sends fifty submissions a second of every kind for two seconds a round, with the fault in the middle."""
    site, outcomes = trial.site(**MANY_SLOTS), Outcomes()
    async with trial.client(site) as client:
        pending = await submissions(client)
    for _ in range(rounds):
        visitors = Visitors(trial.client(site, timeout=5), pending, outcomes)
        coming = asyncio.create_task(visitors.arrive_for(2))
        await asyncio.sleep(1)
        await fault(site)
        await coming
        await visitors.leave()
    return outcomes, check_consistency(partial(_rows, site), outcomes)


def _rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    with database(site) as connection:
        return connection.execute(query).fetchall()


async def crash(trial: Trial) -> Verdict:
    site = trial.site()
    slowest = 0.0
    kills = 1 if trial.short else 5
    for number in range(kills):
        await asyncio.sleep(_CRASH_LOOP_SECONDS if number else 0)
        pids = workers(site)
        for pid in pids:
            end(pid, signal.SIGKILL)
        async with trial.client(site, timeout=1) as client:

            async def is_ready(client: httpx.AsyncClient = client) -> bool:
                try:
                    return (await client.get("/healthz")).status_code == 200
                except httpx.HTTPError:
                    return False

            slowest = max(slowest, await until(is_ready, seconds=30))
    # It came back each time, or the trial would have broken off: only the time limit may be missed.
    return Verdict(slowest <= 5, f"{kills} kills: answers again after {slowest:.1f} s at the slowest", late=True)


async def lock(trial: Trial) -> Verdict:
    site = trial.site()
    async with trial.client(site) as client:
        requests = list(islice(await submissions(client), len(SUBMISSIONS)))
    writer = database(site)
    writer.isolation_level = None
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    async with trial.client(site) as client, Bystander(site) as bystander:

        async def send(path: str, request: dict[str, Any]) -> tuple[int, str, float]:
            sent = time.monotonic()
            response = await client.post(path, json=request)
            return response.status_code, response.headers.get("Retry-After", ""), time.monotonic() - sent

        replies = await asyncio.gather(*(send(*request) for request in requests))
        await asyncio.sleep(max(0, began + 8 - time.monotonic()))
        writer.execute("ROLLBACK")
        writer.close()
        retried = [(await send(*request))[0] for request in requests]
    slowest = max(took for _, _, took in replies)
    p95 = percentile(bystander.seconds) * 1000  # nothing waits for them: the database has threads of its own
    met = all(status == 503 and wait for status, wait, _ in replies) and slowest <= 5.5 and max(retried) < 300 and p95 <= 500
    statuses = sorted({status for status, _, _ in replies})
    figure = f"{statuses} with Retry-After {sorted({wait for _, wait, _ in replies})} after {slowest:.2f} s at the slowest; later {retried}; others' p95 {p95:.0f} ms"
    return Verdict(met, figure)


async def full_disk(trial: Trial) -> Verdict:
    disk = trial.folder / "disk"
    with small_disk(disk, megabytes=3):
        try:
            return await _on_full_disk(trial, disk)
        finally:
            trial.close_sites()


async def _on_full_disk(trial: Trial, disk: Path) -> Verdict:
    site = trial.site(var=disk / "var", mail_transport="smtp", smtp_port="9", smtp_security="none")
    ballast = disk / "ballast"
    ballast.write_bytes(b"x" * 1_000_000)
    outcomes, refusals = Outcomes(), list[int]()
    async with trial.client(site) as client:

        async def send() -> int:
            payload = message(message="x" * 4000)
            response = await client.post("/v1.0/sendMessage", json=payload)
            if response.status_code == 200:
                outcomes.acknowledged[payload["key"]] = response.json()["reference"]
            return response.status_code

        for _ in range(800):
            refusals += [status for status in [await send()] if status != 200]
            if len(refusals) > 20:
                break
        during = len(outcomes.acknowledged)
        ballast.unlink()

        async def accepts() -> bool:
            return await send() == 200

        back = await until(accepts, seconds=30)
    records = check_consistency(partial(_rows, site), outcomes)
    met = bool(refusals) and set(refusals) == {503} and records.is_clean and during > 10
    figure = f"{during} taken, then {sorted(set(refusals))}; {records}; takes leads again {back:.1f} s after there was room, not restarted"
    return Verdict(met, figure)
