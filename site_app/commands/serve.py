"""Serve the built site: granian started by ourselves, so that a dead worker comes back and a stop waits for its requests."""

import errno
import socket
import sys

from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.server import Server

from site_app.settings import Settings

HEADER_TIMEOUT_MS = 10_000  # a request's head that is begun and not finished
KILL_TIMEOUT_SECONDS = 10  # for a worker whose sockets hold it; the whole stop stays below 15 s
BACKLOG = 2048
BACKPRESSURE = 1024  # requests at once and worker; the rest waits in the backlog


def serve(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C; ends with one sentence where the port is taken."""
    refuse_a_taken_port(settings.host, settings.port)
    Server(
        "site_app.web.asgi:site",
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        workers=settings.workers,
        backlog=BACKLOG,
        backpressure=BACKPRESSURE,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS),
        respawn_failed_workers=True,
        respawn_interval=1.0,
        workers_kill_timeout=KILL_TIMEOUT_SECONDS,
        log_enabled=False,
    ).serve()


def refuse_a_taken_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            why = "is taken by another program" if taken else f"cannot be used ({error.strerror})"
            sys.exit(f"Port {port} on {host} {why}: stop what uses it, or set SITE_PORT (and SITE_URL) to another one.")
