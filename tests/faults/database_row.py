"""The database's part of row 31: it is damaged, locked, moved or may only be read, and the site says so."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import httpx

from tests.browser.server import Site
from tests.builders import message
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, log_of

_LONGEST = 10.0  # seconds


@contextmanager
def _damaged(file: Path) -> Iterator[None]:
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(os.urandom(file.stat().st_size - 4096))
    yield


@contextmanager
def _cut_short(file: Path) -> Iterator[None]:
    os.truncate(file, 0)
    yield


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def _moved(file: Path) -> Iterator[None]:
    file.rename(file.with_name("aside.db"))
    yield


@contextmanager
def _deleted(file: Path) -> Iterator[None]:
    for one in file.parent.glob("site.db*"):
        one.unlink()
    yield


@contextmanager
def _replaced(file: Path) -> Iterator[None]:
    shutil.copyfile(file, file.with_name("copy.db"))
    file.with_name("copy.db").rename(file)
    yield


@contextmanager
def _read_only(file: Path) -> Iterator[None]:
    file.chmod(0o444)
    yield


_HARMS: dict[str, Callable[[Path], AbstractContextManager[None]]] = {
    one.__name__.strip("_").replace("_", " "): one
    for one in (_damaged, _cut_short, _locked, _moved, _deleted, _replaced, _read_only)
}


async def lying_database(trial: Trial) -> Verdict:
    found = {name: await _tried(trial, harm) for name, harm in _HARMS.items()}
    slowest = max(seconds for seconds, *_ in found.values())
    silent = [name for name, (_, sentence, _, _) in found.items() if not sentence]
    pages_away = [name for name, (_, _, pages, _) in found.items() if pages != 200]
    odd = {name: lead for name, (_, _, _, lead) in found.items() if lead not in (200, 503)}
    met = slowest <= _LONGEST and not silent and not pages_away and not odd
    # a file that nobody will find again takes no lead; one that may only be read from now on still keeps it
    met = met and {found[name][3] for name in ("moved", "deleted", "replaced", "locked")} == {503}
    return Verdict(
        met,
        f"{len(found)} ways ({', '.join(found)}): /readyz red after {slowest:.1f} s at the slowest; without a sentence in the log: "
        f"{silent or 'none'}; pages away: {pages_away or 'none'}; leads answered { ({name: one[3] for name, one in found.items()}) }",
    )


async def _tried(trial: Trial, harm: Callable[[Path], AbstractContextManager[None]]) -> tuple[float, str, int, int]:
    """Seconds until it was red, the sentence in the log, and the statuses of a page and a lead meanwhile."""
    site = trial.site()
    file = site.var / "site.db"
    async with trial.client(site) as client:
        for _ in range(20):
            (await client.post("/v1.0/sendMessage", json=message())).raise_for_status()
        assert (await client.get("/readyz")).status_code == 200
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # as after a quiet while: all is in the file
        with harm(file):
            seconds = await _until_red(client)
            page = (await client.get("/faq", follow_redirects=True)).status_code
            lead = (await client.post("/v1.0/sendMessage", json=message())).status_code
    site.kill()
    return seconds, _sentence(site), page, lead


async def _until_red(client: httpx.AsyncClient) -> float:
    began = time.monotonic()
    while time.monotonic() < began + 2 * _LONGEST:
        if (await client.get("/readyz")).status_code == 503:
            break
    return time.monotonic() - began


def _sentence(site: Site) -> str:
    lines = [json.loads(line) for line in log_of(site).splitlines() if "database.not_ready" in line]
    return next((line.get("problem", "") for line in lines), "")
