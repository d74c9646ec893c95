"""Connections whose visitors do not read their answers are ended by the kernel."""

import os
import socket
from contextlib import suppress
from pathlib import Path

UNREAD_SECONDS = 15  # for which nothing of an answer is read


def end_unread_answers(seconds: int = UNREAD_SECONDS) -> int:
    """Set this on the listening sockets of this process, from which each connection inherits it; returns how many there are.

    An answer that nobody reads stays in memory until its connection ends, and the server has no setting for that.
    """
    found = 0
    for file in Path("/proc/self/fd").iterdir() if hasattr(socket, "TCP_USER_TIMEOUT") else ():
        with suppress(OSError):
            listening = socket.socket(fileno=os.dup(int(file.name)))
            with listening:
                if listening.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) and listening.family != socket.AF_UNIX:
                    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)
                    found += 1
    return found
