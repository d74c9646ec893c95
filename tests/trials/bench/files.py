"""Pages a second: the site against nginx with the same files, in turns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from tests.support.site_server import Site, free_port
from tests.trials.bench.part import Bar, Extent, Measured, Table, half_range
from tests.trials.bench.stage import CLIENT, page_paths, site, version_of
from tests.trials.lab.load import pages
from tests.trials.lab.packages import program
from tests.trials.lab.servers import Server

CONNECTIONS = 32
PART_OF_NGINX = 0.12
_NGINX = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.error.log;
events {{ worker_connections 1024; }}
http {{
  types {{ text/html html; }}
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  open_file_cache max=1000;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen 127.0.0.1:{port};
    root {client};
    gzip_static on;
    location / {{ try_files $uri/index.html =404; }}
  }}
}}
"""
Round = tuple[float, float]


def files(extent: Extent) -> Measured:
    """Fetches all pages, compressed, over kept connections; each server is one process and shares the machine with the client."""
    rounds, seconds = extent.pick(4, full=7), extent.pick(3, full=4, short=2)
    rounds_by_server: dict[str, list[Round]] = {"site": [], "nginx": []}
    with site(extent.folder) as running, _nginx(extent.folder) as nginx_server:
        for server in (running, nginx_server):
            _load(server, 1)  # warm up, and check that it answers
        for _ in range(rounds):
            for name, server in (("site", running), ("nginx", nginx_server)):
                rounds_by_server[name].append(_load(server, seconds))
    return _reported(rounds_by_server, rounds, seconds)


def _nginx(folder: Path) -> Server:
    port, settings = free_port(), folder / "nginx.conf"
    settings.write_text(_NGINX.format(folder=folder, port=port, client=CLIENT))
    return Server("nginx", [program("nginx"), "-p", str(folder), "-c", str(settings), "-e", "stderr"], folder, port, cwd=folder)


def _load(server: Site | Server, seconds: int) -> Round:
    """Returns pages a second and the 99th percentile in milliseconds; any response but a page ends the measurement."""
    burst = pages(server, page_paths(), seconds=seconds, watched={}, encoding="gzip", connections=CONNECTIONS)
    if burst.refused or burst.broken:
        raise RuntimeError(f"{server.url}: {burst}")
    return burst.per_second, burst.p99_ms


def _reported(rounds_by_server: Mapping[str, Sequence[Round]], rounds: int, seconds: int) -> Measured:
    ratios = [
        site_round[0] / nginx_round[0]
        for site_round, nginx_round in zip(rounds_by_server["site"], rounds_by_server["nginx"], strict=True)
    ]
    versions = {
        "nginx": version_of([program("nginx"), "-v"], r"nginx/([\d.]+)"),
        "wrk": version_of([program("wrk"), "-v"], r"wrk \S*?([\d.]+)"),
    }
    measured = Measured({"of_nginx": median(ratios)}, versions=versions)
    rows = []
    for name, label in (("site", "the site, headers and all"), ("nginx", "nginx, the same files")):
        speed, p99 = (median([measurement[index] for measurement in rounds_by_server[name]]) for index in (0, 1))
        measured.figures |= {f"{name}.per_second": speed, f"{name}.p99_ms": p99}
        rows.append([label, f"{speed:,.0f}", f"{p99:.1f}"])
    note = (
        f"{rounds} rounds of {seconds} s each, in turns; {CONNECTIONS} connections; every page in turn, gzip. The site makes "
        f"{median(ratios):.2f} of nginx's pages (from {min(ratios):.2f} to {max(ratios):.2f}). It answers with all its security headers, "
        "nginx with none of them. Client and server share the machine."
    )
    measured.tables = [Table("Pages a second", ("", "a second", "p99 ms"), rows, note)]
    measured.bars = [Bar("pages a second against nginx", {"": median(ratios)}, least=PART_OF_NGINX, noise=half_range(ratios))]
    return measured
