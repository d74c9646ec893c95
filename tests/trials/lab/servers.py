"""A trial's servers: PostgreSQL, Redis and nginx on free ports, with data in its directory, stopped at its end."""

import os
import pwd
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import psycopg

from tests.support.site_server import ROOT, environment, free_port
from tests.trials.lab.packages import program
from tests.trials.lab.scorecard import NotRun

PASSWORD = "only-for-this-trial"
_NGINX = ROOT / "deploy" / "nginx.conf"


class Server:
    """A program that listens on a port, in its own process group; a context manager that starts and stops it."""

    def __init__(
        self, name: str, command: Sequence[str], folder: Path, port: int, *, cwd: Path | None = None, **settings: str
    ) -> None:
        self.name, self.port, self.url = name, port, f"http://localhost:{port}"
        # Without a directory, root starts it as another user: PostgreSQL refuses to run as root.
        user = {} if cwd else common_user()
        self._command, self._options = command, {"cwd": cwd or folder, "env": environment(settings), **user}
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[Any] | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_error: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> Self:
        """Starts it; tries again if remains of a killed one (PostgreSQL's shared memory, for a moment) end the first start."""
        deadline = time.monotonic() + 10
        while True:
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(self._command, stdout=log, stderr=log, start_new_session=True, **self._options)
            try:
                self._wait_until_ready()
                return self
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def stop(self, signal_number: signal.Signals = signal.SIGINT) -> None:
        """Stops it in the way its manual calls orderly: clients are disconnected, nothing acknowledged is lost."""
        if self.is_running:
            os.kill(self.pid, signal_number)
            self._process.wait(timeout=30)  # type: ignore[union-attr]

    def kill(self) -> None:
        if self.is_running:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait(timeout=30)  # type: ignore[union-attr]

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if not self.is_running:
                raise RuntimeError(f"{self.name} ended at its start: {self._output()}")
            try:
                self._try_to_connect()
                return
            except (OSError, psycopg.OperationalError):
                time.sleep(0.02)
        raise TimeoutError(f"{self.name} does not listen: {self._output()}")

    def _try_to_connect(self) -> None:
        socket.create_connection(("127.0.0.1", self.port), 1).close()

    def _output(self) -> str:
        return self._log.read_text(errors="replace")[-2000:]


class _PostgreSQL(Server):
    """Is ready once it accepts connections: it listens some time before it accepts them."""

    def _try_to_connect(self) -> None:
        psycopg.connect(database_url(self, "postgres").replace("+psycopg", ""), connect_timeout=1).close()


def postgresql(folder: Path) -> Server:
    """An empty, fully durable cluster: fsync and synchronous_commit stay on."""
    folder = _server_folder(folder, "postgresql")
    password_file = folder / "password"
    password_file.write_text(PASSWORD)
    password_file.chmod(0o644)
    command = [program("initdb"), "--pgdata", str(folder / "data"), "--username=site", "--auth=scram-sha-256"]
    command += ["--encoding=UTF8", "--locale=C", f"--pwfile={password_file}"]
    process = subprocess.run(command, capture_output=True, text=True, cwd=folder, **common_user())
    if process.returncode:
        raise NotRun(f"initdb fails here: {process.stderr.strip()[-300:]}")
    port = free_port()
    options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": 100}
    flags = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    return _PostgreSQL("postgresql", [program("postgres"), "-D", str(folder / "data"), *flags], folder, port)


def redis(folder: Path) -> Server:
    """With a password and in memory only, as docs/operate/scale.md requires."""
    folder, port = _server_folder(folder, "redis"), free_port()
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "dir": folder,
        "requirepass": PASSWORD,
        "save": "",
        "appendonly": "no",
        "notify-keyspace-events": "K$sgxe",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return Server("redis", [program("redis-server"), *flags], folder, port)


def nginx(folder: Path, *, port: int, apps: Iterable[int]) -> Server:
    """deploy/nginx.conf with this trial's names; one address stands for many visitors here."""
    folder = _server_folder(folder, "nginx")
    names = {
        "room": str(folder),
        "pid": str(folder / "nginx.pid"),
        "plain": "",
        "listen": f"127.0.0.1:{port}",
        "server_name": "localhost",
        "tls": "",
        "apps": "\n        ".join(f"server 127.0.0.1:{app} max_fails=0;" for app in apps),
        "sockets": "20000",
        "lines": "20000",
    }
    settings = folder / "nginx.conf"
    text = re.sub(r"(?m)^\s*#.*\n", "", _NGINX.read_text())
    settings.write_text(re.sub(r"<(\w+)>", lambda match: names[match[1]], text))
    command = [program("nginx"), "-c", str(settings), "-p", str(folder), "-e", "stderr", "-g", "daemon off;"]
    return Server("nginx", command, folder, port)


def end_in_order() -> None:
    """Lets SIGTERM end this program as Ctrl-C does, including the processes that it started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))


def database_url(server: Server, name: str = "postgres") -> str:
    return f"postgresql+psycopg://site:{PASSWORD}@127.0.0.1:{server.port}/{name}"


def redis_url(server: Server, number: int = 0) -> str:
    return f"redis://:{PASSWORD}@127.0.0.1:{server.port}/{number}"


def common_user() -> dict[str, Any]:
    """Returns the arguments that run a server as an unprivileged user when the trial itself runs as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _server_folder(folder: Path, name: str) -> Path:
    """Returns a directory that the server's user may write to, below one that the user may enter."""
    folder.chmod(0o755)
    server_folder = folder / name
    server_folder.mkdir(exist_ok=True)
    if user := common_user():
        os.chown(server_folder, user["user"], user["group"])
    return server_folder
