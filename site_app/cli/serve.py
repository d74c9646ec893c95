"""python -m site_app serve: granian started by ourselves, so that a dead worker comes back and a stop waits for its requests."""

import ctypes
import errno
import os
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import Server

from site_app.cli.checks import stale_pages
from site_app.cli.database import prepare
from site_app.cli.printing import complain
from site_app.cli.samples import refuse_samples
from site_app.mail.webhooks import webhook_of
from site_app.services.tokens import load_secret
from site_app.settings import Settings, settings

HEADER_TIMEOUT_MS = 10_000  # a request's head that is begun and not finished
LARGEST_HEAD = 16 * 1024  # bytes of a request's head; reading one takes longer the more is in it, and nobody counts heads
KILL_TIMEOUT_SECONDS = 10  # for a worker whose sockets hold it; the whole stop stays below 15 s
TAKEOVER_SECONDS = 5.0  # after SIGHUP new workers load beside the old ones for so long; a dead worker is replaced at once
BACKLOG = 2048
MOST_CONNECTIONS = 16_000  # at once and worker; one more waits in the backlog, and with it every visitor who comes after
_FILES_BESIDE = 500  # descriptors for everything that is not a connection
_ARENA_MAX = -8  # glibc's M_ARENA_MAX


def serve() -> None:
    """Serve the built site until Ctrl-C or SIGTERM."""
    here = settings()
    refuse_a_taken_port(here.host, here.port)
    if not Path(".web/build/client/index.html").is_file():
        sys.exit("The pages are not built yet: python -m site_app build, or make run, which does it all.")
    refuse_samples(here)
    for one in stale_pages(here):
        complain(one)
    prepare(here)  # here and not in the workers, which would be started again and again
    webhook_of(here)
    if not here.provider_url:
        load_secret(here)
    share_one_heap()
    with _shared_meters(here), _last_words():
        Server(
            "site_app.asgi:site",
            factory=True,
            address=here.host,
            port=here.port,
            interface=Interfaces.ASGI,
            # Plain-text HTTP/2 has no limit on what a head unfolds to, and while granian waits to see which of the two it is, no
            # time-out runs: a connection that says nothing would stay for ever. With HTTP/1 alone each wait for a head ends.
            http=HTTPModes.http1,
            workers=here.workers,
            backlog=BACKLOG,
            backpressure=most_connections(),
            http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS, max_buffer_size=LARGEST_HEAD),
            respawn_failed_workers=True,
            respawn_interval=TAKEOVER_SECONDS,
            workers_kill_timeout=KILL_TIMEOUT_SECONDS,
            log_enabled=False,
        ).serve()


def most_connections() -> int:
    """As many as the system lets a process have open, once it is asked for all it gives; each may be held by two descriptors."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(1, min(MOST_CONNECTIONS, (most - _FILES_BESIDE) // 2))


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
    refuse_a_taken_port(here.metrics_host, here.metrics_port, named="METRICS_")
    with TemporaryDirectory(prefix="site-metrics-") as directory:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
        yield


def refuse_a_taken_port(host: str, port: int, *, named: str = "") -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                too = "" if named else " (and SITE_URL)"
                mend = f"is taken by another program: stop that, or set SITE_{named}PORT{too} to another one"
            elif error.errno == errno.EADDRNOTAVAIL:
                mend = f"cannot be used: SITE_{named}HOST is no address of this machine; it must be one, such as 127.0.0.1"
            else:
                mend = (
                    f"cannot be used ({error.strerror}): set SITE_{named}PORT to another one, such as {9100 if named else 3000}"
                )
            sys.exit(f"Port {port} on {host} {mend}.")
