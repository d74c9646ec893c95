"""What was only late is tried once more; what was lost or doubled is not."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial
from tests.scale.cluster import Cluster
from tests.scale.patience import Timed, with_patience

LATE, BROKEN, WELL = Timed(False, "late", kept=True), Timed(False, "1 lost"), Timed(True, "in time", kept=True)


class Whole:
    """A cluster in which nothing is broken."""

    def mend(self) -> None:
        pass


async def tried(*said: Verdict | Exception, short: bool = True) -> tuple[Verdict, int]:
    """The verdict in the end, and how many tries it took."""
    answers: Iterator[Verdict | Exception] = iter(said)
    asked = 0

    async def one(_cluster: Cluster, _trial: Trial) -> Verdict:
        nonlocal asked
        asked += 1
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    trial = Trial(short=short)
    try:
        return await with_patience(one, cast(Any, Whole()), trial), asked
    finally:
        trial.close()


@pytest.mark.anyio
async def test_what_was_late_is_tried_once_more_and_both_figures_are_told() -> None:
    verdict, times = await tried(LATE, WELL)

    assert (verdict.met, verdict.figure, times) == (True, "in time; before it, too late: late", 2)


@pytest.mark.anyio
async def test_what_is_late_twice_is_told_as_late() -> None:
    verdict, times = await tried(LATE, LATE, WELL)

    assert (verdict.met, verdict.outcome, times) == (False, "too late", 2)


@pytest.mark.anyio
async def test_what_is_late_and_then_broken_falls_short() -> None:
    verdict, times = await tried(LATE, BROKEN, WELL)

    assert (verdict.outcome, times) == ("falls short", 2)


@pytest.mark.anyio
@pytest.mark.parametrize("broken", [BROKEN, Verdict(False, "2 made")])
async def test_what_is_lost_or_doubled_falls_short_at_once(broken: Verdict) -> None:
    verdict, times = await tried(broken, WELL)

    assert (verdict.met, times) == (False, 1)


@pytest.mark.anyio
async def test_what_did_not_end_in_time_is_tried_once_more() -> None:
    verdict, times = await tried(TimeoutError("not so after 60 s"), WELL)

    assert (verdict.met, times) == (True, 2)


@pytest.mark.anyio
async def test_what_is_measured_for_good_has_one_try() -> None:
    verdict, times = await tried(LATE, WELL, short=False)

    assert (verdict.met, times) == (False, 1)
