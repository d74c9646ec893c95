"""A second try for what was only late: a machine that shares its cores is slow at times, and nothing is lost by that."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx

from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial
from tests.scale.cluster import Cluster

LATE = "too late"


@dataclass(frozen=True)
class Timed(Verdict):
    """A verdict in which time has a part: `kept` is whether everything else is as it was promised."""

    kept: bool = False


class Late(Timed):
    """Late twice in the short form: told, and left to the long form, which runs where nothing else does."""

    @property
    def outcome(self) -> str:
        return LATE


Tried = Callable[[Cluster, Trial], Awaitable[Verdict]]


async def with_patience(tried: Tried, cluster: Cluster, trial: Trial) -> Verdict:
    """In the short form, once more when only time fell short; what is measured for good counts as it is."""
    if not trial.short:
        return await tried(cluster, trial)
    try:
        first = await tried(cluster, trial)
    except (TimeoutError, httpx.TimeoutException) as error:
        first = Timed(False, f"{type(error).__name__}: {error}", kept=True)
    if first.met or not (isinstance(first, Timed) and first.kept):
        return first
    cluster.mend()
    second = await tried(cluster, trial)
    figure, kept = f"{second.figure}; before it, too late: {first.figure}", isinstance(second, Timed) and second.kept
    return Late(False, figure, kept=True) if kept and not second.met else Timed(second.met, figure, kept=kept)
