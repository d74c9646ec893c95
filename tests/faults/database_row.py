"""The database's part of row 31: it is damaged, locked, moved or may only be read, and the site says so in time."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import httpx

from tests.api.test_readiness import HARMS
from tests.browser.server import Site
from tests.builders import message
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, log_of

_LONGEST = 10.0  # seconds
_NOT_TAKEN = ("moved", "deleted", "replaced by a copy", "locked")  # nobody would find that lead again, or it must wait


async def lying_database(trial: Trial) -> Verdict:
    with ExitStack() as stack:

        def lock(file: Path) -> None:
            stack.enter_context(closing(sqlite3.connect(file))).execute("BEGIN EXCLUSIVE")

        harms = HARMS | {"locked": lock}
        found = {name: await _tried(trial, name, harm) for name, harm in harms.items()}
    slowest = max(seconds for seconds, *_ in found.values())
    silent = [name for name, (_, sentence, _, _) in found.items() if not sentence.endswith(".")]
    pages_away = [name for name, (_, _, pages, _) in found.items() if pages != 200]
    leads = {name: lead for name, (_, _, _, lead) in found.items()}
    met = slowest <= _LONGEST and not silent and not pages_away and {*leads.values()} <= {200, 503}
    return Verdict(
        met and {leads[name] for name in _NOT_TAKEN} == {503},
        f"{len(found)} ways: /readyz red after {slowest:.1f} s at the slowest; without a sentence in the log: "
        f"{silent or 'none'}; pages away: {pages_away or 'none'}; a lead meanwhile: {leads}",
    )


async def _tried(trial: Trial, name: str, harm: Callable[[Path], object]) -> tuple[float, str, int, int]:
    """Seconds until it was red, the sentence in the log, and the statuses of a page and a lead meanwhile."""
    site = trial.site()
    file = site.var / "site.db"
    async with trial.client(site) as client:
        for _ in range(20):
            (await client.post("/v1.0/sendMessage", json=message())).raise_for_status()
        assert (await client.get("/readyz")).status_code == 200
        if name in ("damaged", "cut short"):
            with closing(sqlite3.connect(file)) as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # as after a quiet while: all is in the file
        harm(file)
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
