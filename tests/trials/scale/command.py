"""make trial NAME=scale ARGS="[--short] [row …]": two processes behind nginx, faults under load; fails when a row falls short."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from functools import partial

from tests.browser.server import build
from tests.trials.lab.scorecard import Card, NotRun, Promise, Verdict, must_run, try_all
from tests.trials.lab.servers import end_in_order
from tests.trials.lab.trial import Trial
from tests.trials.scale import faults, once, state
from tests.trials.scale.cluster import Cluster

CARD = Card(
    name="scale",
    title="Several processes",
    about="`make trial NAME=scale`: two app processes of two workers each behind nginx, on PostgreSQL and Redis, 50 submissions a second "
    "during each fault.",
)
Tried = Callable[[Cluster, Trial], Awaitable[Verdict]]
ROWS: tuple[tuple[str, str, Tried], ...] = (
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
)


async def _on(cluster: Cluster, tried: Tried, trial: Trial) -> Verdict:
    await asyncio.to_thread(cluster.mend)
    return await tried(cluster, trial)


def main(arguments: Sequence[str]) -> int:
    end_in_order()
    build("http://localhost:3000")
    try:
        with closing(Cluster()) as cluster:
            cluster.start()
            rows = [
                Promise(number, promise, target, partial(_on, cluster, tried))
                for number, (promise, target, tried) in enumerate(ROWS, 1)
            ]
            return try_all(rows, arguments, CARD)
    except NotRun as lacking:
        print(f"0 met, 0 falls short, {len(ROWS)} not run: {lacking}.")
        return int(must_run(CARD.name))
