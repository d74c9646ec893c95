"""make trial NAME=scale ARGS="[--short] [row …]": two processes behind nginx, faults under load; fails when a row falls short."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing

from tests.support.site_server import build
from tests.trials.lab.scorecard import Card, NotRun, Row, Verdict, promises_on, report_not_run, try_all
from tests.trials.lab.servers import end_in_order
from tests.trials.lab.trial import Trial
from tests.trials.scale import faults, moved, once, state
from tests.trials.scale.cluster import Cluster

CARD = Card(
    name="scale",
    title="Several processes",
    about="`make trial NAME=scale`: two app processes of two workers each behind nginx, on PostgreSQL and Redis, 50 submissions a second "
    "during each fault.",
)
ClusterCheck = Callable[[Cluster, Trial], Awaitable[Verdict]]
ROWS: tuple[Row[Cluster], ...] = (
    ("200 clients, one slot", "1 success, 199 clear refusals, 0 5xx, p99 ≤ 2.5 s", once.one_slot),
    ("the same key 100 times", "1 made, 99 replays with the same reference; other words: 422", once.one_key),
    ("limits are counted over all processes", "as many taken as one process would take, the rest 429", once.one_count),
    ("mails and reminders leave once", "each once", once.mails_once),
    ("a process is killed (-9)", "0 lost, 0 doubled; each client done ≤ 5 s", faults.process_killed),
    ("a rolling restart", "0 lost, 0 doubled; no client has to repeat itself; done ≤ 5 s", faults.rolling_restart),
    ("Redis is killed, and back", "0 lost, 0 doubled; nobody refused; sockets back ≤ 5 s", faults.redis_restarted),
    ("PostgreSQL restarts, and is killed", "0 lost, 0 doubled; 503 at worst; done ≤ 10 s", faults.postgresql_restarted),
    ("what a visitor has open survives", "all of it, without a new token", state.state_survives),
    (
        "PostgreSQL takes no writes for a while",
        "not ready ≤ 5 s; 0 lost, 0 doubled; 503 at worst; done ≤ 10 s",
        faults.postgresql_only_read,
    ),
    ("SQLite moves to PostgreSQL, tables and backups work there", "all tests of both pass", moved.tests_pass),
)


def _after_repair(check: ClusterCheck) -> ClusterCheck:
    """Repairs the cluster before the check: the row before may have broken it."""

    async def repair_and_check(cluster: Cluster, trial: Trial) -> Verdict:
        await asyncio.to_thread(cluster.repair)
        return await check(cluster, trial)

    return repair_and_check


def main(arguments: Sequence[str]) -> int:
    end_in_order()
    build("http://localhost:3000")
    try:
        with closing(Cluster()) as cluster:
            cluster.start()
            rows = [(title, target, _after_repair(check)) for title, target, check in ROWS]
            return try_all(promises_on(cluster, rows), arguments, CARD)
    except NotRun as reason:
        return report_not_run(ROWS, CARD, reason)
