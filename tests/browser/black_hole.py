"""A TCP proxy that holds or cuts connections: WebSockets alone, or everything.

While it holds, it forwards nothing and closes nothing, like a lost phone signal; or only replies are lost. With `resets` it resets the
connections instead. While it refuses, it closes WebSockets as they come, as some offices' firewalls do.
"""

import asyncio
import socket
import struct
import threading
from contextlib import suppress
from typing import Literal

Traffic = Literal["nothing", "sockets", "answers", "everything"]
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER with zero seconds: closing sends a reset


class BlackHole:
    """Listens on a local port and forwards to another, in a thread of its own."""

    def __init__(self, *, listen: int, forward: int) -> None:
        self.holding: Traffic = "nothing"
        self.refusing = self.resets = False
        self.refused = 0  # number of sockets so far
        self._listen, self._forward = listen, forward
        self._open: list[asyncio.StreamWriter] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def pass_everything(self) -> None:
        """Stops holding and refusing."""
        self.holding, self.refusing, self.resets, self.refused = "nothing", False, False, 0

    def __enter__(self) -> "BlackHole":
        self._thread.start()
        assert self._ready.wait(5), "the proxy did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self.holding = "nothing"
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "localhost", self._listen)
        self._ready.set()
        await self._stop.wait()
        server.close()
        for writer in self._open:
            writer.transport.abort()
        other_tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in other_tasks:
            task.cancel()
        await asyncio.gather(*other_tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.append(writer)
        first = await reader.read(65536)
        is_socket = b"upgrade: websocket" in first.lower()
        if is_socket and self.refusing:
            self.refused += 1
            writer.close()
            return
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._forward)
        except ConnectionError:
            writer.close()
            return
        self._open.append(inner_writer)
        with suppress(asyncio.CancelledError):  # at the end; asyncio would report it as an error
            await asyncio.gather(
                self._pump(reader, inner_writer, first, "sockets" if is_socket else ""),
                self._pump(inner_reader, writer, b"", "sockets" if is_socket else "", "answers"),
            )

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes, *kinds: str) -> None:
        try:
            while data or (data := await reader.read(65536)):
                while self.holding in ("everything", *kinds):
                    if self.resets:
                        self._reset_all()
                        return
                    await asyncio.sleep(0.02)
                writer.write(data)
                await writer.drain()
                data = b""
        except ConnectionError:
            pass
        writer.close()

    def _reset_all(self) -> None:
        for writer in self._open:
            if not writer.is_closing():
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                writer.transport.abort()
