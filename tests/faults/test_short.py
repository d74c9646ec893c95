"""The quick rows of the scorecard, in their short form; `make faults` tries them all."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.browser.server import build
from tests.faults.promises import PROMISES
from tests.faults.scorecard import MET, run
from tests.faults.trial import Trial

QUICK = (2, 5, 10, 17, 19)


@pytest.mark.parametrize("promise", [one for one in PROMISES if one.number in QUICK], ids=lambda one: one.says)
def test_a_promise_is_kept(promise) -> None:
    build("http://localhost:3000")

    with ThreadPoolExecutor(1) as aside:  # Playwright's own loop may be running in this thread
        result = aside.submit(asyncio.run, run(promise, Trial(short=True))).result()

    assert result.outcome == MET, result.figure
