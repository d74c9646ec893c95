"""python -m tests.scale.capacity: what one process carries, what four carry, what an open page costs; writes tests/bench/capacity.md.

Load, engines and site share this machine, so the processor seconds of each program are written beside what was answered: they say
what a machine of its own would have left.
"""

import argparse
import asyncio
import json
import os
import platform
import signal
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg

from tests.browser.server import ROOT, Site, build
from tests.lab.load import Burst, pages, submissions
from tests.lab.packages import program
from tests.lab.scorecard import NotRun
from tests.lab.servers import Server, database_url, end_in_order, postgresql, redis, redis_url
from tests.lab.trial import Trial, workers
from tests.scale.figures import renew, written
from tests.scale.sockets import Crowd, crowds

_KEPT = ROOT / "tests" / "bench" / "capacity.json"


@dataclass(frozen=True)
class Served:
    """A site under load, by the name it has in the table, and the programs whose processor time counts."""

    name: str
    site: Site
    watched: Mapping[str, int]


def main() -> None:
    parser = argparse.ArgumentParser(description="What one process carries, what four carry, and what an open page costs.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="of each burst of load")
    parser.add_argument("--sockets", type=int, default=2000)
    chosen = parser.parse_args()
    end_in_order()
    build("http://localhost:3000")
    trial = Trial(short=False)
    try:
        found = _measured(trial, chosen)
    except NotRun as lacking:
        sys.exit(f"Not run: {lacking}.")
    finally:
        trial.close()
    _KEPT.write_text(json.dumps(found, indent=1) + "\n")
    _KEPT.with_suffix(".md").write_text(written(found))
    renew(ROOT / "docs" / "operate" / "scale.md", found)
    print(written(found))


def _measured(trial: Trial, chosen: argparse.Namespace) -> dict[str, Any]:
    wrk, seconds = program("wrk"), chosen.seconds
    with postgresql(trial.room) as postgres, redis(trial.room) as cache:
        sites = _sites(trial, postgres, cache)
        reads = _alternating(sites, chosen.rounds, lambda one: pages(wrk, one.site, "/", seconds=seconds, watched=one.watched))
        writes = _alternating(
            sites, chosen.rounds, lambda one: submissions(wrk, one.site, seconds=seconds, watched=one.watched)
        )
        halves = _alternating(sites, chosen.rounds, lambda one: _at_half(wrk, one, writes[one.name]["per_second"], seconds))
        trial.close_sites()
        sizes = [chosen.sockets // 4, chosen.sockets // 2, chosen.sockets]
        open_pages = {
            "one process, state in memory": _crowds(trial, sizes),
            "one process, state in Redis": _crowds(trial, sizes, redis_url=redis_url(cache, 4)),
        }
    return {
        "measured": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}",
        "pages": reads,
        "submissions": writes,
        "submissions at half": halves,
        "open pages": open_pages,
    }


def _sites(trial: Trial, postgres: Server, cache: Server) -> list[Served]:
    """The default deployment, and one and four workers on PostgreSQL."""
    served = []
    kinds = (
        ("one process on SQLite", "1", False),
        ("one process", "1", True),
        ("four processes", "4", True),
    )
    for number, (name, count, on_postgresql) in enumerate(kinds):
        own: dict[str, Any] = {"secret": "one-secret-for-all-processes", "workers": count}
        watched: dict[str, int] = {}
        if on_postgresql:
            with psycopg.connect(database_url(postgres).replace("+psycopg", ""), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE site{number}".encode())
            own["database_url"], watched["PostgreSQL"] = database_url(postgres, f"site{number}"), postgres.pid
        if number:
            own["redis_url"], watched["Redis"] = redis_url(cache, number), cache.pid
        site = trial.site(log_level="error", **own)
        served.append(Served(name, site, {"site": site.pid, **watched}))
    return served


def _at_half(wrk: str, one: Served, most: float, seconds: int) -> Burst:
    """Half of what the site takes at most: how long a visitor waits while nothing is full."""
    return submissions(wrk, one.site, seconds=seconds, watched=one.watched, per_second=most / 2)


def _alternating(served: Sequence[Served], rounds: int, burst: Callable[[Served], Burst]) -> dict[str, Any]:
    """Round by round in turn, so that what else the machine does falls on all; the middle one by speed stands for all."""
    seen: dict[str, list[Burst]] = {one.name: [] for one in served}
    for _ in range(rounds):
        for one in served:
            with _others_halted(one, served):
                seen[one.name].append(burst(one))
    return {name: _summary(bursts) for name, bursts in seen.items()}


@contextmanager
def _others_halted(one: Served, served: Sequence[Served]) -> Iterator[None]:
    """The other sites stand still: the letters that their own bursts have left them would take up to a core from this one."""
    others = [pid for other in served if other is not one for pid in (*workers(other.site), other.site.pid)]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in others:
            os.kill(pid, signal.SIGCONT)


def _summary(bursts: Sequence[Burst]) -> dict[str, Any]:
    middle = sorted(bursts, key=lambda one: one.per_second)[len(bursts) // 2]
    used, cores = sum(middle.spent.values()), os.cpu_count() or 1
    shares = {
        **middle.spent,
        "others": max(0.0, middle.cores["busy"] - used),
        "disk": middle.cores["disk"],
        "idle": middle.cores["idle"],
    }
    return {
        "per_second": round(statistics.median(one.per_second for one in bursts)),
        "slowest": round(min(one.per_second for one in bursts)),
        "fastest": round(max(one.per_second for one in bursts)),
        "p50_ms": middle.p50_ms,
        "p99_ms": middle.p99_ms,
        "refused": sum(one.refused for one in bursts),
        "broken": sum(one.broken for one in bursts),
        "processor_ms_each": {name: round(1000 * used / max(middle.requests, 1), 3) for name, used in middle.spent.items()},
        "machine_busy_percent": round(100 * used / (middle.seconds * cores)),
        "cores": {name: round(seconds / middle.seconds, 2) for name, seconds in shares.items()},
        "room_for": round(cores * middle.requests / used) if used else 0,
    }


def _crowds(trial: Trial, sizes: Sequence[int], **settings: Any) -> list[dict[str, Any]]:
    site = trial.site(limit_all_sockets="20000", log_level="error", **settings)
    found: list[Crowd] = asyncio.run(crowds(site, sizes))
    trial.close_sites()
    return [asdict(one) for one in found]


if __name__ == "__main__":
    main()
