"""The meters, and a separate port where Prometheus scrapes them, so that no proxy of the site exposes it.
A key on the public port could be guessed or leak.

Importing this module decides how the meters are stored: import it only where measuring is switched on.
"""

import os
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, make_wsgi_app
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from site_app.core.metrics import switch_on
from site_app.core.settings import Settings

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"  # the library's variable for the folder in which processes share their counts
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def measure(settings: Settings, gauges: Collector | None = None) -> Callable[[], None]:
    """Switches the meters on and serves them with these gauges on the port; returns a function that stops it.

    Every worker listens on the port and reads the files of all workers, so that any of them may die.
    """
    registry = CollectorRegistry()
    switch_on(Meters(registry))
    shared = os.environ.get(DIRECTORY)
    exported = CollectorRegistry()
    exported.register(_AllProcesses(Path(shared)) if shared else registry)
    if gauges:
        exported.register(gauges)
    server = _Server((settings.metrics_host, settings.metrics_port), _Quiet)
    server.set_app(make_wsgi_app(exported))
    thread = Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()
        switch_on(None)

    return stop


class Meters:
    """The meters of one process. With PROMETHEUS_MULTIPROC_DIR they are stored in files that every process can read."""

    def __init__(self, registry: CollectorRegistry) -> None:
        common = {"registry": registry, "namespace": "site"}
        self.requests = Counter("requests", "Requests answered, by kind and status.", ["kind", "status"], **common)
        self.request_seconds = Histogram(
            "request_seconds", "Time to the last byte of an answer.", ["kind"], buckets=_SECONDS, **common
        )
        self.calls = Counter("calls", "Calls of the API answered, by name and status.", ["call", "status"], **common)
        self.call_seconds = Histogram("call_seconds", "Time a call of the API takes.", ["call"], buckets=_SECONDS, **common)
        self.leads = Counter(
            "leads_taken", "Leads acknowledged; one that is sent again is counted again.", ["kind", "quarantined"], **common
        )
        self.deliveries = Counter(
            "deliveries", "Mails and webhooks tried: sent, delayed or given_up.", ["kind", "template", "outcome"], **common
        )
        self.refusals = Counter(
            "refusals",
            "Events refused by the guard, and problems that browsers report, by reason.",
            ["event", "problem"],
            **common,
        )
        self.sockets = Gauge("sockets_open", "Visitors' sockets open now.", multiprocess_mode="livesum", **common)


class _AllProcesses(Collector):
    """Collects the counts of all processes, including ended ones, but drops the gauges of ended processes."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files = MultiProcessCollector(CollectorRegistry(), path=str(directory))

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterable[Metric]:
        for file in self._directory.glob("gauge_live*_*.db"):
            process = int(file.stem.rpartition("_")[2])
            if not _is_alive(process):
                mark_process_dead(process, str(self._directory))
        return self._files.collect()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    allow_reuse_port = True  # the workers of one site share the port

    def __init__(self, address: tuple[str, int], handler: type[WSGIRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)


class _Quiet(WSGIRequestHandler):
    timeout = 5  # seconds, after which a client that sends nothing is disconnected

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing, because Prometheus scrapes every few seconds."""


def _is_alive(process: int) -> bool:
    with suppress(ProcessLookupError, PermissionError):  # of another user: the number of an ended process was given again
        os.kill(process, 0)
        return True
    return False
