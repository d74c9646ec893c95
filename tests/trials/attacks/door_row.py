"""The accepted origins and hosts, and the targets of redirects."""

import asyncio
import itertools

from tests.support.site_server import Site
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, tracebacks
from tests.trials.lab.wire import Refused, Wire

_HOSTS = [
    "evil.example", "localhost.evil.example", "evil.example:3000", "127.0.0.2", "127.0.0.1.evil.example", "", "[::1]", "0.0.0.0",
    "LOCALHOST.", "localhost@evil.example", "127.0.0.1@evil.example", "xn--localhost", "localhost%00.evil.example", "127.1",
    "2130706433", "localhost,evil.example", "evil.example localhost", "localhost/evil", "*", "null",
]  # fmt: skip
_PATHS = [
    "//evil.example", "///evil.example", "/\\evil.example", "/\\/evil.example", "/%2F%2Fevil.example", "/%5Cevil.example",
    "//evil.example/..", "/%09/evil.example", "/.//evil.example", "/th//evil.example", "/services//evil.example", "/@evil.example",
    "/%0d%0aLocation:%20http://evil.example", "/%E5%98%8A%E5%98%8Devil", "http://evil.example/", "/legals/%2e%2e//evil.example",
    "/company/\\\\evil.example", "/;@evil.example", "//evil%E3%80%82example", "/https:evil.example",
]  # fmt: skip
_ECHOING = [
    "/",
    "/_event/",
    "/ping",
    "/v1.0/countries",
    "/v1.0/formToken",
    "/v1.0/pageView",
    "/contact-us",
    "/assets/x.js",
    "/nowhere",
]
_TAILS = [
    "", "/", "//", "?open=quote", "?next=//evil.example", "?url=https://evil.example#x", "/..", "/%2e%2e/", "\\", "?a=%0d%0aSet-Cookie:x=y",
]  # fmt: skip


def _origins(port: int) -> list[str | None]:
    base = f"http://127.0.0.1:{port}"
    return [
        None, "null", "*", "http://evil.example", f"https://127.0.0.1:{port}", "http://127.0.0.1", f"http://127.0.0.1:{port + 1}",
        base + "/", base + ".evil.example", base + "@evil.example", f"http://evil.example:{port}", base + " http://evil.example",
        base.upper(), "file://", "chrome-extension://abc", f"ws://127.0.0.1:{port}", f"http://127.0.0.2:{port}", f"//127.0.0.1:{port}",
        f"http://[::1]:{port}", f"http://localhost.evil.example:{port}",
    ]  # fmt: skip


async def doors(trial: Trial) -> Verdict:
    site = trial.site()
    let_in = 0
    origins = _origins(site.port)
    for origin in origins:
        try:
            (await Wire(site, origin=origin).open()).close()
            let_in += 1
        except Refused:
            pass
    wire = await Wire(site).open()
    wire.close()
    hosts = [await _ask(site, "/", host) for host in _HOSTS]
    answered = sum(status not in (400, 421) for status, _, _ in hosts)
    paths = [path + tail for path, tail in itertools.product(_PATHS, _TAILS)]
    replies = [await _ask(site, path, f"127.0.0.1:{site.port}") for path in paths]
    away = [location for _, location, _ in replies if location and not _stays(location)]
    split = sum("set-cookie" in head for _, _, head in replies)
    echoed = sum(
        "access-control-allow-origin" in head
        for _, _, head in [await _ask(site, path, f"127.0.0.1:{site.port}", "http://evil.example") for path in _ECHOING]
    )
    met = let_in == answered == split == echoed == 0 and not away and tracebacks(site) == 0
    return Verdict(
        met and not any(status >= 500 for status, _, _ in replies),
        f"{len(origins)} origins: {let_in} let in; {len(_HOSTS)} hosts: {answered} answered; "
        f"{len(paths)} redirect payloads: {len(away)} lead away {away[:3] or ''}, {split} split answers, {echoed} echoed origins",
    )


def _stays(location: str) -> bool:
    return location.startswith("/") and not location.startswith(("//", "/\\"))


async def _ask(site: Site, path: str, host: str, origin: str = "") -> tuple[int, str, str]:
    """Returns the status, the location and the whole head of the response; a client library would normalise the address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    header = f"Origin: {origin}\r\n" if origin else ""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n".encode())
    try:
        async with asyncio.timeout(10):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return 400, "", ""
    finally:
        writer.close()
    location = next((line[9:].strip() for line in head.split("\r\n") if line.lower().startswith("location:")), "")
    return int(head.split(" ")[1]), location, head.lower()
