"""Programs that trials need: found on this machine, or installed from its packages if allowed."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.trials.lab.scorecard import NotRun

# Debian's package of each program; without `apt-get` or its permission, the user has to install them.
_PACKAGES = {
    "postgres": "postgresql",
    "initdb": "postgresql",
    "redis-server": "redis-server",
    "nginx": "nginx-light",
    "wrk": "wrk",
}
_ELSEWHERE = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")
_STARTS_SERVICES = Path("/usr/sbin/policy-rc.d")


def program(name: str) -> str:
    """Returns the path of a program that trials need; raises NotRun like `programs`."""
    return programs({name: _PACKAGES[name]})[name]


def programs(package_of: Mapping[str, str]) -> dict[str, str]:
    """Returns the path of each program, given its package; raises NotRun with a sentence if one is unavailable."""
    if missing := _missing(package_of):
        install(sorted({package_of[name] for name in missing}))
    if missing := _missing(package_of):
        packages = " ".join(sorted({package_of[name] for name in missing}))
        raise NotRun(f"not installed here: {', '.join(missing)}; install the packages {packages} and run it again")
    return {name: _path_of(name) for name in package_of}


def _missing(packages: Mapping[str, str]) -> list[str]:
    return [name for name in packages if not _path_of(name)]


def _path_of(name: str) -> str:
    """Searches PATH and Debian's folders of servers, the newest PostgreSQL first."""
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    places = os.pathsep.join([os.environ.get("PATH", ""), *_ELSEWHERE, *map(str, newest)])
    return shutil.which(name, path=places) or ""


def _version(directory: Path) -> float:
    number = directory.parent.name
    return float(number) if number.replace(".", "", 1).isdigit() else 0.0


def install(packages: list[str]) -> None:
    """Installs by apt-get, if allowed; services are not started, for the trial starts its own servers."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    keep_quiet = not _STARTS_SERVICES.exists()
    try:
        if keep_quiet:
            _STARTS_SERVICES.write_text("#!/bin/sh\nexit 101\n")
            _STARTS_SERVICES.chmod(0o755)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "--quiet", *command], env=environment, capture_output=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return  # without permission or with a dead mirror, the missing packages are named
    finally:
        if keep_quiet:
            _STARTS_SERVICES.unlink(missing_ok=True)
