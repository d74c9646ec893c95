"""Examines pictures one at a time, in a thread of their own; the networks that send them take turns."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class PictureQueue:
    """However many pictures one network sends, another one's waits for two of them at most."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by network; the one whose turn is next comes first
        self._is_busy = False

    async def run(self, network: str, job: Callable[[], T], *, patience_seconds: float) -> T:
        """Run the job when it is the network's turn; raises TimeoutError if that does not come in time.

        A job that has begun is never cut short: whoever sends costly pictures would have their work for nothing, again and again.
        """
        await self._turn(network, patience_seconds)
        work = asyncio.get_running_loop().run_in_executor(self._thread, job)
        work.add_done_callback(self._end)
        return await asyncio.shield(work)

    def close(self) -> None:
        """Let the picture that is being examined come to its end, and cancel those that wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        for turns in self._waiting.values():
            for turn in turns:
                turn.cancel()

    async def _turn(self, network: str, patience_seconds: float) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        try:
            async with asyncio.timeout(patience_seconds):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self._pass_on()
            raise

    def _end(self, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # looked at, also where the caller has gone
        self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            network = next(iter(self._waiting))
            turns = self._waiting.pop(network)
            while turns and turns[0].done():  # who waited has gone
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[network] = turns  # behind all others
            turn.set_result(None)
            return
        self._is_busy = False
