#!/usr/bin/python3
"""Stands in for systemctl and journalctl where systemd cannot be process 1: starts, stops and reloads the processes of units.

The trial copies this file into its Debian root, so it imports nothing of the project. It honours how a unit starts its process (user,
directory, environment, directories of its own, commands before it, to stop and to reload it), and leaves out the sandbox around it,
restarts after a crash, and timers.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_UNITS = (Path("/etc/systemd/system"), Path("/lib/systemd/system"))
_RUN, _LOGS = Path("/run/supervisor"), Path("/var/log/supervisor")
_UNIT_SECONDS = {"": 1, "s": 1, "min": 60, "m": 60, "h": 3600}
_DEFAULT_STOP_SECONDS = 90


class Unit:
    """A unit file with its drop-ins; `name` may have an instance after an @."""

    def __init__(self, name: str) -> None:
        self.name = name if name.endswith((".service", ".timer")) else f"{name}.service"
        stem, _, suffix = self.name.rpartition(".")
        base, at, self.instance = stem.partition("@")
        template = f"{base}{at}.{suffix}"
        files = [
            folder / file_name
            for file_name in dict.fromkeys((self.name, template))
            for folder in _UNITS
            if (folder / file_name).exists()
        ]
        if not files:
            sys.exit(f"Unit {self.name} could not be found.")
        self.options: dict[str, list[str]] = {}
        for file in (files[0], *sorted(p for folder in _UNITS for p in (folder / f"{template}.d").glob("*.conf"))):
            self._read(file)
        self.pid_file = Path(self.last("PIDFile") or _RUN / f"{self.name}.pid")
        self.log = _LOGS / f"{self.name}.log"

    def _read(self, file: Path) -> None:
        section = ""
        for raw in re.sub(r"\\\n", " ", file.read_text()).splitlines():
            line = raw.strip()
            if line.startswith("["):
                section = line
            elif section == "[Service]" and "=" in line and not line.startswith(("#", ";")):
                key, _, value = line.partition("=")
                value = value.strip().replace("%i", self.instance)
                self.options[key.strip()] = [*self.options.get(key.strip(), []), value] if value else []

    def last(self, key: str) -> str:
        return (self.options.get(key) or [""])[-1]

    @property
    def environment(self) -> dict[str, str]:
        """Returns the unit's variables: as in systemd, files win over Environment=, whatever their order."""
        variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
        if user := self.last("User"):
            variables |= {"USER": user, "HOME": str(Path(f"~{user}").expanduser())}
        for line in self.options.get("Environment", []):
            variables |= dict(assignment.split("=", 1) for assignment in shlex.split(line))
        for name in self.options.get("EnvironmentFile", []):
            file = Path(name.lstrip("-"))
            if file.exists() or not name.startswith("-"):
                variables |= _variables(file.read_text())
        return variables

    @property
    def pid(self) -> int:
        """Returns the main process's number, 0 without a living one."""
        try:
            pid = int(self.pid_file.read_text())
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, ValueError):
            return 0
        return 0 if state == "Z" else pid

    def start(self) -> None:
        if self.pid or self.name.endswith(".timer"):
            return
        self._make_directories()
        for line in self.options.get("ExecStartPre", []):
            self._run(line)
        for line in self.options.get("ExecStart", []):
            if self.last("Type") in ("forking", "oneshot"):
                self._run(line)
            else:
                self._spawn(line)

    def stop(self) -> None:
        pid = self.pid
        if not pid:
            return
        for line in self.options.get("ExecStop", []):
            self._run(line)
        _signal(pid, signal.SIGTERM)
        deadline = time.monotonic() + self._stop_seconds
        while self.pid and time.monotonic() < deadline:
            time.sleep(0.05)
        if self.pid:
            print(f"{self.name} did not stop in time and was killed", file=sys.stderr)
            _signal(-os.getpgid(pid), signal.SIGKILL)

    def reload(self) -> None:
        if not self.options.get("ExecReload"):
            sys.exit(f"{self.name} cannot be reloaded.")
        for line in self.options["ExecReload"]:
            self._run(line)

    @property
    def _stop_seconds(self) -> float:
        match = re.fullmatch(r"(\d+) *(\w*)", self.last("TimeoutStopSec"))
        return (int(match[1]) * _UNIT_SECONDS[match[2]] or 3600) if match else _DEFAULT_STOP_SECONDS

    def _make_directories(self) -> None:
        for key, parent in (("RuntimeDirectory", "/run"), ("StateDirectory", "/var/lib")):
            for name in self.last(key).split():
                folder = Path(parent, name)
                folder.mkdir(parents=True, exist_ok=True)
                folder.chmod(int(self.last(f"{key}Mode") or "755", 8))
                if user := self.last("User"):
                    shutil.chown(folder, user, self.last("Group") or user)

    def _arguments(self, line: str) -> list[str]:
        """Returns a command as its user: a bare $NAME becomes as many words as its value has."""
        variables = self.environment | {"MAINPID": str(self.pid)}
        words: list[str] = []
        for token in shlex.split(line.lstrip("-@:+!")):
            if re.fullmatch(r"\$\w+", token):
                words += variables.get(token[1:], "").split()
            else:
                words.append(re.sub(r"\$\{(\w+)\}", lambda match: variables.get(match[1], ""), token))
        user, prefix = self.last("User"), ["setpriv"]
        if user and not line.lstrip("-@:").startswith("+"):
            prefix += ["--reuid", user, "--regid", self.last("Group") or user, "--init-groups"]
            for capability in self.last("AmbientCapabilities").lower().replace("cap_", "+").split():
                prefix += ["--inh-caps", capability, "--ambient-caps", capability]
        if self.last("NoNewPrivileges") in ("yes", "true"):
            prefix.append("--no-new-privs")
        return [*prefix, "--", *words] if len(prefix) > 1 else words

    def _run(self, line: str) -> None:
        process = subprocess.run(self._arguments(line), **self._options)
        if process.returncode and not line.startswith("-"):
            sys.exit(f"{self.name} failed ({process.returncode}): {line}\n{tail(self.log, 20)}")

    def _spawn(self, line: str) -> None:
        process = subprocess.Popen(self._arguments(line), start_new_session=True, **self._options)
        _RUN.mkdir(parents=True, exist_ok=True)
        if not self.last("PIDFile"):
            self.pid_file.write_text(str(process.pid))
        else:  # the program writes it; until then it has not begun to serve
            deadline = time.monotonic() + 10
            while not self.pid and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            return
        sys.exit(f"{self.name} ended at its start:\n{tail(self.log, 20)}")

    @property
    def _options(self) -> dict:
        _LOGS.mkdir(parents=True, exist_ok=True)
        log = self.log.open("ab")
        directory = self.last("WorkingDirectory") or "/"
        umask = int(self.last("UMask") or "022", 8)
        return {
            "cwd": directory,
            "env": self.environment,
            "stdin": subprocess.DEVNULL,
            "stdout": log,
            "stderr": log,
            "umask": umask,
        }


