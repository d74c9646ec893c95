"""Two hundred people want one slot, on either database."""

from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.servers import database_url, postgresql
from tests.trials.lab.trial import Trial
from tests.trials.lab.visitors import CLIENTS, MAX_SECONDS, races


async def one_slot(trial: Trial) -> Verdict:
    """Each round all book one slot at once over HTTP; on SQLite, then on a PostgreSQL server of its own."""
    with postgresql(trial.folder) as server:
        verdicts = [await _on(trial, "SQLite", ""), await _on(trial, "PostgreSQL", database_url(server))]
        trial.close_sites()
    return Verdict(
        all(verdict.met for verdict in verdicts),
        "; ".join(verdict.figure for verdict in verdicts),
        all(verdict.late for verdict in verdicts),
    )


async def _on(trial: Trial, name: str, url: str) -> Verdict:
    site = trial.site(database_url=url)
    async with trial.client(site) as client:
        sold, mistakes, slowest = await races(client, rounds := 2 if trial.short else 10)
    figure = (
        f"{name}: {sold} of {rounds} rounds of {CLIENTS} sold once and refused {CLIENTS - 1} times with 409 {mistakes or ''}"
    )
    return Verdict(sold == rounds and slowest <= MAX_SECONDS, f"{figure.rstrip()}, p99 {slowest:.2f} s", sold == rounds)
