"""Measures the load that one process and four processes carry, and the cost of an open page.

Load, engines and site share this machine, so the processor seconds of each program are written beside what was answered: they say
what a machine of its own would have left.
"""

import asyncio
import math
import os
import signal
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from tests.support.site_server import Site
from tests.trials.bench.open_pages import Crowd, crowds
from tests.trials.bench.part import Bar, Extent, Figures, Measured, Table
from tests.trials.lab.load import CONNECTIONS, Burst, pages, submissions
from tests.trials.lab.servers import Server, database_url, postgresql, redis, redis_url
from tests.trials.lab.trial import Trial, workers

_SITES = {"sqlite": "one process on SQLite", "one": "one process on PostgreSQL and Redis", "four": "four processes on these"}
_LOADS = {
    "pages": "Pages a second (`/`, brotli)",
    "submissions": "Submissions a second (`sendMessage`, each with a key of its own)",
    "half": "At half as many submissions",
}
_PEAK = 4  # the busiest hour in proportion to the day's average
# Shares of views: those that open a socket, for how long, and those that send a form.
_TOUCH, _STAY_SECONDS, _SUBMIT = 0.1, 180, 0.001
_SOCKETS_A_PROCESS = 2000  # SITE_LIMIT_ALL_SOCKETS in the default settings
_MAX_HALF_P99_MS = 100
Summary = dict[str, Any]


@dataclass(frozen=True)
class Served:
    """A site under load, and the programs whose processor time counts."""

    name: str
    site: Site
    watched: Mapping[str, int]


