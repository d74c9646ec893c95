"""A visitor's open dialogs are restored after their process was killed."""

import asyncio
import json
import uuid

from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, kill_all
from tests.trials.lab.wire import DIALOG, HYDRATE, Refused, Wire, event, packet
from tests.trials.scale.cluster import Cluster

_OPEN = '"show_quote_dialog_rx_state_":true'


async def state_survives(cluster: Cluster, trial: Trial) -> Verdict:
    visitors = 20 if trial.short else 100
    tokens = [str(uuid.uuid4()) for _ in range(visitors)]
    wires = await asyncio.gather(*(_connected(cluster, token) for token in tokens))
    victim = cluster.apps[0]
    kill_all(victim)
    cut = await asyncio.gather(*(wire.is_closed(3) for wire in wires))
    for wire in wires:
        wire.close()
    replies = await asyncio.gather(
        *(_reconnected(cluster, token) for token, was_cut in zip(tokens, cut, strict=True) if was_cut)
    )
    await asyncio.to_thread(victim.start)
    restored, renamed = sum(_OPEN in reply for reply in replies), sum('"new_token"' in reply for reply in replies)
    figure = f"{len(replies)} of {visitors} visitors were cut off: {restored} found their dialog open, {renamed} were given a new token"
    intact = len(replies) > 0 and renamed == 0
    return Verdict(intact and restored == len(replies), figure, intact)


async def _connected(cluster: Cluster, token: str) -> Wire:
    """Connects a visitor with the quote dialog open, and waits until Redis has it."""
    wire = await Wire(cluster.front, token=token).connect()
    wire.send(packet(f"{DIALOG}.report", {"name": "quote", "seq": 1}))
    async with asyncio.timeout(20):
        while _OPEN not in await wire.receive():
            pass
    return wire


async def _reconnected(cluster: Cluster, token: str) -> str:
    """Returns everything a visitor receives within some seconds of reconnecting with their token."""
    wire = await Wire(cluster.front, token=token).open()
    wire.send(f'40/_event,{{"event":{json.dumps(event(HYDRATE))}}}')
    received = ""
    try:
        async with asyncio.timeout(8):
            while _OPEN not in received:
                received += await wire.receive()
    except (Refused, TimeoutError):
        pass
    wire.close()
    return received
