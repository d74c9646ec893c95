"""Rows 1 to 3: events that must happen and count once, whichever process nginx chooses."""

import asyncio
from collections import Counter

import httpx

from tests.builders import message
from tests.trials.lab.races import CLIENTS, MOST_SECONDS, races
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial
from tests.trials.scale.cluster import UPLOADS_A_MINUTE, Cluster


async def one_slot(cluster: Cluster, trial: Trial) -> Verdict:
    async with trial.client(cluster.front, timeout=60) as client:
        sold, mistakes, slowest = await races(client, rounds := 1 if trial.short else 10)
    figure = f"{sold} of {rounds} rounds of {CLIENTS}: sold once and refused with 409 {mistakes or ''}, p99 {slowest:.2f} s"
    return Verdict(sold == rounds and slowest <= MOST_SECONDS, figure, sold == rounds)


async def one_key(cluster: Cluster, trial: Trial) -> Verdict:
    payload = message()
    async with trial.client(cluster.front) as client:
        answers = await asyncio.gather(*(client.post("/v1.0/sendMessage", json=payload) for _ in range(100)))
        conflict = await client.post("/v1.0/sendMessage", json=payload | {"message": "Something else altogether, I think."})
    references = {answer.json().get("reference") for answer in answers}
    statuses = Counter(answer.status_code for answer in answers)
    leads = cluster.rows("SELECT count(*) FROM lead WHERE reference = ANY(%s)", [list(references)])[0][0]
    figure = f"{leads} made, {dict(statuses)} with {len(references)} reference; other words: {conflict.status_code}"
    return Verdict(leads == 1 and statuses == {200: 100} and len(references) == 1 and conflict.status_code == 422, figure)


async def one_count(cluster: Cluster, trial: Trial) -> Verdict:
    """Uploads are limited here; the visitor claims to be somebody else each time, in vain."""
    attempts = 3 * UPLOADS_A_MINUTE
    gate = asyncio.Semaphore(8)
    async with trial.client(cluster.front) as client:

        async def send(number: int) -> httpx.Response:
            async with gate:
                forged = {"X-Forwarded-For": f"198.51.100.{number}"}
                return await client.post(
                    "/v1.0/attachments", files={"file": ("a.txt", b"a word", "text/plain")}, headers=forged
                )

        answers = await asyncio.gather(*(send(number) for number in range(attempts)))
    statuses = Counter(answer.status_code for answer in answers)
    announced = all(answer.headers.get("Retry-After") for answer in answers if answer.status_code == 429)
    accepted = statuses[201] + statuses[200]
    figure = (
        f"of {attempts} uploads of one address {accepted} taken by {len(cluster.apps)} processes together; {dict(statuses)}"
    )
    return Verdict(accepted == UPLOADS_A_MINUTE and statuses[429] == attempts - accepted and announced, figure)
