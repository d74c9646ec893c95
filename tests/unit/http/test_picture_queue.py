"""Pictures are examined one at a time, and one network cannot block the others."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest

from site_app.provider.http.picture_queue import PictureQueue

pytestmark = pytest.mark.anyio


@pytest.fixture
async def queue() -> AsyncIterator[PictureQueue]:
    queue = PictureQueue()
    yield queue
    queue.close()


class Work:
    """Examines nothing until it is released; `began` lists the pictures whose examination began."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.may_end = threading.Event()

    def of(self, network: str) -> Callable[[], str]:
        def examine() -> str:
            self.began.append(network)
            assert self.may_end.wait(10)
            return network

        return examine


async def start(queue: PictureQueue, work: Work, network: str, patience_seconds: float = 10) -> "asyncio.Task[str]":
    task = asyncio.create_task(queue.run(network, work.of(network), patience_seconds=patience_seconds))
    await asyncio.sleep(0)
    return task


async def test_networks_take_turns_in_the_picture_queue(queue: PictureQueue) -> None:
    work = Work()
    tasks = [await start(queue, work, network) for network in ("many",) * 20 + ("few", "few", "other")]

    work.may_end.set()
    results = await asyncio.gather(*tasks)

    assert results == ["many"] * 20 + ["few", "few", "other"]
    assert work.began[:7] == ["many", "many", "few", "other", "many", "few", "many"]


async def test_a_job_that_waits_too_long_is_refused_and_leaves_the_queue(queue: PictureQueue) -> None:
    work = Work()
    first = await start(queue, work, "a")

    with pytest.raises(TimeoutError):
        await queue.run("b", work.of("b"), patience_seconds=0.01)
    third = await start(queue, work, "c")
    work.may_end.set()

    assert [await first, await third] == ["a", "c"]
    assert work.began == ["a", "c"]


async def test_an_examination_that_has_begun_is_finished(queue: PictureQueue) -> None:
    """A timeout or a caller that leaves does not interrupt it, and the next job waits for it."""
    work = Work()
    first_job = await start(queue, work, "a", patience_seconds=0.01)
    second_job = await start(queue, work, "b")

    first_job.cancel()
    await asyncio.gather(first_job, return_exceptions=True)
    begun = list(work.began)
    work.may_end.set()

    assert await second_job == "b"
    assert begun == ["a"]


async def test_a_failed_picture_affects_only_its_caller(queue: PictureQueue) -> None:
    def fail() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await queue.run("a", fail, patience_seconds=1)

    assert await queue.run("a", lambda: "next", patience_seconds=1) == "next"


async def test_closing_ends_every_wait() -> None:
    queue, work = PictureQueue(), Work()
    first, second = await start(queue, work, "a"), await start(queue, work, "b")

    queue.close()
    work.may_end.set()

    assert await first == "a"
    with pytest.raises(asyncio.CancelledError):
        await second
    assert work.began == ["a"]
