"""Cuts a socket whose message grows too large while it is still on its way.

The server holds up to 64 MB of a message before it hands it on, and has no setting for less. The kernel knows how much a connection has
received: what came since the last whole message is what the server holds of the next one.
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

# bytes since the last whole message: four times the largest one allowed, because some may come close together
MOST = 256 * 1024
_BYTES_RECEIVED = struct.Struct("@Q")
_OFFSET = 128  # of tcpi_bytes_received in Linux's struct tcp_info
_connect = ctypes.CDLL(None, use_errno=True).connect
_NOWHERE = struct.pack("@H14x", socket.AF_UNSPEC)


class Unfinished:
    """Watches the sockets of this process; only on Linux."""

    def __init__(self, refused: Callable[[str], None], *, most: int = MOST) -> None:
        self._refused, self._most = refused, most
        self._of: dict[int, Watched] = {}
        self._arrivals = select.epoll() if sys.platform == "linux" else None
        self._is_read = False

    async def watch(self, host: str, port: int) -> "Watched | None":
        """Watch the connection from that address; None where this process has no such connection, as in a test."""
        # In a thread: it asks about each descriptor of the process, and there may be thousands.
        if self._arrivals is None or (connection := await asyncio.to_thread(self._find, host, port)) is None:
            return None
        if not self._is_read:
            asyncio.get_running_loop().add_reader(self._arrivals.fileno(), self._look)
            self._is_read = True
        watched = self._of[connection.fileno()] = Watched(connection, self._forget)
        self._arrivals.register(
            connection.fileno(), select.EPOLLIN | select.EPOLLET
        )  # reports each arrival, however much is unread
        return watched

    def _look(self) -> None:
        assert self._arrivals is not None
        for number, _ in self._arrivals.poll(0):
            if (watched := self._of.get(number)) and watched.unfinished() > self._most:
                self._refused("message")
                watched.cut()

    def _forget(self, number: int) -> None:
        del self._of[number]

    def _find(self, host: str, port: int) -> socket.socket | None:
        """The connection under a descriptor of our own: the server may close its own at any time, and reuse the number."""
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  a Path for each of thousands takes longer than all the rest
            if (number := int(name)) not in self._of and _peer(number) == (host, port):
                duplicate = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, fileno=os.dup(number))
                if _peer(duplicate.fileno()) == (host, port):
                    return duplicate
                duplicate.close()
        return None


def _peer(number: int) -> tuple[str, int] | None:
    """The address at the other end of a descriptor; None for one that is no connection."""
    try:
        connection = socket.socket(
            socket.AF_INET6, socket.SOCK_STREAM, 0, fileno=number
        )  # has room for an address of IPv4 as well
    except OSError:
        return None
    try:
        return connection.getpeername()[:2]
    except OSError:
        return None
    finally:
        connection.detach()


class Watched:
    """One connection; `message_came` is called after each whole message, `close` when the socket has ended."""

    def __init__(self, connection: socket.socket, forget: Callable[[int], None]) -> None:
        self._own, self._forget = connection, forget
        self._before = self._received()

    def message_came(self) -> None:
        self._before = self._received()

    def unfinished(self) -> int:
        return self._received() - self._before

    def cut(self) -> None:
        """End the connection at once. After a mere shutdown Linux would still accept data, and the server read it to its end."""
        if _connect(self._own.fileno(), _NOWHERE, len(_NOWHERE)):
            with suppress(OSError):
                self._own.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._forget(self._own.fileno())
        self._own.close()

    def _received(self) -> int:
        info = self._own.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _OFFSET + _BYTES_RECEIVED.size)
        return _BYTES_RECEIVED.unpack_from(info, _OFFSET)[0]
