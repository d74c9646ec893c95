"""Runs a server of the standard library in a thread."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def running(server: socketserver.TCPServer) -> Iterator[int]:
    """Serves until the end of the block, which gets the port."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
