"""A network between one visitor and the site that can go dead: it swallows everything, or resets every line.

Before a request has left, neither direction passes; after it has left, only answers do not come back.
"""

import asyncio
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER of no time: closing sends a reset instead of a farewell


@dataclass(frozen=True)
class Fault:
    """What happens to the lines; with `answers_only` what the visitor sends still arrives."""

    resets: bool
    answers_only: bool

    def __str__(self) -> str:
        return f"{'reset' if self.resets else 'black hole'} {'after' if self.answers_only else 'before'}"


FAULTS = tuple(Fault(resets, answers_only) for resets in (False, True) for answers_only in (False, True))


class Network:
    """Listens on an address of this machine and passes on to a port of it; `broken` and `mended` change how."""

    def __init__(self, address: str, *, listen: int, forward: int) -> None:
        self._address, self._listen, self._forward = address, listen, forward
        self._fault: Fault | None = None
        self._works = asyncio.Event()
        self._works.set()
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, self._address, self._listen)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._reset_all()

    def breaks(self, fault: Fault) -> None:
        self._fault = fault
        self._works.clear()
        if fault.resets and not fault.answers_only:
            self._reset_all()

    def mends(self) -> None:
        self._fault = None
        self._works.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.CancelledError):
                there_reader, there = await asyncio.open_connection("127.0.0.1", self._forward)
                pair = (writer, there)
                self._lines.update(pair)
                try:
                    outward = self._pump(reader, there, pair, is_answer=False)
                    inward = self._pump(there_reader, writer, pair, is_answer=True)
                    await asyncio.gather(outward, inward)
                finally:
                    for line in pair:
                        line.close()
                        self._lines.discard(line)
        finally:
            self._tasks.discard(task)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        pair: tuple[asyncio.StreamWriter, ...],
        *,
        is_answer: bool,
    ) -> None:
        while data := await reader.read(65536):
            while self._stops(is_answer=is_answer):
                if self._fault and self._fault.resets:
                    _reset(pair)
                    return
                await self._works.wait()
            writer.write(data)
            await writer.drain()
        writer.close()

    def _stops(self, *, is_answer: bool) -> bool:
        return self._fault is not None and (is_answer or not self._fault.answers_only)

    def _reset_all(self) -> None:
        _reset(tuple(self._lines))


def _reset(lines: tuple[asyncio.StreamWriter, ...]) -> None:
    for line in lines:
        if not line.is_closing():
            line.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        line.transport.abort()
