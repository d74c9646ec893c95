"""Frames that no browser sends, and more events and sockets than one visitor needs."""

import asyncio
import functools
import inspect
import json
import random
import re
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from reflex_base.registry import RegistrationContext

from site_app.plugins.socket_guard import EventTable
from site_app.plugins.socket_guard.events import PayloadRefused
from site_app.plugins.socket_guard.frames import FrameRefused, Frames
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.site_app import app
from tests.support.builders import SUBMISSIONS, message
from tests.support.site_server import Site
from tests.trials.attacks.bystander import Bystander
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, log_of, memory_mb, percentile, tracebacks
from tests.trials.lab.wire import DIALOG, FAQ, START, Refused, Wire, event, packet

_EVENTS, _BURST = 20, 60  # per second, and the burst: the defaults
_ARRIVALS, _ARRIVAL_BURST = 2, 20  # per second, and the seconds in one burst
_SEQ = re.compile(r'dialog_state":\{[^{}]*"seq_rx_state_":(\d+)')
_REFUSAL = "The server refused an event"
_PING = '42/_event,["ping"]'
_ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**53, 2**70, "", "x", "\x00", "../../etc/passwd", "{{7*7}}", "x" * 3000, "字" * 500,
    [], {}, [[]], {"a": {}}, ["x"], {"__class__": "x"}, {"name": "quote"}, [1, [2, [3, [4]]]], "quote", "contact", "general_inquiries",
]  # fmt: skip
_ODD_PATHS = (
    "", "[", "]/", "//[", "/[", "?", "#", "\\", "@example.net/", ":99999/", "℀/", "/" + "x" * 3000, "/?" + "a&" * 500, "/?cls=1&self=2",
    "/%00%ff", "/faq",
)  # fmt: skip
assert app  # importing it registers every state
_HANDLERS = RegistrationContext.get().event_handlers
_BOUND = BoundEvents(Path(__file__).parents[3] / ".web/backend/bound_events.json")
_TABLE = EventTable(_BOUND, _HANDLERS)
_STATES = {name.rpartition(".")[0] for name in _HANDLERS}


def _parameters(name: str) -> Mapping[str, Any]:
    """Returns the annotation of each parameter of a handler."""
    _state, *parameters = inspect.signature(_HANDLERS[name].handler.fn).parameters.values()
    return {parameter.name: parameter.annotation for parameter in parameters}


def _unlisted() -> list[str]:
    """Returns every handler that no page binds, and the methods of every state."""
    methods = (f"{state}.{method}" for state in _STATES for method in ("setvar", "_x", "__init__", "get_delta", "reset"))
    return sorted({*_HANDLERS, *methods} - _BOUND())


_PAYLOADS: list[dict[str, Any]] = [
    {}, {"name": "quote"}, {"var_name": "show_quote_dialog", "value": True}, {"var_name": "seq", "value": 1}, {"vars": {f"{DIALOG}.seq": 1}},
    {"value": True}, {"category": "services", "question": "x"},
]  # fmt: skip


@functools.cache
def _forged() -> list[str]:
    """Returns frames that no page sends: each must close the connection."""
    return [
        *(packet(name, payload) for name in _unlisted() for payload in _PAYLOADS),
        '42/_event,["connect",{"REMOTE_ADDR":"6.6.6.6","asgi.scope":{"client":["6.6.6.6",1]}}]',
        '42/_event,["disconnect"]',
        "40/_event,{}",
        '42["event",{}]',
        '451-/_event,["event",{"_placeholder":true,"num":0}]',
        '42/_event,["event",' + "[" * 500 + "]" * 500 + "]",
        '42/_event,["event",{"name":"x","payload":{"n":NaN}}]',
        "4" * 70_000,
        "1",
        "0{}",
    ]


def _mistyped(dice: random.Random) -> str:
    """Returns an event that a page binds, with a payload that its handler refuses."""
    while True:
        name = dice.choice(sorted(_BOUND()))
        payload = {key: dice.choice(_ODD) for key in _parameters(name)} | ({"extra": 1} if dice.random() < 0.2 else {})
        frames = Frames(_TABLE)
        frames.check("40/_event,")
        with suppress(FrameRefused):  # such as a number with too many digits, which no browser writes
            try:
                frames.check(packet(name, payload))
            except PayloadRefused:
                return packet(name, payload)