def _variables(text: str) -> dict[str, str]:
    lines = [line.strip() for line in text.splitlines()]
    pairs = [line.partition("=")[::2] for line in lines if "=" in line and not line.startswith(("#", ";"))]
    return {key: shlex.split(value)[0] if value[:1] in ("'", '"') else value for key, value in pairs}


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def tail(log: Path, lines: int) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""


def systemctl(verb: str, *arguments: str) -> int:
    units = [Unit(name) for name in arguments if not name.startswith("-")]
    if verb == "is-active":
        return 0 if all(unit.pid for unit in units) else 3
    if verb == "enable":
        verb = "start" if "--now" in arguments else ""
    elif verb == "disable":
        verb = "stop" if "--now" in arguments else ""
    for unit in units:
        if verb in ("stop", "restart"):
            unit.stop()
        if verb in ("start", "restart"):
            unit.start()
        if verb == "reload":
            unit.reload()
    return 0 if verb in ("", "start", "stop", "restart", "reload", "daemon-reload") else 1


def journalctl(*arguments: str) -> int:
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    print(tail(Unit(options["--unit"]).log, int(options.get("--lines", "1000"))))
    return 0


if __name__ == "__main__":
    sys.exit({"systemctl": systemctl, "journalctl": journalctl}[Path(sys.argv[0]).name](*sys.argv[1:]))
