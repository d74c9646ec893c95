"""Connections whose visitors do not read their answers are ended by the kernel."""

import socket
from pathlib import Path

UNREAD_SECONDS = 15  # for which nothing of an answer is read


def end_unread_answers(seconds: int = UNREAD_SECONDS) -> int:
    """Set the kernel's time-out on this process's listening sockets, from which connections inherit it; returns their number.

    An answer that nobody reads stays in memory until its connection ends, and the server has no setting for that.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return 0
    return sum(_set_timeout(int(file.name), seconds) for file in Path("/proc/self/fd").iterdir())


def _set_timeout(descriptor: int, seconds: int) -> bool:
    """Return False for a descriptor that is no listening TCP socket."""
    try:
        listener = socket.socket(fileno=descriptor)
    except OSError:
        return False
    try:
        if listener.family == socket.AF_UNIX or not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return False
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)
        return True
    except OSError:
        return False
    finally:
        listener.detach()  # the descriptor belongs to whoever opened it
