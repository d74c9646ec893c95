"""A fake Redis that answers every command with the same line."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, reply: str) -> None:
        self.reply = reply.encode() + b"\r\n"
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        while count := self.rfile.readline().strip():  # *2: two parts follow, each preceded by its length
            for _ in range(int(count[1:])):
                self.rfile.readline()
                self.rfile.readline()
            self.wfile.write(self.server.reply)


@contextmanager
def small_redis(reply: str) -> Iterator[int]:
    """Runs the server on a free port and returns the port."""
    with _Server(reply) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