def capacity(extent: Extent) -> Measured:
    trial = Trial(short=extent.short)
    rounds, seconds, crowd_size = extent.pick(3, full=5), extent.pick(5, full=5), extent.pick(2000, full=2000, short=40)
    try:
        with postgresql(trial.folder) as postgres, redis(trial.folder) as cache:
            sites = _sites(trial, postgres, cache)

            def load(burst: Callable[[Served], Burst]) -> dict[str, Summary]:
                return _alternating(sites, rounds, burst)

            def sent(served: Served, per_second: float = 0) -> Burst:
                return submissions(served.site, seconds=seconds, watched=served.watched, per_second=per_second)

            results = {"pages": load(lambda target: pages(target.site, ["/"], seconds=seconds, watched=target.watched))}
            results["submissions"] = submitted = load(sent)
            # Half of the site's maximum: the waiting time below saturation.
            results["half"] = load(lambda target: sent(target, submitted[target.name]["per_second"] / 2))
            trial.close_sites()
            sizes = [crowd_size // 4, crowd_size // 2, crowd_size]
            in_memory = _crowds(trial, sizes)
            in_redis = _crowds(trial, sizes, redis_url=redis_url(cache, 4))
    finally:
        trial.close()
    return _reported(results, in_memory, in_redis)


def _sites(trial: Trial, postgres: Server, cache: Server) -> list[Served]:
    """Measures the default deployment, and one and four workers on PostgreSQL."""
    served = []
    for number, name in enumerate(_SITES):
        settings: dict[str, Any] = {"secret": "one-secret-for-all-processes", "workers": "4" if name == "four" else "1"}
        watched: dict[str, int] = {}
        if number:
            with psycopg.connect(database_url(postgres).replace("+psycopg", ""), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE site{number}".encode())
            settings |= {"database_url": database_url(postgres, f"site{number}"), "redis_url": redis_url(cache, number)}
            watched = {"PostgreSQL": postgres.pid, "Redis": cache.pid}
        site = trial.site(log_level="error", **settings)
        served.append(Served(name, site, {"site": site.pid, **watched}))
    return served


def _alternating(served: Sequence[Served], rounds: int, burst: Callable[[Served], Burst]) -> dict[str, Summary]:
    """Measures in turns, so that other work of the machine affects all; the median by speed is used."""
    bursts_by_site: dict[str, list[Burst]] = {target.name: [] for target in served}
    for _ in range(rounds):
        for target in served:
            with _others_halted(target, served):
                bursts_by_site[target.name].append(burst(target))
    return {name: _summary(bursts) for name, bursts in bursts_by_site.items()}


@contextmanager
def _others_halted(target: Served, served: Sequence[Served]) -> Iterator[None]:
    """Suspends the other sites: their queued mails would take up to a core from this one."""
    pids = [pid for halted in served if halted is not target for pid in (*workers(halted.site), halted.site.pid)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _summary(bursts: Sequence[Burst]) -> dict[str, Any]:
    middle = sorted(bursts, key=lambda burst: burst.per_second)[len(bursts) // 2]
    used, cores = sum(middle.spent.values()), os.cpu_count() or 1
    shares = {
        **middle.spent,
        "others": max(0.0, middle.cores["busy"] - used),
        "disk": middle.cores["disk"],
        "idle": middle.cores["idle"],
    }
    return {
        "per_second": round(statistics.median(burst.per_second for burst in bursts)),
        "slowest": round(min(burst.per_second for burst in bursts)),
        "fastest": round(max(burst.per_second for burst in bursts)),
        "p50_ms": middle.p50_ms,
        "p99_ms": middle.p99_ms,
        "refused": sum(burst.refused for burst in bursts),
        "broken": sum(burst.broken for burst in bursts),
        "processor_ms_each": {name: round(1000 * used / max(middle.requests, 1), 3) for name, used in middle.spent.items()},
        "machine_busy_percent": round(100 * used / (middle.seconds * cores)),
        "cores": {name: round(seconds / middle.seconds, 2) for name, seconds in shares.items()},
        "room_for": round(cores * middle.requests / used) if used else 0,
    }


def _crowds(trial: Trial, sizes: Sequence[int], **settings: Any) -> list[Crowd]:
    site = trial.site(limit_all_sockets="20000", log_level="error", **settings)
    measured = asyncio.run(crowds(site, sizes))
    trial.close_sites()
    return measured


def _reported(results: Mapping[str, Mapping[str, Summary]], in_memory: Sequence[Crowd], in_redis: Sequence[Crowd]) -> Measured:
    measured = Measured({f"{kind}.ratio": _ratio(results[kind]) for kind in ("pages", "submissions")})
    for kind, sites in results.items():
        for name, summary in sites.items():
            columns = ("per_second", "p50_ms", "p99_ms", "machine_busy_percent", "room_for")
            measured.figures |= {f"{kind}.{name}.{figure}": summary[figure] for figure in columns}
    summary = results["submissions"]["one"]
    measured.figures["submissions.one.room_ratio"] = summary["room_for"] / summary["per_second"]
    for name, crowd in (("open", in_memory[-1]), ("open_redis", in_redis[-1])):
        measured.figures |= {
            f"{name}.sockets": crowd.sockets,
            f"{name}.kib": crowd.kib_each,
            f"{name}.core_percent": crowd.core_percent,
        }
    measured.figures |= _plan(in_memory[-1].kib_each, summary["per_second"], in_redis[-1].opened_per_second)
    measured.tables = [_load(title, results[kind]) for kind, title in _LOADS.items()]
    measured.tables += [_bounds(results["submissions"]), _open(in_memory, in_redis)]
    slowest = {_SITES[name]: summary["p99_ms"] for name, summary in results["half"].items()}
    measured.bars = [Bar("p99 in ms of a submission at half as many", slowest, most=_MAX_HALF_P99_MS)]
    return measured


def _ratio(summaries: Mapping[str, Summary]) -> float:
    return summaries["four"]["per_second"] / summaries["one"]["per_second"]


def _plan(kib: float, per_second: float, opened_per_second: float) -> Figures:
    """Computes the memory and the app processes for this many million page views a day."""
    figures: Figures = {}
    for millions in (1, 10, 100):
        peak = _PEAK * millions * 1e6 / 86_400
        sockets, arriving, sent = peak * _TOUCH * _STAY_SECONDS, peak * _TOUCH, peak * _SUBMIT
        needed = max(sockets / _SOCKETS_A_PROCESS, arriving / (opened_per_second / 2), sent / (per_second / 2))
        figures |= {f"plan_{millions}.gib": sockets * kib / 2**20, f"plan_{millions}.processes": max(2, math.ceil(needed) + 1)}
    return figures


def _load(title: str, summaries: Mapping[str, Summary]) -> Table:
    head = ("site", "a second (slowest–fastest)", "p50 ms", "p99 ms", "refused, broken", "processor ms each", "machine busy")
    rows = [
        [
            _SITES[name],
            f"{summary['per_second']} ({summary['slowest']}–{summary['fastest']})",
            f"{summary['p50_ms']}",
            f"{summary['p99_ms']}",
            f"{summary['refused']}, {summary['broken']}",
            ", ".join(f"{program} {ms}" for program, ms in summary["processor_ms_each"].items()),
            f"{summary['machine_busy_percent']} %",
        ]
        for name, summary in summaries.items()
    ]
    return Table(title, head, rows, f"wrk with {CONNECTIONS} connections, on the same machine.")


def _bounds(summaries: Mapping[str, Summary]) -> Table:
    """Returns which programs kept cores busy during submissions, and how many submissions a second all cores could carry."""
    programs = ("site", "PostgreSQL", "Redis", "client", "others", "disk", "idle")
    rows = [
        [
            _SITES[name],
            *(str(summary["cores"].get(part, "–")) for part in programs),
            str(summary["room_for"]),
            str(summary["per_second"]),
        ]
        for name, summary in summaries.items()
    ]
    note = (
        "Cores kept busy by each while they came; `others` is what else ran on the machine and the kernel's own work, `disk` what waited for "
        "it. What all cores could carry is their number by what one submission costs site, engines and client together; one process runs "
        "Python on one core at a time and has at most 1 of them."
    )
    return Table("What bounds the submissions", ("site", *programs, "all cores could carry", "carried"), rows, note)


def _open(in_memory: Sequence[Crowd], in_redis: Sequence[Crowd]) -> Table:
    head = (
        "state",
        "open pages",
        "opened a second",
        "KiB of server memory each",
        "page p95 ms",
        "socket p95 ms",
        "% of a core, idle",
    )
    rows = [
        [
            state,
            f"{size.sockets}",
            f"{size.opened_per_second:.0f}",
            f"{size.kib_each:.0f}",
            f"{size.page_p95_ms:.1f}",
            f"{size.socket_p95_ms:.1f}",
            f"{size.core_percent:.0f}",
        ]
        for state, crowd in (("in memory", in_memory), ("in Redis", in_redis))
        for size in crowd
    ]
    return Table("Open pages, one process", head, rows)
