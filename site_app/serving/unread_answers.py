"""What the kernel does by itself for the connections of this process."""

import os
import socket
from contextlib import suppress
from pathlib import Path

UNREAD_SECONDS = 15  # an answer of which nothing is read for so long


def end_unread_answers(seconds: int = UNREAD_SECONDS) -> int:
    """Have connections end whose visitors read nothing of their answer: each would hold it in memory for as long as they like.

    The server has no setting for it, but what its listening sockets have is handed down to each connection. Returns how many there are.
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
