"""Load from wrk, a light client written in C, and the processor time of each program meanwhile."""

import json
import os
import secrets
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from tests.support.site_server import Site
from tests.trials.lab.packages import program
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import descendants

CONNECTIONS = 64
_SCRIPT = Path(__file__).with_name("wrk.lua")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Burst:
    """One burst of load: the responses, the processor seconds of each program, and the activity of all cores meanwhile."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    refused: int
    broken: int
    spent: Mapping[str, float]
    cores: Mapping[str, float]

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


def pages(
    site: Site | Server,
    paths: Sequence[str],
    *,
    seconds: int,
    watched: Mapping[str, int],
    encoding: str = "br",
    connections: int = CONNECTIONS,
) -> Burst:
    """Requests pages in turn, compressed as for browsers."""
    return _burst(site, "", ["pages", encoding, *paths], seconds, watched, connections)


def submissions(site: Site, *, seconds: int, watched: Mapping[str, int], per_second: float = 0) -> Burst:
    """Sends messages, each with its own key and a form's token, at this rate or as fast as possible."""
    request = Request(f"{_address(site)}/v1.0/formToken", headers={"X-API-Key": "website"})
    with urlopen(request, timeout=10) as response:
        token = json.load(response)["token"]
    arguments = ["messages", secrets.token_hex(4), token]
    if per_second:
        arguments.append(str(round(1000 * CONNECTIONS / per_second)))
    return _burst(site, "/v1.0/sendMessage", arguments, seconds, watched)


def spent(root: int) -> float:
    """Returns the processor seconds of a process and its running descendants."""
    return sum(map(_ticks, (root, *descendants(root)))) / _TICKS


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _burst(
    site: Site | Server,
    path: str,
    arguments: Sequence[str],
    seconds: int,
    watched: Mapping[str, int],
    connections: int = CONNECTIONS,
) -> Burst:
    command = [
        program("wrk"),
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "-s",
        str(_SCRIPT),
        _address(site) + path,
        "--",
        *arguments,
    ]
    spent_before, children, cores = {name: spent(root) for name, root in watched.items()}, os.times(), _cores()
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    times_after, cores_after = os.times(), _cores()
    used = {name: spent(root) - spent_before[name] for name, root in watched.items()}
    used["client"] = times_after.children_user + times_after.children_system - children.children_user - children.children_system
    report = json.loads(next(line for line in output.splitlines() if line.startswith("JSON ")).removeprefix("JSON "))
    return Burst(spent=used, cores={name: seconds - cores[name] for name, seconds in cores_after.items()}, **report)


def _cores() -> dict[str, float]:
    """Returns the seconds that all cores together worked, waited for a disk, and idled."""
    user, nice, system, idle, disk, hard, soft, *_ = map(int, Path("/proc/stat").read_text().split()[1:9])
    return {
        name: ticks / _TICKS for name, ticks in (("busy", user + nice + system + hard + soft), ("disk", disk), ("idle", idle))
    }


def _address(site: Site | Server) -> str:
    return f"http://127.0.0.1:{site.port}"
