"""Pages a second: the site against nginx with the same files and against Reflex's own production server, in turns."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.bench.part import Bar, Extent, Measured, Table, median
from tests.bench.programs import environment, program, said
from tests.bench.radix_app import HOME, build_radix, reflex_server
from tests.bench.stage import CLIENT, Process, build_site, page_paths, site
from tests.browser.server import free_port

CONNECTIONS, THREADS = 32, 1
TIMES_REFLEX, PART_OF_NGINX = 5, 0.12
_NGINX = """
worker_processes 1;
daemon off;
pid {room}/nginx.pid;
error_log {room}/nginx.error.log;
events {{ worker_connections 1024; }}
http {{
  types {{ text/html html; }}
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  open_file_cache max=1000;
  client_body_temp_path {room}; proxy_temp_path {room}; fastcgi_temp_path {room}; uwsgi_temp_path {room}; scgi_temp_path {room};
  server {{
    listen 127.0.0.1:{port};
    root {client};
    gzip_static on;
    location / {{ try_files $uri/index.html =404; }}
  }}
}}
"""
# Every page in turn, written once: the client must not be what is slow.
_SCRIPT = """
local asked, turn = {{}}, 0
function init()
  for _, path in ipairs({{ {paths} }}) do
    asked[#asked + 1] = wrk.format("GET", path, {{ ["Host"] = "localhost", ["Accept-Encoding"] = "gzip" }})
  end
end
function request()
  turn = turn % #asked + 1
  return asked[turn]
end
"""
Round = tuple[float, float]


def files(extent: Extent) -> Measured:
    """All pages, compressed, over kept connections; each server is one process, and shares the machine with the client."""
    build_site()
    build_radix()
    rounds, seconds = extent.pick(7, 1), extent.pick(4, 2)
    seen: dict[str, list[Round]] = {"site": [], "nginx": [], "reflex": []}
    with ExitStack() as servers:
        running = {
            "site": servers.enter_context(site(extent.room)),
            "nginx": servers.enter_context(_nginx(extent.room)),
            "reflex": servers.enter_context(reflex_server(extent.room)),
        }
        shutil.copytree(CLIENT, HOME / ".web/build/client", dirs_exist_ok=True)
        scripts = {name: _script(extent.room / f"{name}.lua", slash=name == "reflex") for name in running}
        for name, server in running.items():
            _load(server, scripts[name], 1)  # warm, and proof that it answers
        for _ in range(rounds):
            for name, server in running.items():
                seen[name].append(_load(server, scripts[name], seconds))
    return _reported(seen, rounds, seconds)


def _nginx(room: Path) -> Process:
    port, settings = free_port(), room / "nginx.conf"
    settings.write_text(_NGINX.format(room=room, port=port, client=CLIENT))
    return Process([program("nginx"), "-p", str(room), "-c", str(settings), "-e", "stderr"], port=port, log=room / "nginx.log")


def _script(file: Path, *, slash: bool) -> Path:
    """Reflex's server knows a page by the slash at its end, the others by its clean address."""
    paths = [f"{path.rstrip('/')}/" if slash else path for path in page_paths()]
    file.write_text(_SCRIPT.format(paths=", ".join(f'"{path}"' for path in paths)))
    return file


def _load(server: Process, script: Path, seconds: int) -> Round:
    """Pages a second and the 99th percentile in milliseconds; any answer but a page ends the measurement."""
    command = [program("wrk"), "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--latency", "-s", str(script)]
    done = subprocess.run(
        [*command, f"http://127.0.0.1:{server.port}/"], env=environment(), capture_output=True, text=True, timeout=seconds + 30
    )
    if done.returncode or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise RuntimeError(f"{server.url}: {done.stdout[-400:]} {done.stderr[-400:]}")
    speed = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    slow = re.search(r"99%\s+([\d.]+)(us|ms|s)", done.stdout)
    if not speed or not slow:
        raise RuntimeError(done.stdout[-600:])
    return float(speed[1]), float(slow[1]) * {"us": 0.001, "ms": 1, "s": 1000}[slow[2]]


def _reported(seen: Mapping[str, Sequence[Round]], rounds: int, seconds: int) -> Measured:
    speeds = {name: [one[0] for one in many] for name, many in seen.items()}
    p99 = {name: median([one[1] for one in many]) for name, many in seen.items()}
    ratios = {
        other: [mine / theirs for mine, theirs in zip(speeds["site"], speeds[other], strict=True)]
        for other in ("nginx", "reflex")
    }
    measured = Measured(
        versions={
            "nginx": said([program("nginx"), "-v"], r"nginx/([\d.]+)"),
            "wrk": said([program("wrk"), "-v"], r"wrk \S*?([\d.]+)"),
        }
    )
    for name, many in speeds.items():
        measured.figures |= {f"{name}.per_second": median(many), f"{name}.p99_ms": p99[name]}
    measured.figures |= {"of_nginx": median(ratios["nginx"]), "of_reflex": median(ratios["reflex"])}
    rows = [
        ["the site, headers and all", f"{median(speeds['site']):,.0f}", f"{p99['site']:.1f}", "1"],
        ["nginx, the same files", f"{median(speeds['nginx']):,.0f}", f"{p99['nginx']:.1f}", _spread(ratios["nginx"])],
        [
            "Reflex's own production server, the same files",
            f"{median(speeds['reflex']):,.0f}",
            f"{p99['reflex']:.1f}",
            _spread(ratios["reflex"]),
        ],
    ]
    note = (
        f"{rounds} rounds of {seconds} s each, in turns; {CONNECTIONS} connections; every page in turn, gzip. The site answers with all its "
        "security headers, nginx with none of them. Client and server share the machine."
    )
    measured.tables = [Table("Pages a second", ("", "a second", "p99 ms", "the site against it"), rows, note)]
    measured.bars = [
        Bar("pages a second against Reflex's own production server", measured.figures["of_reflex"], least=TIMES_REFLEX),
        Bar("pages a second against nginx", measured.figures["of_nginx"], least=PART_OF_NGINX),
    ]
    return measured


def _spread(ratios: Sequence[float]) -> str:
    return f"{median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})"
