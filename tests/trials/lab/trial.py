"""A trial's tools: a directory, sites of its own, and the state of their processes."""

import asyncio
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import httpx

from tests.support.site_server import Site, free_port

FREE = "100000000/minute"
# Everything comes from 127.0.0.1 here: one address stands for many visitors, unless a trial tests limits.
MANY_VISITORS = {
    "SITE_PRODUCTION": "true",
    "SITE_ALLOW_SAMPLES": "true",
    "SITE_HOSTS": "127.0.0.1",
    "SITE_MINIMUM_FILLING_TIME": "0s",
    "SITE_LIMIT_SUBMISSIONS": FREE,
    "SITE_LIMIT_UPLOADS": FREE,
    "SITE_LIMIT_HOLDS": FREE,
    "SITE_LIMIT_READS": FREE,
    "SITE_LIMIT_OPEN_HOLDS": "100000",
    "SITE_LIMIT_CALLS": "100000",
    "SITE_LIMIT_SOCKETS": "10000",
    "SITE_LIMIT_ARRIVALS": "100000",
}


class Trial:
    """One try of a promise; `close` stops everything it started."""

    def __init__(self, *, short: bool) -> None:
        self.short = short
        self._began = time.monotonic()
        self._directory = tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True)
        self.folder = Path(self._directory.name)
        self._sites: list[Site] = []
        allow_many_files()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def site(self, *, var: Path | None = None, variables: Mapping[str, str] | None = None, **settings: str) -> Site:
        """Starts a site with these SITE_* settings; `variables` are further ones of its environment."""
        environment = MANY_VISITORS | {f"SITE_{name.upper()}": value for name, value in settings.items()}
        site = Site(free_port(), var or self.folder / f"var{len(self._sites)}", {**environment, **(variables or {})})
        self._sites.append(site)
        return site.start()

    def client(self, site: Site, **options: Any) -> httpx.AsyncClient:
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=50)
        arguments = {"timeout": 30, "limits": limits, "headers": {"X-API-Key": "website"}} | options
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{site.port}", **arguments)

    def close(self) -> None:
        self.close_sites()
        self._directory.cleanup()

    def keep_logs(self, folder: Path) -> bool:
        """Stops its sites and copies their logs over those of an earlier trial; False if there are none."""
        self.close_sites()
        logs = [*self.folder.rglob("server.log")]
        if logs:
            shutil.rmtree(folder, ignore_errors=True)
        for log in logs:
            copy = folder / log.relative_to(self.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(log, copy)
        return bool(logs)

    def close_sites(self) -> None:
        for site in self._sites:
            if site.is_running:
                kill_all(site)


def kill_all(site: Site) -> None:
    """kill -9, the master first: it would restart a killed worker."""
    for pid in (site.pid, *workers(site)):
        end(pid, signal.SIGKILL)
    site.kill()


def end(pid: int, signal_number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal_number)


class Running(Protocol):
    """A running server: the site, or one to compare it with."""

    @property
    def pid(self) -> int: ...


def workers(server: Running) -> list[int]:
    return list(descendants(server.pid))


def descendants(pid: int) -> Iterator[int]:
    """Yields the children of all its threads, recursively: a process belongs to the thread that started it."""
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            direct = file.read_text().split()
        except OSError:
            continue
        for child in map(int, direct):
            yield child
            yield from descendants(child)


def memory_mb(server: Running) -> float:
    """Returns the memory of all its processes; a page that several share counts once."""
    rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in (server.pid, *workers(server)))
    return sum(int(rollup.partition("\nPss:")[2].split()[0]) for rollup in rollups) / 1024


def descriptors(site: Site) -> int:
    return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in workers(site))


def count(directory: Path, pattern: str = "*") -> int:
    return len(list(directory.glob(pattern)))


def log_of(site: Site) -> str:
    return (site.var / "server.log").read_text(errors="replace")


def tracebacks(site: Site, *, expected: str | None = None) -> int:
    """Returns the log's lines about unexpected failures; lines with `expected` come from the trial's own faults."""
    marks = ("Traceback", "request.failed", "handler.failed", "call.failed", '"trace": [', '"level": "critical"')
    lines = [line for line in log_of(site).splitlines() if expected is None or expected not in line]
    return sum(any(mark in line for mark in marks) for line in lines)


def database(site: Site) -> sqlite3.Connection:
    return sqlite3.connect(site.var / "site.db", timeout=10)


async def until(check: Callable[[], Awaitable[bool]], *, seconds: float) -> float:
    """Repeats until the condition holds; returns the seconds, raises TimeoutError if it never does."""
    began = time.monotonic()
    while not await check():
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"not so after {seconds} s")
        await asyncio.sleep(0.05)
    return time.monotonic() - began


def percentile(values: Sequence[float], part: float = 0.95) -> float:
    """Returns the value below which this share lies, interpolated between two values."""
    ordered = sorted(values)
    index, fraction = divmod(part * (len(ordered) - 1), 1)
    low, high = ordered[int(index)], ordered[min(int(index) + 1, len(ordered) - 1)]
    return low + (high - low) * fraction


def allow_many_files() -> None:
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
