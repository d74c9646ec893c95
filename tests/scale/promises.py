"""The rows of the trial, with what each promises."""

from functools import partial

from tests.faults.scorecard import Promise
from tests.scale import faults, once, races, state
from tests.scale.cluster import Cluster
from tests.scale.patience import with_patience

ROWS = (
    ("200 clients, one slot", "1 success, 199 clear refusals, 0 5xx, p99 ≤ 2.5 s", races.one_slot),
    ("the same key 100 times", "1 made, 99 replays with the same reference; other words: 422", races.one_key),
    ("limits are counted over all processes", "as many taken as one process would take, the rest 429", races.one_count),
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


def promises(cluster: Cluster) -> tuple[Promise, ...]:
    """Each row with the cluster it is tried on."""
    return tuple(
        Promise(number, says, target, partial(with_patience, tried, cluster))
        for number, (says, target, tried) in enumerate(ROWS, start=1)
    )
