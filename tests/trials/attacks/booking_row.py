"""Row 1: two hundred people want one slot, on either database."""

from tests.trials.lab.races import CLIENTS, MOST_SECONDS, races
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.servers import database_url, postgresql
from tests.trials.lab.trial import Trial


async def one_slot(trial: Trial) -> Verdict:
    """Each round one slot, all at once over HTTP; on SQLite, then on a PostgreSQL of its own."""
    with postgresql(trial.room) as server:
        tried = [await _on(trial, "SQLite", ""), await _on(trial, "PostgreSQL", database_url(server))]
        trial.close_sites()
    return Verdict(all(one.met for one in tried), "; ".join(one.figure for one in tried), all(one.late for one in tried))


async def _on(trial: Trial, name: str, url: str) -> Verdict:
    site = trial.site(database_url=url)
    async with trial.client(site) as client:
        right, wrong, slowest = await races(client, rounds := 2 if trial.short else 10)
    said = f"{name}: {right} of {rounds} rounds of {CLIENTS} sold once and refused {CLIENTS - 1} times with 409 {wrong or ''}"
    return Verdict(right == rounds and slowest <= MOST_SECONDS, f"{said.rstrip()}, p99 {slowest:.2f} s", right == rounds)
