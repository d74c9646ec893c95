"""The quick rows of the scorecard, in their short form; `make faults` tries them all."""

import asyncio

import pytest

from tests.browser.server import build
from tests.faults.promises import PROMISES
from tests.faults.scorecard import MET, NOT_RUN, run
from tests.faults.trial import Trial

QUICK = (2, 5, 9, 10, 17, 19, 21)


@pytest.mark.parametrize("promise", [one for one in PROMISES if one.number in QUICK], ids=lambda one: one.says)
def test_a_promise_is_kept(promise) -> None:
    build("http://localhost:3000")

    result = asyncio.run(run(promise, Trial(short=True)))

    if result.outcome == NOT_RUN:
        pytest.skip(result.figure)
    assert result.outcome == MET, result.figure
