"""Counting of calls."""

import os
import uuid
from collections.abc import AsyncIterator

import pytest

from site_app.core.http import limits
from site_app.core.http.limits import Limits
from site_app.core.settings import Settings

pytestmark = pytest.mark.anyio
REDIS = os.environ.get("TEST_REDIS_URL", "")  # such as redis://127.0.0.1:6379/0; nothing there is deleted


@pytest.fixture(params=["", pytest.param(REDIS, marks=pytest.mark.skipif(not REDIS, reason="TEST_REDIS_URL names none"))])
async def two_a_minute(request: pytest.FixtureRequest) -> AsyncIterator[Limits]:
    counted = Limits(Settings(redis_url=request.param, limit_reads="2/minute;3/hour"))
    yield counted
    await counted.close()


@pytest.fixture
def name() -> str:
    return uuid.uuid4().hex


async def test_a_full_window_returns_the_seconds_until_it_ends(two_a_minute: Limits, name: str) -> None:
    waits = [await two_a_minute.count_and_get_wait("reads", name) for _ in range(3)]

    assert waits[:2] == [0, 0]
    assert 55 <= waits[2] <= 60


async def test_a_refused_call_does_not_count(two_a_minute: Limits, name: str) -> None:
    for _ in range(2):
        await two_a_minute.count_and_get_wait("reads", f"{name} full")

    refused = [await two_a_minute.count_and_get_wait("reads", name, f"{name} full") for _ in range(5)]

    assert all(refused)
    assert await two_a_minute.count_and_get_wait("reads", name) == 0


async def test_a_returned_call_can_be_used_again(two_a_minute: Limits, name: str) -> None:
    for _ in range(5):
        assert await two_a_minute.count_and_get_wait("reads", name) == 0
        await two_a_minute.give_back("reads", name)

    assert [bool(await two_a_minute.count_and_get_wait("reads", name)) for _ in range(3)] == [False, False, True]


async def test_the_longest_of_several_waits_counts(two_a_minute: Limits, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if two_a_minute._redis_counts:
        pytest.skip("Redis has a clock of its own")
    now = 0.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    await two_a_minute.count_and_get_wait("reads", name)
    await two_a_minute.count_and_get_wait("reads", name)
    now = 61.0
    await two_a_minute.count_and_get_wait("reads", name)

    assert await two_a_minute.count_and_get_wait("reads", name) == 3600 - 61


async def test_finished_windows_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    counted = Limits(Settings(limit_reads="2/minute"))

    for number in range(50_000):
        now += 1.0
        await counted.count_and_get_wait("reads", f"198.51.100.{number}")

    assert len(counted._memory._counts) < 3000
