"""Options of the listening sockets: ends connections that a client stopped reading."""

import socket
from pathlib import Path

UNREAD_SECONDS = 15  # a connection ends after the client has read no byte of its response for so long


def set_user_timeout(seconds: int = UNREAD_SECONDS) -> int:
    """Sets the kernel's timeout on this process's listening sockets, from which connections inherit it; returns their number.

    A response that the client does not read stays in memory until its connection ends, and the server has no setting for that.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return 0
    return sum(_set_timeout(int(file.name), seconds) for file in Path("/proc/self/fd").iterdir())


def _set_timeout(descriptor: int, seconds: int) -> bool:
    """Returns False if the descriptor is not a listening TCP socket."""
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
        listener.detach()  # leaves the descriptor open: it belongs to the code that opened it