def mutated(dice: random.Random) -> str:
    """Returns a frame near the limits: the right name with odd values, or a valid frame with damage."""
    name = dice.choice(sorted(_BOUND()))
    payload = {key: _value(str(annotation), dice) for key, annotation in _parameters(name).items() if dice.random() < 0.9}
    kind = dice.random()
    if kind < 0.5:
        return packet(name, payload)
    if kind < 0.6:
        return packet(name, payload | {dice.choice(("self", "extra", "token")): 1})
    if kind < 0.65:
        mutations = {
            key: dice.choice((*_ODD_PATHS, dice.choice(_ODD))) for key in ("pathname", "asPath", "query") if dice.random() < 0.8
        }
        return "42/_event," + json.dumps(["event", event(name, payload) | {"router_data": mutations}])
    if kind < 0.7:
        frame_event = event(name, payload) | {dice.choice(("router_data", "payload", "name")): dice.choice(_ODD)}
        return "42/_event," + json.dumps(["event", frame_event])
    if kind < 0.75:
        return dice.choice(_forged())
    text = list(packet(name, payload))
    for _ in range(dice.randint(1, 4)):
        text[dice.randrange(len(text))] = dice.choice('[]{}",:0123456789/_ex\\\x00\u202e字')
    return "".join(text)


def _value(kind: str, dice: random.Random) -> Any:
    """Returns a payload as a page would send it, a form with some odd values, or in one case of three anything."""
    if dice.random() < 1 / 3:
        return dice.choice(_ODD)
    if "dict" in kind:
        _, build = dice.choice([*SUBMISSIONS.values()])
        record = build()
        return record | {dice.choice([*record]): dice.choice(_ODD)}
    if "list" in kind:
        return ["x"]
    if "int" in kind or "float" in kind:
        return dice.randrange(100)
    return dice.choice(("", "quote", "services", "th", uuid.uuid4().hex))


async def frames(trial: Trial) -> Verdict:
    target = 1_500 if trial.short else 20_000
    site = trial.site(limit_events="1000000")
    sent, cut, dice = 0, 0, random.Random(20_000)

    async def attacker() -> None:
        nonlocal sent, cut
        while sent < target:
            try:
                wire = await Wire(site).connect()
                while sent < target:
                    sent += 1
                    wire.send(mutated(dice))
                    await wire.round_trip()
                wire.close()
            except Refused:
                cut += 1

    async with Bystander(site) as bystander:
        await asyncio.gather(*(attacker() for _ in range(4)))
        forged = _forged()[:: 7 if trial.short else 1]
        ran = [frame[:200] for frame in forged if not await _is_cut_at(site, frame)]
        mistyped = (1_500 if trial.short else 20_000) - len(forged)
        answered = await _answered(site, [_mistyped(dice) for _ in range(mistyped)])
    broken, p95 = tracebacks(site), percentile(bystander.seconds) * 1000
    met = sent >= target and not ran and not answered and broken == 0 and p95 <= 50
    return Verdict(
        met,
        f"{sent} frames by {len(_BOUND())} events, {cut} lines cut; of {len(forged)} forged events {len(ran)} were not cut at once "
        f"{ran[:2] or ''}; of {mistyped} mistyped ones {len(answered)} were answered or cut {answered[:2] or ''}; "
        f"{broken} tracebacks, others' p95 {p95:.0f} ms",
    )


async def _answered(site: Site, mistyped: list[str]) -> list[str]:
    """Returns the events that were not simply dropped: each is followed by a ping, and only the refusal may come before its pong."""
    wire = await _greeted(site)
    answered = []
    for frame in mistyped:
        try:
            wire.send(frame)
            wire.send(_PING)
            async with asyncio.timeout(20):
                reply = await _reply(wire)
            if '"pong"' not in reply:
                answered.append(frame[:200])
                await wire.round_trip()
        except (Refused, TimeoutError):
            answered.append(frame[:200])
            wire.close()
            wire = await _greeted(site)
    wire.close()
    return answered


async def _reply(wire: Wire) -> str:
    """Returns the next frame that is not the guard's sentence for the browser's console."""
    while _REFUSAL in (reply := await wire.receive()):
        pass
    return reply


async def _greeted(site: Site) -> Wire:
    """Returns a connection that has received every greeting."""
    wire = await Wire(site).connect()
    greeting = ""
    async with asyncio.timeout(20):
        while 'is_hydrated_rx_state_":true' not in greeting:
            greeting = await wire.receive()
    await wire.round_trip()
    return wire


async def _is_cut_at(site: Site, frame: str) -> bool:
    """Returns True if the frame closes the connection without another answer than the refusal, after the greeting."""
    wire = await _greeted(site)
    try:
        async with asyncio.timeout(20):
            wire.send(frame)
            await _reply(wire)
        return False
    except Refused:
        return True
    except TimeoutError:
        return False
    finally:
        wire.close()


