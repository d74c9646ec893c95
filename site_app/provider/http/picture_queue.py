"""A queue that examines one picture at a time."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class PictureQueue:
    """Runs one job at a time, taking turns between networks: a network's first picture waits for at most two pictures of another network."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by network, in the order of their turns
        self._is_busy = False

    async def run(self, network: str, job: Callable[[], T], *, patience_seconds: float) -> T:
        """Runs the job when it is the network's turn. Raises TimeoutError if the turn does not come within `patience_seconds`.

        A running job is never cancelled: otherwise its work would be lost and repeated at each retry of a costly picture.
        """
        await self._turn(network, patience_seconds)
        work = asyncio.get_running_loop().run_in_executor(self._thread, job)
        work.add_done_callback(self._end)
        return await asyncio.shield(work)

    def close(self) -> None:
        """Cancels waiting jobs. The running job ends by itself."""
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
            if turn.done() and not turn.cancelled():  # the turn came at the same moment as the timeout
                self._pass_on()
            raise

    def _end(self, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # retrieved even if the caller has gone, so that asyncio does not warn
        self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            network = next(iter(self._waiting))
            turns = self._waiting.pop(network)
            while turns and turns[0].done():  # the waiting request has gone
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[network] = turns  # at the end, behind all other networks
            turn.set_result(None)
            return
        self._is_busy = False
