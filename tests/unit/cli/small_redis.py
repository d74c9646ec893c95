"""A fake Redis that answers every command with the same line."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager

from tests.unit.cli.local_server import running


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
    with running(_Server(reply)) as port:
        yield port
