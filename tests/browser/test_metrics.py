"""The metrics of a whole site: of every worker, on a separate port, and kept after a worker's death."""

import os
import signal
import time
from collections.abc import Callable

import httpx

from tests.support.site_server import Site, free_port
from tests.trials.lab.trial import workers


def _metrics(port: int) -> dict[str, float]:
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))}


def _is_answering(site: Site) -> bool:
    try:
        return httpx.get(f"{site.url}/healthz").is_success
    except httpx.TransportError:
        return False


def test_metrics_outlive_a_worker_and_are_never_public(start_site: Callable[..., Site]) -> None:
    port = free_port()
    site = start_site(SITE_METRICS_PORT=str(port))
    httpx.get(f"{site.url}/faq")
    httpx.get(f"{site.url}/v1.0/countries", headers={"X-API-Key": "website"})

    public = httpx.get(f"{site.url}/metrics")
    metrics_before = _metrics(port)
    os.kill(workers(site)[0], signal.SIGKILL)
    deadline = time.monotonic() + 40
    while not _is_answering(site) and time.monotonic() < deadline:
        time.sleep(0.1)  # the worker is restarted without a notification
    httpx.get(f"{site.url}/faq")
    metrics_after = _metrics(port)

    assert public.status_code == 302  # no such page
    assert metrics_before['site_requests_total{kind="page",status="200"}'] == 1
    assert metrics_before['site_calls_total{call="countries",status="200"}'] == 1
    assert metrics_after['site_requests_total{kind="page",status="200"}'] == 2
    assert metrics_after["site_sockets_open"] == 0
    assert metrics_after["site_database_up"] == 1
