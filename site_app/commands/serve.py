"""python -m site_app serve: granian started by ourselves, so that a dead worker comes back and a stop waits for its requests."""

import ctypes
import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.server import Server

from site_app.settings import Settings, settings

HEADER_TIMEOUT_MS = 10_000  # a request's head that is begun and not finished
LARGEST_HEAD = 32 * 1024  # bytes of a request's head; reading one takes longer the more is in it, and nobody counts heads
KILL_TIMEOUT_SECONDS = 10  # for a worker whose sockets hold it; the whole stop stays below 15 s
TAKEOVER_SECONDS = 5.0  # after SIGHUP new workers load beside the old ones for so long; a dead worker is replaced at once
BACKLOG = 2048
BACKPRESSURE = 1024  # requests at once and worker; the rest waits in the backlog
_ARENA_MAX = -8  # glibc's M_ARENA_MAX


def serve() -> None:
    """Serve the built site until Ctrl-C or SIGTERM."""
    here = settings()
    refuse_a_taken_port(here.host, here.port)
    if not Path(".web/build/client/index.html").is_file():
        sys.exit("The pages are not built yet: python -m site_app build, or make run, which does it all.")
    if here.workers > 1 and not here.redis_url:
        sys.exit("SITE_WORKERS is more than 1, and SITE_REDIS_URL is empty: several processes need Redis to be one site.")
    share_one_heap()
    with _shared_meters(here), _last_words():
        Server(
            "site_app.web.asgi:site",
            factory=True,
            address=here.host,
            port=here.port,
            interface=Interfaces.ASGI,
            workers=here.workers,
            backlog=BACKLOG,
            backpressure=BACKPRESSURE,
            http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS, max_buffer_size=LARGEST_HEAD),
            respawn_failed_workers=True,
            respawn_interval=TAKEOVER_SECONDS,
            workers_kill_timeout=KILL_TIMEOUT_SECONDS,
            log_enabled=False,
        ).serve()


def share_one_heap() -> None:
    """Let all threads allocate from one heap, where the system is glibc's: by itself it gives each one of its own, and each keeps for
    good the room of its largest moment. Python's threads take turns anyway. Processes forked from here inherit it."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(_ARENA_MAX, 1)


@contextmanager
def _last_words() -> Iterator[None]:
    """Granian ends without a word when a worker dies within seconds of its start, again and again."""
    try:
        yield
    except SystemExit as end:
        if end.code == 1:
            sys.exit("The site has ended: its worker died twice within seconds. What it said last stands above.")
        raise


@contextmanager
def _shared_meters(here: Settings) -> Iterator[None]:
    """The directory in which workers count together; a new start counts from nothing."""
    if not here.metrics_port:
        yield
        return
    refuse_a_taken_port(here.metrics_host, here.metrics_port)
    with TemporaryDirectory(prefix="site-metrics-") as directory:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
        yield


def refuse_a_taken_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            why = "is taken by another program" if taken else f"cannot be used ({error.strerror})"
            sys.exit(f"Port {port} on {host} {why}: stop what uses it, or set SITE_PORT (and SITE_URL) to another one.")
