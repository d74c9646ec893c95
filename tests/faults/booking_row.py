"""Row 1: two hundred people want one slot."""

from datetime import timedelta

import httpx

from site_app.api.app import make_api, opened
from site_app.settings import Settings
from tests.bench.booking import CLIENTS, NOW, ROUNDS, race
from tests.databases import empty_database
from tests.faults.scorecard import Verdict
from tests.faults.trial import FREE, Trial

_BUFFERED = 4  # slots apart, so that no round's buffer touches the next


async def one_slot(trial: Trial) -> Verdict:
    """On SQLite, or with TEST_POSTGRES_URL set on PostgreSQL; clients and API share a process."""
    rounds = 2 if trial.short else ROUNDS
    sold, slowest, others = [], 0.0, set[int]()
    with empty_database(trial.room) as url:
        settings = Settings(
            var=trial.room, database_url=url, limit_submissions=FREE, limit_reads=FREE, minimum_filling_time=timedelta(0)
        )
        api = make_api(settings)
        transport = httpx.ASGITransport(api, client=("203.0.113.7", 50000))
        async with (
            opened(api, settings, lambda: NOW) as office,
            httpx.AsyncClient(transport=transport, base_url="http://api.test", headers={"X-API-Key": "website"}) as client,
        ):
            token = office.tokens.form_token()
            slots = [one["id"] for one in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]
            for slot in slots[: _BUFFERED * rounds : _BUFFERED]:
                statuses, p99 = await race(client, slot, token)
                sold.append(statuses[200] + statuses[201])
                others |= statuses.keys() - {200, 201}
                slowest = max(slowest, p99)
    kind = url.partition(":")[0].partition("+")[0]
    return Verdict(
        sold == [1] * rounds and others == {409} and slowest <= 2.5,
        f"{kind}, {rounds} rounds of {CLIENTS}: sold {sorted(set(sold))} times each, the others {sorted(others)}, p99 {slowest:.2f} s",
    )
