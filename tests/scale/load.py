"""Load from wrk, a client written in C that leaves the machine to the site, and what each program spent meanwhile."""

import json
import os
import secrets
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from tests.browser.server import Site

CONNECTIONS = 64
_SCRIPT = Path(__file__).with_name("wrk.lua")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Burst:
    """One burst of load: what was answered, and the processor seconds of each program."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    refused: int
    broken: int
    spent: Mapping[str, float]

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


def pages(wrk: str, site: Site, path: str, *, seconds: int, watched: Mapping[str, int]) -> Burst:
    """A page over and over, compressed as browsers have it."""
    return _burst([wrk, "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(_SCRIPT), f"{_address(site)}{path}"], watched)


def submissions(wrk: str, site: Site, *, seconds: int, watched: Mapping[str, int]) -> Burst:
    """Messages, each with its own key and the token of a form that was opened here."""
    asked = Request(f"{_address(site)}/v1.0/formToken", headers={"X-API-Key": "website"})
    with urlopen(asked, timeout=10) as answer:
        token = json.load(answer)["token"]
    address = f"{_address(site)}/v1.0/sendMessage"
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(_SCRIPT), address, "--", secrets.token_hex(4), token]
    return _burst(command, watched)


def spent(session: int) -> float:
    """Processor seconds of every process that runs in this session."""
    return sum(ticks for owner, ticks in _processes() if owner == session) / _TICKS


def _burst(command: list[str], watched: Mapping[str, int]) -> Burst:
    before, children = {name: spent(session) for name, session in watched.items()}, os.times()
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = os.times()
    used = {name: spent(session) - before[name] for name, session in watched.items()}
    used["client"] = after.children_user + after.children_system - children.children_user - children.children_system
    told = json.loads(next(line for line in output.splitlines() if line.startswith("JSON ")).removeprefix("JSON "))
    return Burst(spent=used, **told)


def _processes() -> Iterator[tuple[int, int]]:
    """The session of each process, and the ticks it has had."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        yield int(fields[3]), int(fields[11]) + int(fields[12])


def _address(site: Site) -> str:
    return f"http://127.0.0.1:{site.port}"