async def floods(trial: Trial) -> Verdict:
    events, tokens = (2_000, 500) if trial.short else (10_000, 10_000)
    site = trial.site(limit_submissions="10/minute", limit_arrivals=str(_ARRIVALS), limit_sockets="20")
    initial_mb = memory_mb(site)
    async with Bystander(site) as bystander:
        answered, allowed = await _at_the_limit(site)
        ran, most_events = await _flood(site, events)
        began = time.monotonic()
        let_in = await _tokens(site, tokens)
        most_in = (_ARRIVAL_BURST + time.monotonic() - began) * _ARRIVALS
        async with trial.client(site) as client:
            responses = [await client.post("/v1.0/sendMessage", json=message()) for _ in range(100)]
    grown, broken = memory_mb(site) - initial_mb, tracebacks(site)
    refused = [response for response in responses if response.status_code == 429]
    announced = all(response.headers.get("Retry-After") for response in refused)
    trial.close_sites()
    (reading, broken_there), (acting, broken_too) = [
        await _memory_of_tokens(trial, tokens, acting=is_acting) for is_acting in (False, True)
    ]
    broken += broken_there + broken_too
    p95 = percentile(bystander.seconds) * 1000
    contained = answered == allowed and ran <= most_events and let_in <= most_in and len(refused) >= 85 and announced
    return Verdict(
        contained and p95 <= 50 and max(grown, reading, acting) <= 100 and not broken,
        f"within the limit {answered} of {allowed} events answered; of {events} at once {ran} ran and the line was {'cut' if most_events < events else 'left open'}; "
        f"of {tokens} tokens of one address {let_in} were let in; {len(refused)} of 100 submissions 429 with Retry-After; others' p95 {p95:.0f} ms; "
        f"memory {grown:+.0f} MB; where every token is let in {reading:+.0f} MB, and {acting:+.0f} MB if each opens a dialog; {len(log_of(site).splitlines())} log lines",
    )


async def _at_the_limit(site: Site) -> tuple[int, int]:
    """Sends as many events as allowed, at once and then second by second; returns the answered and the sent events."""
    wire = await Wire(site).connect()
    await asyncio.sleep(1)  # make up for the cost of connecting
    seqs = iter(range(1, 1 + _BURST + 2 * _EVENTS))
    sequences: set[int] = set()
    try:
        for seq in islice(seqs, _BURST):
            wire.send(_report(seq))
        await _receive_until(wire, sequences, until=_BURST)
        due = time.monotonic() + 0.25
        for seq in seqs:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            wire.send(_report(seq))
            due += 1 / _EVENTS
        await _receive_until(wire, sequences, until=_BURST + 2 * _EVENTS)
    except Refused:
        pass
    wire.close()
    return len(sequences), _BURST + 2 * _EVENTS


async def _receive_until(wire: Wire, sequences: set[int], *, until: int) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            while until not in sequences:
                sequences |= {int(seq) for seq in _SEQ.findall(await wire.receive())} - {0}


async def _flood(site: Site, count: int) -> tuple[int, float]:
    """Sends as fast as possible: returns the events that ran, and the limit until the connection was cut."""
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
    most_events = _BURST + _EVENTS * (time.monotonic() - began) + 1 if cut else count
    return await _newest(site, token), most_events


async def _newest(site: Site, token: str) -> int:
    """Returns the number of the newest event that a visitor's state has seen, once nothing runs any more."""
    await asyncio.sleep(2)
    wire = await Wire(site, token=token).connect()
    wire.send(packet(f"{FAQ}.report", {"category": "services", "question": "", "seq": 1}))
    received = ""
    async with asyncio.timeout(10):
        while "faq_state" not in received or not _SEQ.search(received):
            received += await wire.receive()
    wire.close()
    return max(map(int, _SEQ.findall(received)))


def _report(seq: int) -> str:
    return packet(f"{DIALOG}.report", {"name": "quote" if seq % 2 else "", "seq": seq})


async def _memory_of_tokens(trial: Trial, tokens: int, *, acting: bool) -> tuple[float, int]:
    """Returns the memory and tracebacks of tokens that each come from their own address; the limits for one address are lifted."""
    site = trial.site()
    initial_mb = memory_mb(site)
    await _tokens(site, tokens, acting=acting)
    grown, broken = memory_mb(site) - initial_mb, tracebacks(site)
    trial.close_sites()
    return grown, broken


async def _tokens(site: Site, count: int, *, acting: bool = False) -> int:
    """Connects with a new token each time, and opens a dialog or not; returns the number of admitted visitors."""
    limit = asyncio.Semaphore(16)

    async def connect() -> int:
        async with limit:
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

    return sum(await asyncio.gather(*(connect() for _ in range(count))))
