"""PostgreSQL, Redis and nginx of one trial: on free ports, in its directory, and gone with it."""

import os
import pwd
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.browser.server import ROOT, free_port
from tests.faults.scorecard import NotRun

PASSWORD = "only-for-this-trial"
_NGINX = ROOT / "deploy" / "nginx.conf"


class Engine:
    """A server in a process group of its own; as root it runs as somebody else, for PostgreSQL refuses root."""

    def __init__(self, name: str, command: list[str], room: Path, port: int) -> None:
        self.name, self.port, self._command, self._room = name, port, command, room
        self._process: subprocess.Popen[Any] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> "Engine":
        """Start it, again where what a killed one left behind (PostgreSQL's shared memory, for a moment) ends the first start."""
        deadline = time.monotonic() + 10
        while True:
            self._begin()
            try:
                self._wait()
                return self
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def _begin(self) -> None:
        with (self._room / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._room, stdout=log, stderr=log, start_new_session=True, **common_user()
            )

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it in the way its manual calls orderly: clients are cut off, nothing acknowledged is lost."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(timeout=30)

    def kill(self) -> None:
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=30)

    def log(self) -> str:
        return (self._room / f"{self.name}.log").read_text(errors="replace")[-2000:]

    def _wait(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert self._process
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.name} ended at its start: {self.log()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise TimeoutError(f"{self.name} does not listen: {self.log()}")


def postgresql(where: Mapping[str, str], room: Path) -> Engine:
    """An empty cluster that is as durable as any: fsync and synchronous_commit stay on."""
    room = _room(room, "postgresql")
    word = room / "password"
    word.write_text(PASSWORD)
    word.chmod(0o644)
    command = [where["initdb"], "--pgdata", str(room / "data"), "--username=site", "--auth=scram-sha-256"]
    command += ["--encoding=UTF8", "--locale=C", f"--pwfile={word}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=room, **common_user())
    if done.returncode:
        raise NotRun(f"initdb fails here: {done.stderr.strip()[-300:]}")
    port = free_port()
    options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": 100}
    flags = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    return Engine("postgresql", [where["postgres"], "-D", str(room / "data"), *flags], room, port)


def redis(where: Mapping[str, str], room: Path) -> Engine:
    """With a password and an append-only file, as docs/operate/scale.md asks for."""
    room, port = _room(room, "redis"), free_port()
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "dir": room,
        "requirepass": PASSWORD,
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "notify-keyspace-events": "K$sgxe",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return Engine("redis", [where["redis-server"], *flags], room, port)


def nginx(where: Mapping[str, str], room: Path, *, port: int, apps: Iterable[int]) -> Engine:
    """deploy/nginx.conf as an operator reads it, with this trial's names; one address stands for many visitors here."""
    room = _room(room, "nginx")
    names = {
        "room": str(room),
        "pid": str(room / "nginx.pid"),
        "plain": "",
        "listen": f"127.0.0.1:{port}",
        "server_name": "localhost",
        "tls": "",
        "apps": "\n        ".join(f"server 127.0.0.1:{app} max_fails=0;" for app in apps),
        "sockets": "20000",
        "lines": "20000",
    }
    (room / "nginx.conf").write_text(re.sub(r"<(\w+)>", lambda found: names[found[1]], _without_comments(_NGINX.read_text())))
    return Engine(
        "nginx",
        [where["nginx"], "-c", str(room / "nginx.conf"), "-p", str(room), "-e", "stderr", "-g", "daemon off;"],
        room,
        port,
    )


def end_in_order() -> None:
    """Let SIGTERM end this program as Ctrl-C does: what it started ends with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))


def database_url(engine: Engine, name: str = "postgres") -> str:
    return f"postgresql+psycopg://site:{PASSWORD}@127.0.0.1:{engine.port}/{name}"


def redis_url(engine: Engine, number: int = 0) -> str:
    return f"redis://:{PASSWORD}@127.0.0.1:{engine.port}/{number}"


def common_user() -> dict[str, Any]:
    """Whose process a server is: ours, or, when we are root, somebody's who may do little."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _without_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))


def _room(room: Path, name: str) -> Path:
    """A directory that whoever runs the server may write to, below one that they may pass through."""
    room.chmod(0o755)
    own = room / name
    own.mkdir(exist_ok=True)
    if user := common_user():
        os.chown(own, user["user"], user["group"])
    return own
