"""Row 13: thousands of clients that take their time, and what a visitor notices of them."""

import asyncio
from contextlib import suppress

from tests.faults.bystander import Bystander
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, percentile, tracebacks

_HEAD = b"POST /v1.0/sendMessage HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: website\r\nContent-Type: application/json\r\n"
_KINDS = {
    "nothing said": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
    "half a body": _HEAD + b"Content-Length: 4000\r\n\r\n{",
}


async def slow_clients(trial: Trial) -> Verdict:
    each = 300 if trial.short else 1500
    site = trial.site()
    lines: list[asyncio.StreamWriter] = []
    try:
        async with Bystander(site, "http") as bystander:
            for said in _KINDS.values():
                lines += [await _begin(site.port, said) for _ in range(each)]
                for _ in range(3 if trial.short else 10):
                    await _drip(lines)
    finally:
        for line in lines:
            line.close()
    p95 = percentile(bystander.took) * 1000
    met = p95 <= 500 and bystander.refused == 0 and tracebacks(site) == 0
    return Verdict(
        met, f"{each} × {len(_KINDS)} kinds: a page and a lead take p95 {p95:.0f} ms together, {bystander.refused} refused"
    )


async def _begin(port: int, said: bytes) -> asyncio.StreamWriter:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    return writer


async def _drip(lines: list[asyncio.StreamWriter]) -> None:
    """A byte more on each line that has begun to speak, within half a second or so."""
    for line in lines:
        with suppress(ConnectionError):
            if not line.is_closing():
                line.write(b"x")
    await asyncio.sleep(0.5)
