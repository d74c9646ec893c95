"""A message that grows too large is cut off before it is complete."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from site_app.plugins.socket_guard.unfinished import GuardedSocket, UnfinishedMessages

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much has come in")]
LIMIT_BYTES = 10_000
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _connection(host: str = "127.0.0.1") -> AsyncIterator[tuple[Line, Line, GuardedSocket]]:
    """Yields both ends of a connection; the server's end is watched."""
    accepted: asyncio.Queue[Line] = asyncio.Queue()
    server = await asyncio.start_server(lambda *line: accepted.put_nowait(line), host, 0)
    client_end = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    server_end = await accepted.get()
    guarded = await UnfinishedMessages(lambda problem: None, max_bytes=LIMIT_BYTES).watch(
        *server_end[1].get_extra_info("peername")[:2]
    )
    assert guarded is not None
    yield client_end, server_end, guarded
    guarded.close()
    for _, writer in (client_end, server_end):
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    server.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_an_endless_message_is_cut_off(host: str) -> None:
    async def send_on(line: Line, to: Line) -> None:
        while True:
            line[1].write(b"a" * 1000)
            await line[1].drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(to[0].read(1000), 0.01)  # as a server does that assembles the message

    async with _connection(host) as (client_end, server_end, _):
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_on(client_end, server_end), 10)


async def test_message_after_message_may_come() -> None:
    async with _connection() as ((_, writer), (our_reader, our_writer), guarded):
        for _ in range(20):
            writer.write(b"a" * (LIMIT_BYTES // 2))
            await our_reader.readexactly(LIMIT_BYTES // 2)
            await asyncio.sleep(0)
            guarded.message_complete()
        our_writer.write(b"still here")

        assert guarded.unfinished() == 0


async def test_a_foreign_connection_is_not_watched() -> None:
    assert await UnfinishedMessages(lambda problem: None).watch("203.0.113.7", 50000) is None
