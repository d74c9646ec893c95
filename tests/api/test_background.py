"""What the provider does by itself goes on, whatever the database answers."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import ModuleType

import pytest
from sqlalchemy.exc import DatabaseError
from starlette.applications import Starlette

from site_app.api import background, host_calendar, sweeping
from site_app.api.app import opened
from site_app.api.background import supervise
from site_app.settings import Settings
from tests.api.conftest import Clock
from tests.unit.test_logs import CANARY, lines, logged

pytestmark = pytest.mark.anyio


class BreaksAtFirst:
    """Breaks as a damaged database does, and notes that it is asked again.

    Twice, for the store's writer may ask a second time on behalf of the same task.
    """

    def __init__(self) -> None:
        self._breaks, self.asked_again = 2, asyncio.Event()

    def __call__(self) -> bool:
        if self._breaks == 0:
            self.asked_again.set()
            return False
        self._breaks -= 1
        raise DatabaseError(f"INSERT INTO lead … {CANARY}", {}, Exception("database disk image is malformed"))


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "PAUSE", timedelta())


def in_a_job(step: Callable[[], bool]) -> Callable[..., bool]:
    """For the writer's thread, which may not touch an event of the loop."""
    loop = asyncio.get_running_loop()
    return lambda *_, **__: asyncio.run_coroutine_threadsafe(_asked(step), loop).result(5)


async def _asked(step: Callable[[], bool]) -> bool:
    return step()


@pytest.mark.parametrize(
    ("module", "step"),
    [(sweeping, "sweep"), (host_calendar, "write_reminders"), (host_calendar, "may_read")],
)
async def test_a_task_goes_on_after_an_error_that_nobody_foresaw(
    api: Starlette, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str
) -> None:
    breaks_at_first = BreaksAtFirst()
    monkeypatch.setattr(module, step, in_a_job(breaks_at_first))

    async with opened(api, replace(settings, booking_busy_url="https://calendar.example.org/x.ics"), clock):
        await asyncio.wait_for(breaks_at_first.asked_again.wait(), 5)


async def test_the_log_says_what_broke_and_nothing_of_what_was_written() -> None:
    breaks_at_first = BreaksAtFirst()

    with logged() as out:
        await supervise("sweep", lambda: _until_done(breaks_at_first))

    line = lines(out)[0]
    assert (line["event"], line["kind"], line["error"]) == ("task.failed", "sweep", "DatabaseError")
    assert CANARY not in out.getvalue()


async def test_a_stop_ends_an_errand() -> None:
    began = asyncio.Event()

    async def forever() -> None:
        began.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(supervise("sweep", forever))
    await began.wait()
    task.cancel()

    await asyncio.wait([task], timeout=5)
    assert task.cancelled()


async def _until_done(step: Callable[[], bool]) -> None:
    step()
