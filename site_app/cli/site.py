"""Commands that serve the site: run, dev, serve, and export for static hosts."""

import os
import resource
import shutil
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated

import typer

from site_app.cli.build import build
from site_app.cli.checks import refuse_samples, refuse_wrong_password
from site_app.cli.doctor import refuse_publishing, stale_pages
from site_app.cli.prepare import port_problem
from site_app.cli.printing import complain
from site_app.core.files import UNFINISHED
from site_app.core.http.paths import API
from site_app.core.published_pages import BUILT, CLIENT, code_digest, pages_to_serve
from site_app.core.settings import Settings, settings
from site_app.provider.http.tokens import load_secret
from site_app.provider.store.migration import prepare_database
from site_app.serving.static_host import write_static

HEADER_TIMEOUT_MS = 10_000  # for a request's headers to arrive completely
MAX_HEAD_BYTES = 16 * 1024  # of a request's headers; parsing time grows with the size, and no rate limit applies yet
KILL_TIMEOUT_SECONDS = 10  # for a worker with open sockets; the whole stop takes less than 15 s
TAKEOVER_SECONDS = 20.0  # after SIGHUP, the time that new workers load beside the old ones, several times what it takes; a dead one is replaced at once
BACKLOG = 2048
MAX_CONNECTIONS = 16_000  # at once per worker; further ones wait in the backlog, and so do all later visitors
_RESERVED_DESCRIPTORS = 500  # file descriptors for everything except connections


def serve() -> None:
    """Serve the built site until Ctrl-C or SIGTERM."""
    config = settings()
    refuse_a_taken_port(config)
    if not (BUILT / CLIENT / "index.html").is_file():
        sys.exit("The pages are not built yet: python -m site_app build, or make run, which does it all.")
    refuse_samples(config)
    refuse_publishing(config)
    refuse_wrong_password(config)
    for sentence in stale_pages(config):
        complain(sentence)
    prepare_database(config)  # here, because workers that fail are restarted again and again
    if not config.provider_url:
        load_secret(config)
    # Replaces this process by granian, which starts workers and restarts dead ones. Only the workers import the site, so it stays small.
    os.execve(sys.executable, [sys.executable, "-m", "granian", *granian_options(config)], server_environment(config))


def granian_options(config: Settings) -> list[str]:
    """Returns the command-line options of granian."""
    options = {
        "interface": "asgi",
        "host": config.host,
        "port": config.port,
        # Plain-text HTTP/2 has no limit on the size of decompressed headers, and no timeout runs while granian waits to detect the
        # protocol: a silent connection would stay open for ever. With HTTP/1 only, the header timeout always applies.
        "http": "1",
        "workers": config.workers,
        "backlog": BACKLOG,
        "backpressure": most_connections(),
        "http1-header-read-timeout": HEADER_TIMEOUT_MS,
        "http1-buffer-size": MAX_HEAD_BYTES,
        "respawn-interval": TAKEOVER_SECONDS,
        "workers-kill-timeout": KILL_TIMEOUT_SECONDS,
        "log-level": "error",  # of granian's main process; workers log as configured in site_app/core/logs.py
    }
    return [
        *(f"--{name}={value}" for name, value in options.items()),
        "--respawn-failed-workers",
        "--factory",
        "site_app.asgi:site",
    ]


def most_connections() -> int:
    """Raises the limit of open files to the allowed maximum, and returns how many connections fit: each may use two descriptors."""
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    if limit == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(1, min(MAX_CONNECTIONS, (limit - _RESERVED_DESCRIPTORS) // 2))


def server_environment(config: Settings) -> dict[str, str]:
    """Returns this process's environment with variables for the C library and the metrics library."""
    # One heap for all threads: by default glibc gives each thread its own, which never returns the memory of its peak:
    # the server grew by 13 MB an hour. The price is that threads share locks when they ask for memory.
    environment = {"MALLOC_ARENA_MAX": "1", **os.environ}
    if config.metrics_port:
        problem = port_problem(config.metrics_host, config.metrics_port, prefix="SITE_METRICS_", avoid=(config.port,))
        if problem:
            sys.exit(problem)
        environment["PROMETHEUS_MULTIPROC_DIR"] = str(_empty_directory(f"site-metrics-{config.metrics_port}"))
    return environment


def _empty_directory(name: str) -> Path:
    """Creates an empty directory in which workers share their metrics. Metrics start from zero at each start."""
    directory = Path(gettempdir()) / name
    shutil.rmtree(directory, ignore_errors=True)
    try:
        directory.mkdir(mode=0o700)
    except OSError as error:
        sys.exit(f"{directory} cannot be made anew ({error.strerror}): remove it, or set SITE_METRICS_PORT to another one.")
    return directory


def refuse_a_taken_port(config: Settings) -> None:
    """Exits if the site's port cannot be used."""
    if problem := port_problem(config.host, config.port, avoid=(config.metrics_port,)):
        sys.exit(problem)


def run() -> None:
    """Bring the database up to date, build the pages if something has changed, print the addresses, and serve until Ctrl-C."""
    refuse_a_taken_port(settings())
    refuse_samples(settings())
    refuse_publishing(settings())
    refuse_wrong_password(settings())
    prepare_database(settings())
    build()
    _announce(settings())
    serve()


def dev() -> None:
    """Start Reflex's development server, which reloads pages and backend; plain `reflex run` does the same on the next free port."""
    refuse_a_taken_port(settings())
    refuse_wrong_password(settings())
    prepare_database(settings())
    tool = Path(sys.executable).with_name("reflex")
    os.execv(tool, [str(tool), "run", "--env", "dev", "--frontend-port", str(settings().port)])


def _announce(config: Settings) -> None:
    places = {
        "Site": config.url,
        "Leads": ".venv/bin/python -m site_app leads list",
        "Mails": f"{config.var / 'mail'}/*.eml"
        if config.mail_transport == "folder"
        else f"{config.smtp_host}:{config.smtp_port}",
        "Settings": ".venv/bin/python -m site_app settings",
        "API": f"{config.url}{API}/docs",
    }
    width = max(map(len, places))
    print(
        "",
        *(f"  {name:<{width}}  {place}" for name, place in places.items()),
        "",
        "  Ctrl-C stops it.",
        "",
        sep="\n",
        flush=True,
    )


_EXPORT_MARK = "_headers"  # every export has this file; a folder without it is no export and is not replaced


def export(to: Annotated[Path, typer.Argument(help="A folder; an earlier export in it is replaced.")] = Path("out")) -> None:
    """Write the pages with _headers and _redirects for a static host; SITE_BACKEND_URL names the address of API and socket."""
    refuse_samples(settings())
    if to.exists() and any(to.iterdir()) and not (to / _EXPORT_MARK).is_file():
        sys.exit(f"{to} holds something that is no export: name another folder.")
    build()
    unfinished = to.with_name(f".{to.name}{UNFINISHED}")
    shutil.rmtree(unfinished, ignore_errors=True)
    pages = pages_to_serve(settings().var, code_digest(settings()))
    count = write_static(pages / CLIENT, unfinished, settings())
    shutil.rmtree(to, ignore_errors=True)
    unfinished.rename(to)
    backend = settings().backend_url or "at the same host, which must pass them on"
    print(f"{count} pages are in {to}/; API and socket: {backend}.")
