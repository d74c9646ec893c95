"""Cuts a socket whose message grows too large before it is complete.

The server buffers up to 64 MB of a message before it passes it on, and has no setting for less. The kernel counts the bytes that a
connection has received: the bytes since the last complete message are what the server holds of the next one.
"""

import asyncio
import ctypes
import os
import select
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress

# Bytes since the last complete message: four times the largest allowed message, because several may arrive together.
MAX_UNFINISHED_BYTES = 256 * 1024
_BYTES_RECEIVED = struct.Struct("@Q")
_OFFSET = 128  # of tcpi_bytes_received in Linux's struct tcp_info
_libc_connect = ctypes.CDLL(None, use_errno=True).connect
_NOWHERE = struct.pack("@H14x", socket.AF_UNSPEC)


class UnfinishedMessages:
    """Watches the sockets of this process; only on Linux."""

    def __init__(self, on_refusal: Callable[[str], None], *, max_bytes: int = MAX_UNFINISHED_BYTES) -> None:
        self._on_refusal = on_refusal
        self._max_bytes = max_bytes
        self._sockets: dict[int, GuardedSocket] = {}
        self._arrivals = select.epoll() if sys.platform == "linux" else None
        self._is_registered = False

    async def watch(self, host: str, port: int) -> "GuardedSocket | None":
        """Watches the connection from that address; returns None if this process has no such connection, as in a test."""
        # In a thread, because it checks each descriptor of the process, and there may be thousands.
        if self._arrivals is None or (connection := await asyncio.to_thread(self._find, host, port)) is None:
            return None
        if not self._is_registered:
            asyncio.get_running_loop().add_reader(self._arrivals.fileno(), self._check_arrivals)
            self._is_registered = True
        guarded = self._sockets[connection.fileno()] = GuardedSocket(connection, self._forget)
        # Edge-triggered: reports each arrival even if earlier data is unread.
        self._arrivals.register(connection.fileno(), select.EPOLLIN | select.EPOLLET)
        return guarded

    def _check_arrivals(self) -> None:
        assert self._arrivals is not None
        for number, _ in self._arrivals.poll(0):
            if (guarded := self._sockets.get(number)) and guarded.unfinished() > self._max_bytes:
                self._on_refusal("message")
                guarded.cut()

    def _forget(self, number: int) -> None:
        del self._sockets[number]

    def _find(self, host: str, port: int) -> socket.socket | None:
        """Returns the connection under a duplicated descriptor, because the server may close its own at any time and reuse the number."""
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  a Path for each of thousands takes longer than all the rest
            if (number := int(name)) not in self._sockets and _peer(number) == (host, port):
                duplicate = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, fileno=os.dup(number))
                if _peer(duplicate.fileno()) == (host, port):
                    return duplicate
                duplicate.close()
        return None


def _peer(number: int) -> tuple[str, int] | None:
    """Returns the peer address of a descriptor, or None if it is not a connected socket."""
    try:
        # AF_INET6 has room for IPv4 addresses as well.
        connection = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, fileno=number)
    except OSError:
        return None
    try:
        return connection.getpeername()[:2]
    except OSError:
        return None
    finally:
        connection.detach()


class GuardedSocket:
    """One watched connection. The guard calls `message_complete` after each complete message and `close` when the socket has ended."""

    def __init__(self, connection: socket.socket, forget: Callable[[int], None]) -> None:
        self._connection = connection
        self._forget = forget
        self._received_before = self._received()

    def message_complete(self) -> None:
        self._received_before = self._received()

    def unfinished(self) -> int:
        return self._received() - self._received_before

    def cut(self) -> None:
        """Ends the connection at once. After a plain shutdown Linux would still accept data, and the server would read it all."""
        if _libc_connect(self._connection.fileno(), _NOWHERE, len(_NOWHERE)):
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._forget(self._connection.fileno())
        self._connection.close()

    def _received(self) -> int:
        info = self._connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _OFFSET + _BYTES_RECEIVED.size)
        return _BYTES_RECEIVED.unpack_from(info, _OFFSET)[0]
