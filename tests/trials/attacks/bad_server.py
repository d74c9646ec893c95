"""A remote service that fails or is malicious."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import brotli

Answer = Callable[[asyncio.StreamWriter], Coroutine[Any, Any, None]]
OK = b"HTTP/1.1 200 OK\r\n"
_BOMB = brotli.compress(b"0" * 2**28, quality=1)  # 256 MB of zero bytes


async def no_answer(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def _drip(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 400\r\n\r\n")
    for _ in range(100):
        writer.write(b"1")
        await writer.drain()
        await asyncio.sleep(0.3)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 10485760\r\n\r\n")
    for _ in range(160):
        writer.write(b"x" * 65536)
        await writer.drain()


async def _endless(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"4\r\nmore\r\n" * 1000)
        await writer.drain()


def replies_with(answer: bytes) -> Answer:
    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return reply


def faults(private: int) -> dict[str, Answer]:
    redirect = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{private}/secret\r\nContent-Length: 0\r\n\r\n"
    return {
        "time-out": no_answer,
        "5xx": replies_with(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"),
        "garbage": replies_with(b"\x00\xff not HTTP at all\r\n\r\n"),
        "nonsense": replies_with(OK + b"Content-Length: 6\r\n\r\n1;!!;x"),
        "broken gzip": replies_with(OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
        "bomb": replies_with(OK + b"Content-Encoding: br\r\nContent-Length: %d\r\n\r\n" % len(_BOMB) + _BOMB),
        "no end": _endless,
        "10 MB": _flood,
        "drip": _drip,
        "redirect to a private address": replies_with(redirect.encode()),
        "hang up": replies_with(b""),
    }


@asynccontextmanager
async def bad_server(
    answer: Callable[[], Answer], calls: list[bytes], *, secure: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Answer every request that way and record its first line; yields the port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readline())
        try:
            await answer()(writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=secure)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
