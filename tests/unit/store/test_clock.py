"""A clock that is wrong by years erases nothing, and the operator can overrule the check."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlmodel import func, select

from site_app.core.settings import Settings
from site_app.provider.api.sweep import sweep_once
from site_app.provider.store import Store
from site_app.provider.store.clock import MAX_STEP, ClockDoubted, SteadyClock, clock_problem, last_sweep_at
from site_app.provider.store.tables import Lead
from tests.support.bookings import send, submission_context

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
YEARS = timedelta(days=730)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path)


async def leads(store: Store) -> int:
    return await store.read(lambda session: session.exec(select(func.count()).select_from(Lead)).one())


@pytest.mark.parametrize(("days", "swept_before"), [(8, True), (181, False), (100_000, True)])
async def test_a_clock_that_is_ahead_erases_and_records_nothing(
    store: Store, settings: Settings, days: int, swept_before: bool
) -> None:
    for signs in ((), ("honeypot",)):
        await send(store, submission_context(NOW, settings, spam_signals=signs))
    if swept_before:
        await sweep_once(store, settings, NOW)

    for _ in range(3):
        with pytest.raises(ClockDoubted, match="nothing is erased"):
            await sweep_once(store, settings, NOW + timedelta(days=days))
    await sweep_once(store, settings, NOW + timedelta(minutes=10))

    assert await leads(store) == 2
    assert await store.read(last_sweep_at) == NOW + timedelta(minutes=10)


async def test_a_clock_that_is_behind_erases_nothing(store: Store, settings: Settings) -> None:
    await sweep_once(store, settings, NOW)
    await send(store, submission_context(NOW, settings))

    with pytest.raises(ClockDoubted):
        await sweep_once(store, settings, NOW - YEARS)

    assert await leads(store) == 1


async def test_the_operator_may_say_that_the_clock_is_right(store: Store, settings: Settings) -> None:
    await send(store, submission_context(NOW, settings))
    await sweep_once(store, settings, NOW)

    await sweep_once(store, settings, NOW + timedelta(days=800), confirmed=True)

    assert await leads(store) == 0
    assert await store.read(lambda session: clock_problem(session, NOW + timedelta(days=801))) == ""


async def test_plausible_steps_of_time_are_trusted(store: Store, settings: Settings) -> None:
    settings = replace(settings, keep_leads=timedelta(days=60))
    await send(store, submission_context(NOW, settings))

    for days in range(0, 64, MAX_STEP.days):
        await sweep_once(store, settings, NOW + timedelta(days=days))

    assert await leads(store) == 0


def test_a_clock_that_goes_back_years_is_counted_on_from_where_it_was() -> None:
    at = [NOW]
    clock = SteadyClock(lambda: at[0], None, count().__next__)

    at[0] = NOW - YEARS

    assert NOW < clock() < NOW + timedelta(minutes=1)


def test_a_start_with_a_clock_years_behind_goes_on_from_the_last_sweep() -> None:
    clock = SteadyClock(lambda: NOW - YEARS, NOW, count().__next__)

    assert NOW <= clock() < NOW + timedelta(minutes=1)


def test_small_corrections_and_pauses_are_accepted() -> None:
    at = [NOW]
    clock = SteadyClock(lambda: at[0], NOW, count().__next__)

    for moment in (NOW - timedelta(hours=1), NOW + timedelta(days=3), NOW + YEARS):
        at[0] = moment
        assert clock() == moment


async def test_a_lead_of_a_clock_that_was_years_behind_is_not_swept(store: Store, settings: Settings) -> None:
    await sweep_once(store, settings, NOW)
    clock = SteadyClock(lambda: NOW - YEARS - timedelta(days=1), await store.read(last_sweep_at))
    await send(store, submission_context(clock(), settings))

    await sweep_once(store, settings, NOW + timedelta(hours=1))

    assert await leads(store) == 1
