"""Builds a Reflex project once and serves it on a free port."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_app.plugins.static_first.toolchain import tool_environment
from tests.support.site_server import ROOT, free_port

PATIENCE = 240  # seconds for a build on a busy machine


@contextmanager
def running(project: Path, name: str) -> Iterator[str]:
    """Yields the project's address, which its rxconfig.py reads as PROJECT_URL; installed packages are kept for the next run."""
    home = ROOT / ".cache" / name
    shutil.copytree(project, home, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".web", "__pycache__"))
    port = free_port()
    url = f"http://localhost:{port}"
    command = ["reflex", "run", "--env", "prod", "--single-port", "--backend-port", str(port)]
    environment = tool_environment() | {"PYTHONPATH": str(ROOT), "PROJECT_URL": url}
    log = home / "run.log"
    with log.open("w") as stream:
        server = subprocess.Popen(
            command, cwd=home, env=environment, stdout=stream, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_for(port, server, log)
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)  # the port is closed until the server is ready
    raise RuntimeError(f"the project did not start:\n{log.read_text()[-4000:]}")
