"""The provider's background tasks go on after database errors."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from types import ModuleType

import pytest
from sqlalchemy.exc import DatabaseError
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.provider.api import sweep, tasks
from site_app.provider.api.app import open_provider
from site_app.provider.api.tasks import supervise
from site_app.provider.booking import calendar_reading
from site_app.provider.http.call import ApiContext
from site_app.provider.store.clock import ClockDoubted
from tests.support.clock import Clock
from tests.support.logs import CANARY, collected_log, lines

pytestmark = pytest.mark.anyio


class BreaksAtFirst:
    """Fails twice like a damaged database (the store's writer may retry the same task), then records the next call."""

    def __init__(self) -> None:
        self._times, self._loop, self.called_again = 0, asyncio.get_running_loop(), asyncio.Event()

    def __call__(self, *_: object, **__: object) -> bool:
        """Runs in the writer's thread, which must not touch the loop's events."""
        self._times += 1
        if self._times > 2:
            self._loop.call_soon_threadsafe(self.called_again.set)
            return False
        raise DatabaseError(f"INSERT INTO lead … {CANARY}", {}, Exception("database disk image is malformed"))


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PAUSE", timedelta())


@pytest.mark.parametrize(
    ("module", "step"),
    [(sweep, "sweep_batch"), (tasks, "write_reminders"), (calendar_reading, "claim_reading")],
)
async def test_a_task_continues_after_an_unexpected_error(
    api: Starlette, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str
) -> None:
    breaks_at_first = BreaksAtFirst()
    monkeypatch.setattr(module, step, breaks_at_first)

    async with open_provider(api, replace(settings, booking_busy_url=("https://calendar.example.org/x.ics",)), clock):
        await asyncio.wait_for(breaks_at_first.called_again.wait(), 5)


async def test_the_log_has_the_failure_and_no_visitors_text() -> None:
    breaks_at_first = BreaksAtFirst()

    async def task() -> None:
        breaks_at_first()

    with collected_log() as out:
        await supervise("sweep", task)

    line = lines(out)[0]
    assert (line["event"], line["kind"], line["error"]) == ("task.failed", "sweep", "DatabaseError")
    assert CANARY not in out.getvalue()


async def test_mails_to_partners_are_looked_for_in_every_sixth_round(
    context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[bool] = []
    seven_rounds = asyncio.Event()

    async def write_due_mails(*_: object, with_partners: bool) -> None:
        rounds.append(with_partners)
        if len(rounds) == 7:
            seven_rounds.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(tasks, "write_due_mails", write_due_mails)
    monkeypatch.setattr(tasks, "MAINTAIN_EVERY", timedelta())
    maintenance = asyncio.create_task(tasks.maintain_forever(context.store, context.settings, context.clock))
    async with asyncio.timeout(5):
        await seven_rounds.wait()
    maintenance.cancel()

    assert rounds == [True, False, False, False, False, False, True]


async def test_no_mails_are_written_by_an_implausible_clock(context: ApiContext, monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = 0
    mails_written: list[object] = []
    two_rounds = asyncio.Event()

    async def sweep_once(*_: object) -> None:
        nonlocal doubts
        doubts += 1
        if doubts == 2:
            two_rounds.set()
        raise ClockDoubted("The clock is wrong")

    async def write_due_mails(*arguments: object, **_: object) -> None:
        mails_written.append(arguments)

    monkeypatch.setattr(tasks, "sweep_once", sweep_once)
    monkeypatch.setattr(tasks, "write_due_mails", write_due_mails)
    monkeypatch.setattr(tasks, "MAINTAIN_EVERY", timedelta())
    maintenance = asyncio.create_task(tasks.maintain_forever(context.store, context.settings, context.clock))
    async with asyncio.timeout(5):
        await two_rounds.wait()
    maintenance.cancel()

    assert mails_written == []
