"""Submissions, limits and mails happen once, whichever process nginx chooses.

Each mail and each reminder is sent once, although eight couriers and clocks work on the same rows.
"""

import asyncio
from collections import Counter

import httpx

from site_app.provider.store.tables import OutboxStatus
from tests.support.builders import meeting, message
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, until
from tests.trials.lab.visitors import CLIENTS, MAX_SECONDS, Outcomes, Visitors, form_token, free_slots, messages, races
from tests.trials.scale.cluster import UPLOADS_A_MINUTE, Cluster


async def one_slot(cluster: Cluster, trial: Trial) -> Verdict:
    async with trial.client(cluster.front, timeout=60) as client:
        sold, mistakes, slowest = await races(client, rounds := 1 if trial.short else 10)
    figure = f"{sold} of {rounds} rounds of {CLIENTS}: sold once and refused with 409 {mistakes or ''}, p99 {slowest:.2f} s"
    return Verdict(sold == rounds and slowest <= MAX_SECONDS, figure, sold == rounds)


async def one_key(cluster: Cluster, trial: Trial) -> Verdict:
    payload = message()
    async with trial.client(cluster.front) as client:
        responses = await asyncio.gather(*(client.post("/v1.0/sendMessage", json=payload) for _ in range(100)))
        conflict = await client.post("/v1.0/sendMessage", json=payload | {"message": "Something else altogether, I think."})
    references = {response.json().get("reference") for response in responses}
    statuses = Counter(response.status_code for response in responses)
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

        responses = await asyncio.gather(*(send(number) for number in range(attempts)))
    statuses = Counter(response.status_code for response in responses)
    announced = all(response.headers.get("Retry-After") for response in responses if response.status_code == 429)
    accepted = statuses[201] + statuses[200]
    figure = (
        f"of {attempts} uploads of one address {accepted} taken by {len(cluster.apps)} processes together; {dict(statuses)}"
    )
    return Verdict(accepted == UPLOADS_A_MINUTE and statuses[429] == attempts - accepted and announced, figure)


_CALLS = 6
_BUFFERED = 4


async def mails_once(cluster: Cluster, trial: Trial) -> Verdict:
    mailed_before = len(cluster.mailed)
    outcomes = Outcomes()
    visitors = Visitors(trial.client(cluster.front), messages(), outcomes)
    await visitors.arrive_for(1 if trial.short else 4)
    await visitors.leave()
    references = [*outcomes.acknowledged.values(), *await _calls(cluster, trial)]

    async def all_sent() -> bool:
        return _waiting(cluster) == 0

    await until(all_sent, seconds=60)
    await _remind(cluster)
    reminders = cluster.rows("SELECT count(*) FROM outbox WHERE strpos(template, 'reminder') > 0")[0][0]
    rows = cluster.rows(
        "SELECT message_id FROM outbox WHERE reference = ANY(%s) AND status <> %s", [references, OutboxStatus.WITHHELD]
    )
    # a withheld mail is a row as well: every lead and call has one
    ((told_of,),) = cluster.rows("SELECT count(DISTINCT reference) FROM outbox WHERE reference = ANY(%s)", [references])
    times = Counter(cluster.mailed[mailed_before:])
    missing = sum(times[str(mail_id)] == 0 for (mail_id,) in rows)
    doubled = sum(times[str(mail_id)] > 1 for (mail_id,) in rows)
    figure = (
        f"{len(rows)} mails of {len(references)} leads and calls: {missing} missing, {doubled} twice; "
        f"{reminders} reminders of {_CALLS} calls to visitor and host, with every worker looking at the same moment"
    )
    return Verdict(missing == doubled == 0 and told_of == len(references) and reminders == 2 * _CALLS, figure)


def _waiting(cluster: Cluster) -> int:
    """Returns the mails still to be sent; those past the daily share of their address are withheld."""
    return cluster.rows("SELECT count(*) FROM outbox WHERE status = ANY(%s)", [[OutboxStatus.WAITING, OutboxStatus.SENDING]])[
        0
    ][0]


async def _calls(cluster: Cluster, trial: Trial) -> list[str]:
    """Books calls two weeks ahead, where the races of other rows took no slots."""
    async with trial.client(cluster.front) as client:
        token, slots = await form_token(client), await free_slots(client)
        picked = slots[-_BUFFERED * _CALLS :: _BUFFERED]
        responses = [await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token)) for slot in picked]
    return [response.json()["reference"] for response in responses]


async def _remind(cluster: Cluster) -> None:
    """Makes the reminders due while the workers are stopped; on their start all look at once."""
    for app in cluster.apps:
        await asyncio.to_thread(app.stop)
    newest = "SELECT id FROM meeting ORDER BY starts_at DESC LIMIT %s"
    cluster.rows(f"UPDATE meeting SET remind_at = now() WHERE id IN ({newest}) RETURNING id", [_CALLS])
    await asyncio.gather(*(asyncio.to_thread(app.start) for app in cluster.apps))

    async def all_sent() -> bool:
        due = cluster.rows("SELECT count(*) FROM meeting WHERE remind_at <= now()")[0][0]
        return due == 0 and _waiting(cluster) == 0

    await until(all_sent, seconds=60)
