"""Processes, Redis and PostgreSQL fail and return under load, and every visitor is served in the end."""

import asyncio
import math
import signal
from collections.abc import Awaitable, Callable, Set
from pathlib import Path

import httpx

from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, kill_all, until
from tests.trials.lab.visitors import Outcomes, Visitors, check_consistency, messages
from tests.trials.lab.wire import Refused, Wire
from tests.trials.scale.cluster import Cluster

NOTICED_SECONDS = 5.0  # a longer failover is an outage to a visitor
_BACK_SECONDS = 10.0
_TOO_SLOW = {"ReadTimeout", "ConnectTimeout", "PoolTimeout", "WriteTimeout"}
Fault = Callable[[int], Awaitable[None]]


async def process_killed(cluster: Cluster, trial: Trial) -> Verdict:
    async def kill(number: int) -> None:
        app = cluster.apps[number % 2]
        kill_all(app)
        await asyncio.sleep(2)
        await asyncio.to_thread(app.start)

    rounds = 1 if trial.short else 10
    outcomes = await _under_load(cluster, trial, rounds, kill)
    return _verdict(cluster, outcomes, f"{rounds} kills", longest=NOTICED_SECONDS)


async def rolling_restart(cluster: Cluster, trial: Trial) -> Verdict:
    """No visitor even has to repeat a request: nginx asks the other process."""

    async def restart(_: int) -> None:
        for app in cluster.apps:
            await asyncio.to_thread(app.stop)
            await asyncio.to_thread(app.start)

    rounds = 1 if trial.short else 5
    outcomes = await _under_load(cluster, trial, rounds, restart)
    return _verdict(cluster, outcomes, f"{rounds} times both processes", longest=NOTICED_SECONDS, allowed_reasons=frozenset())


async def redis_restarted(cluster: Cluster, trial: Trial) -> Verdict:
    """Submissions need no Redis: it shares limits, and visitors' open sessions."""

    async def restart(_: int) -> None:
        cluster.redis.kill()
        await asyncio.sleep(2)
        await asyncio.to_thread(cluster.redis.start)

    rounds = 1 if trial.short else 5
    outcomes = await _under_load(cluster, trial, rounds, restart)
    back = await until(lambda: _socket_answers(cluster), seconds=30)
    fault = f"{rounds} times 2 s without Redis"
    verdict = _verdict(cluster, outcomes, fault, longest=NOTICED_SECONDS, allowed_reasons=frozenset())
    figure = f"{verdict.figure}; sockets answer {back:.1f} s after"
    return Verdict(verdict.met and back <= NOTICED_SECONDS, figure, verdict.late)


async def postgresql_restarted(cluster: Cluster, trial: Trial) -> Verdict:
    """Restarts it as an operator does, then kills it; visitors get 503 meanwhile, and retry."""

    async def restart(number: int) -> None:
        if number % 2:
            cluster.postgresql.kill()
        else:
            await asyncio.to_thread(cluster.postgresql.stop, signal.SIGINT)
        await asyncio.to_thread(cluster.postgresql.start)

    rounds = 2 if trial.short else 6
    outcomes = await _under_load(cluster, trial, rounds, restart)
    return _verdict(cluster, outcomes, f"{rounds} restarts", longest=_BACK_SECONDS, allowed_reasons=frozenset({"503"}))


async def postgresql_only_read(cluster: Cluster, trial: Trial) -> Verdict:
    """Makes it read-only, then a standby, as after a failover: it answers, and stores nothing."""
    noticed: list[float] = []

    async def refuse(number: int) -> None:
        begin, end = (_stand_by, _promote) if number % 2 else (_take_no_writes, _take_writes)
        await asyncio.to_thread(begin, cluster)
        noticed.append(await _seconds_until_ready(cluster, 503))
        await asyncio.sleep(1)
        await asyncio.to_thread(end, cluster)
        noticed.append(await _seconds_until_ready(cluster, 200))

    rounds = 2 if trial.short else 6
    outcomes = await _under_load(cluster, trial, rounds, refuse)
    verdict = _verdict(cluster, outcomes, f"{rounds} times", longest=_BACK_SECONDS, allowed_reasons=frozenset({"503"}))
    figure = f"{verdict.figure}; /readyz knew after {max(noticed):.1f} s"
    return Verdict(verdict.met and max(noticed) <= NOTICED_SECONDS, figure, verdict.late and math.inf not in noticed)


async def _under_load(cluster: Cluster, trial: Trial, rounds: int, fault: Fault) -> Outcomes:
    """Returns the outcomes of visitors who came before, during and after the fault of each round."""
    outcomes = Outcomes()
    for number in range(rounds):
        visitors = Visitors(trial.client(cluster.front, timeout=10), messages(), outcomes)
        breaking = asyncio.create_task(_start_later(1, fault, number))
        await visitors.arrive_while(lambda breaking=breaking: not breaking.done())
        await breaking
        await visitors.arrive_for(0.5)
        await visitors.leave()
    return outcomes


async def _start_later(seconds: float, fault: Fault, number: int) -> None:
    await asyncio.sleep(seconds)
    await fault(number)


def _verdict(
    cluster: Cluster, outcomes: Outcomes, fault: str, *, longest: float, allowed_reasons: Set[str] | None = None
) -> Verdict:
    """`allowed_reasons` may cause repeated requests; None allows any reason."""
    records, visits = check_consistency(cluster.rows, outcomes), outcomes.visits
    repeated = ", ".join(f"{times} × {reason}" for reason, times in outcomes.repeated.items()) or "nobody had to repeat it"
    figure = f"{fault}, {len(outcomes.acknowledged)} of {visits} acknowledged: {records}; slowest {outcomes.slowest:.1f} s; {repeated}"
    unforeseen = set() if allowed_reasons is None else set(outcomes.repeated) - allowed_reasons
    complete = records.is_clean and len(outcomes.acknowledged) == visits and unforeseen <= _TOO_SLOW
    return Verdict(complete and not unforeseen and outcomes.slowest <= longest, figure, complete)


async def _socket_answers(cluster: Cluster) -> bool:
    try:
        async with asyncio.timeout(3):
            wire = await Wire(cluster.front).connect()
            await wire.round_trip()
            wire.close()
    except (Refused, TimeoutError, OSError):
        return False
    return True


async def _seconds_until_ready(cluster: Cluster, status: int) -> float:
    """Returns the seconds until every process reports this status, or infinity if one never does."""
    try:
        return await until(lambda: _readiness(cluster, status), seconds=15)
    except TimeoutError:
        return math.inf


async def _readiness(cluster: Cluster, status: int) -> bool:
    """Returns True if every process reports this status. nginx would ask only one of them."""
    async with httpx.AsyncClient(timeout=3) as client:
        responses = await asyncio.gather(*(client.get(f"{app.url}/readyz") for app in cluster.apps), return_exceptions=True)
    return all(isinstance(response, httpx.Response) and response.status_code == status for response in responses)


def _take_no_writes(cluster: Cluster) -> None:
    cluster.execute("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")


def _take_writes(cluster: Cluster) -> None:
    cluster.execute("ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()")


def _stand_by(cluster: Cluster) -> None:
    data = Path(cluster.rows("SHOW data_directory")[0][0])
    cluster.postgresql.stop(signal.SIGINT)
    (data / "standby.signal").touch()
    cluster.postgresql.start()


def _promote(cluster: Cluster) -> None:
    cluster.execute("SELECT pg_promote()")
