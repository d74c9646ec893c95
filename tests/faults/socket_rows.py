"""Row 18: more of everything than one visitor can want."""

import asyncio
import re
import time
import uuid
from contextlib import suppress
from itertools import islice

from tests.browser.server import Site
from tests.builders import message
from tests.faults.bystander import Bystander
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, log_of, memory_mb, percentile, tracebacks
from tests.faults.wire import DIALOG, FAQ, START, Refused, Wire, packet

_EVENTS, _BURST = 20, 60  # a second, and at once: the defaults
_ARRIVALS, _ARRIVAL_BURST = 2, 20  # a second, and how many seconds' worth at once
_SEQ = re.compile(r'dialog_state":\{[^{}]*"seq_rx_state_":(\d+)')


async def floods(trial: Trial) -> Verdict:
    events, tokens = (2_000, 500) if trial.short else (10_000, 10_000)
    site = trial.site(limit_submissions="10/minute", limit_arrivals=str(_ARRIVALS), limit_sockets="20")
    before = memory_mb(site)
    async with Bystander(site) as bystander:
        answered, within = await _at_the_limit(site)
        ran, most = await _flood(site, events)
        began = time.monotonic()
        let_in = await _tokens(site, tokens)
        most_in = (_ARRIVAL_BURST + time.monotonic() - began) * _ARRIVALS
        async with trial.client(site) as client:
            answers = [await client.post("/v1.0/sendMessage", json=message()) for _ in range(100)]
    grown, broken = memory_mb(site) - before, tracebacks(site)
    refused = [answer for answer in answers if answer.status_code == 429]
    told = all(answer.headers.get("Retry-After") for answer in refused)
    trial.close_sites()
    (reading, broken_there), (acting, broken_too) = [
        await _memory_of_tokens(trial, tokens, acting=one) for one in (False, True)
    ]
    broken += broken_there + broken_too
    p95 = percentile(bystander.took) * 1000
    contained = answered == within and ran <= most and let_in <= most_in and len(refused) >= 85 and told
    return Verdict(
        contained and p95 <= 50 and max(grown, reading, acting) <= 100 and not broken,
        f"within the limit {answered} of {within} events answered; of {events} at once {ran} ran and the line was {'cut' if most < events else 'left open'}; "
        f"of {tokens} tokens of one address {let_in} were let in; {len(refused)} of 100 submissions 429 with Retry-After; others' p95 {p95:.0f} ms; "
        f"memory {grown:+.0f} MB; where every token is let in {reading:+.0f} MB, and {acting:+.0f} MB if each opens a dialog; {len(log_of(site).splitlines())} log lines",
    )


async def _at_the_limit(site: Site) -> tuple[int, int]:
    """A visitor who sends all he may, at once and then second by second: how many of how many events are answered."""
    wire = await Wire(site).connect()
    await asyncio.sleep(1)  # what connecting cost is made good
    seqs = iter(range(1, 1 + _BURST + 2 * _EVENTS))
    heard: set[int] = set()
    try:
        for seq in islice(seqs, _BURST):
            wire.send(_report(seq))
        await _hear(wire, heard, until=_BURST)
        due = time.monotonic() + 0.25
        for seq in seqs:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            wire.send(_report(seq))
            due += 1 / _EVENTS
        await _hear(wire, heard, until=_BURST + 2 * _EVENTS)
    except Refused:
        pass
    wire.close()
    return len(heard), _BURST + 2 * _EVENTS


async def _hear(wire: Wire, heard: set[int], *, until: int) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            while until not in heard:
                heard |= {int(seq) for seq in _SEQ.findall(await wire.receive())} - {0}


async def _flood(site: Site, count: int) -> tuple[int, float]:
    """Send as fast as the line takes it: how many events ran, and how many might have until the line was cut."""
    token = str(uuid.uuid4())
    wire = await Wire(site, token=token).connect()
    began = time.monotonic()
    try:
        for seq in range(1, count + 1):
            wire.send(_report(seq))
            if seq % 100 == 0:
                await wire.flush()
    except (Refused, ConnectionError):
        pass
    cut = await wire.is_closed(10)
    wire.close()
    most = _BURST + _EVENTS * (time.monotonic() - began) + 1 if cut else count
    return await _newest(site, token), most


async def _newest(site: Site, token: str) -> int:
    """The number of the newest event that a visitor's state knows, asked when nothing he sent runs any more."""
    await asyncio.sleep(2)
    wire = await Wire(site, token=token).connect()
    wire.send(packet(f"{FAQ}.report", {"category": "services", "question": "", "seq": 1}))
    told = ""
    async with asyncio.timeout(10):
        while "faq_state" not in told or not _SEQ.search(told):
            told += await wire.receive()
    wire.close()
    return max(map(int, _SEQ.findall(told)))


def _report(seq: int) -> str:
    return packet(f"{DIALOG}.report", {"name": "quote" if seq % 2 else "", "seq": seq})


async def _memory_of_tokens(trial: Trial, tokens: int, *, acting: bool) -> tuple[float, int]:
    """What they cost when each comes from an address of its own: the limits of one address are lifted for that; and tracebacks."""
    site = trial.site()
    before = memory_mb(site)
    await _tokens(site, tokens, acting=acting)
    grown, broken = memory_mb(site) - before, tracebacks(site)
    trial.close_sites()
    return grown, broken


async def _tokens(site: Site, count: int, *, acting: bool = False) -> int:
    """Come with a new token each time, and open a dialog there or not; how many were let in."""
    came = asyncio.Semaphore(16)

    async def one() -> int:
        async with came:
            try:
                wire = await Wire(site).connect()
                if acting:
                    wire.send(packet(START))
                    wire.send(_report(1))
                    async with asyncio.timeout(20):
                        while "1" not in _SEQ.findall(await wire.receive()):
                            pass
            except (Refused, ConnectionError, TimeoutError):
                return 0
            wire.close()
            return 1

    return sum(await asyncio.gather(*(one() for _ in range(count))))
