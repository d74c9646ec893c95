"""Rows 16 and 18: frames nobody's browser sends, and more of everything than one visitor can want."""

import asyncio
import json
import random
from typing import Any

from tests.builders import message
from tests.faults.bystander import Bystander
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, log_of, memory_mb, percentile, tracebacks
from tests.faults.wire import DIALOG, HYDRATE, STATE, Refused, Wire, event, packet

FAQ = f"{STATE}.site_app___states___faq____faq_state"
_ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**53, 2**70, "", "x", "\x00", "../../etc/passwd", "{{7*7}}", "x" * 3000, "字" * 500,
    [], {}, [[]], {"a": {}}, ["x"], {"__class__": "x"}, {"name": "quote"}, [1, [2, [3, [4]]]], "quote", "contact", "general_inquiries",
]  # fmt: skip
_ALLOWED = [
    (f"{DIALOG}.report", ("name", "seq")),
    (f"{FAQ}.report", ("category", "question", "seq")),
    (f"{STATE}.site_app___states___language____language_state.choose", ("language",)),
    (f"{STATE}.site_app___states___snackbar____snackbar_state.dismiss", ("serial",)),
    (f"{STATE}.reflex___state____frontend_event_exception_state.handle_frontend_exception", ("info", "component_stack")),
    (HYDRATE, ("hashes",)),
]
_FORGED = [
    packet(f"{DIALOG}.setvar", {"var_name": "show_quote_dialog", "value": True}),
    packet(f"{DIALOG}.show", {"name": "quote"}),
    packet(f"{STATE}.setvar", {"var_name": "is_hydrated", "value": False}),
    packet(f"{STATE}.hydrate"),
    packet(f"{STATE}.reflex___state____update_vars_internal_state.update_vars_internal", {"vars": {f"{DIALOG}.seq": 1}}),
    packet(HYDRATE, {"vars": {f"{DIALOG}.seq": 1}}),
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


def mutated(dice: random.Random) -> str:
    """A frame near what is allowed: the right name with odd values, or a good frame with damage."""
    name, keys = dice.choice(_ALLOWED)
    payload = {key: dice.choice(_ODD) for key in keys if dice.random() < 0.9}
    kind = dice.random()
    if kind < 0.5:
        return packet(name, payload)
    if kind < 0.6:
        return packet(name, payload | {dice.choice(("self", "extra", "token")): 1})
    if kind < 0.7:
        told = event(name, payload) | {dice.choice(("router_data", "payload", "name")): dice.choice(_ODD)}
        return "42/_event," + json.dumps(["event", told])
    if kind < 0.75:
        return dice.choice(_FORGED)
    text = list(packet(name, payload))
    for _ in range(dice.randint(1, 4)):
        text[dice.randrange(len(text))] = dice.choice('[]{}",:0123456789/_ex\\\x00\u202e字')
    return "".join(text)


async def frames(trial: Trial) -> Verdict:
    wanted = 1_500 if trial.short else 20_000
    site = trial.site(limit_events="1000000")
    sent, cut, dice = 0, 0, random.Random(20_000)

    async def attacker() -> None:
        nonlocal sent, cut
        while sent < wanted:
            try:
                wire = await Wire(site).connect()
                while sent < wanted:
                    sent += 1
                    wire.send(mutated(dice))
                    await wire.round_trip()
                wire.close()
            except Refused:
                cut += 1

    async with Bystander(site) as bystander:
        await asyncio.gather(*(attacker() for _ in range(4)))
        heard = [await _answer_to(await Wire(site).connect(), forged) for forged in _FORGED]
    ran = sum("show_quote_dialog" in answer and '"show_quote_dialog_rx_state_":true' in answer for answer in heard)
    broken, p95 = tracebacks(site), percentile(bystander.took) * 1000
    met = sent >= wanted and ran == 0 and broken == 0 and p95 <= 50
    return Verdict(
        met, f"{sent} frames, {cut} lines cut, {ran} unlisted handlers ran, {broken} tracebacks, others' p95 {p95:.0f} ms"
    )


async def _answer_to(wire: Wire, frame: str) -> str:
    """All that comes back until the line is cut."""
    heard = ""
    try:
        wire.send(frame)
        async with asyncio.timeout(3):
            while True:
                heard += await wire.receive()
    except (Refused, TimeoutError):
        return heard
    finally:
        wire.close()


async def floods(trial: Trial) -> Verdict:
    events, tokens = (2_000, 500) if trial.short else (10_000, 10_000)
    site = trial.site(limit_submissions="10/minute", limit_arrivals="2", limit_sockets="20")
    before = memory_mb(site)
    async with Bystander(site) as bystander:
        got_through = await _flood(await Wire(site).connect(), events)
        let_in = await _tokens(site, tokens)
        async with trial.client(site) as client:
            answers = [await client.post("/v1.0/sendMessage", json=message()) for _ in range(100)]
    grown, broken = memory_mb(site) - before, tracebacks(site)
    refused = [answer for answer in answers if answer.status_code == 429]
    told = all(answer.headers.get("Retry-After") for answer in refused)
    trial.close_sites()
    grown_open = await _memory_of_tokens(trial, tokens)
    p95 = percentile(bystander.took) * 1000
    met = got_through <= 100 and len(refused) >= 85 and told and p95 <= 50 and max(grown, grown_open) <= 100 and not broken
    return Verdict(
        met,
        f"of {events} events {got_through} passed before the cut; of {tokens} tokens of one address {let_in} were let in; "
        f"{len(refused)} of 100 submissions 429 with Retry-After; others' p95 {p95:.0f} ms; "
        f"memory +{grown:.0f} MB, and +{grown_open:.0f} MB where every token is let in; {len(log_of(site).splitlines())} log lines",
    )


async def _memory_of_tokens(trial: Trial, tokens: int) -> float:
    """What they cost when each comes from an address of its own: the limits of one address are lifted for that."""
    site = trial.site()
    before = memory_mb(site)
    await _tokens(site, tokens)
    return memory_mb(site) - before


async def _flood(wire: Wire, count: int) -> int:
    """Send as fast as the line takes it; how many were answered before it was cut."""
    answered = 0

    async def hear() -> None:
        nonlocal answered
        while True:
            answered += '"pong"' in await wire.receive()

    hearing = asyncio.create_task(hear())
    try:
        for number in range(count):
            wire.send('42/_event,["ping"]')
            if number % 100 == 0:
                await wire.flush()
        await asyncio.wait_for(hearing, 10)
    except (Refused, ConnectionError, TimeoutError):
        pass
    hearing.cancel()
    await asyncio.gather(hearing, return_exceptions=True)
    return answered


async def _tokens(site: Any, count: int) -> int:
    """Come with a new token each time; how many were let in."""
    came = asyncio.Semaphore(16)

    async def one() -> int:
        async with came:
            try:
                wire = await Wire(site).connect()
            except (Refused, ConnectionError, TimeoutError):
                return 0
            wire.close()
            return 1

    return sum(await asyncio.gather(*(one() for _ in range(count))))
