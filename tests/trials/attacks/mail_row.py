"""Mail server faults never affect visitors, and every mail is sent in the end."""

import asyncio
import time
import uuid
from collections import Counter
from contextlib import AsyncExitStack

from tests.support.builders import message
from tests.support.mail_server import closed_port, mail_server
from tests.support.site_server import Site
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, database, percentile, until
from tests.trials.lab.visitors import form_token

_FAULTS = ("slow", "421", "451", "550", "stalled", "dropped after DATA", "rude at QUIT")
_WAIT = 100  # seconds: the first retry comes after 30 s, the second after 60 more


async def mail_trouble(trial: Trial) -> Verdict:
    """Applies each fault to one mail among many, after a time with the server down."""
    leads = 12 if trial.short else 60
    took: list[float] = []
    port = await closed_port()
    site = trial.site(
        mail_transport="smtp", smtp_host="127.0.0.1", smtp_port=str(port), smtp_security="none", smtp_timeout="3s"
    )
    async with AsyncExitStack() as stack, trial.client(site) as client:
        token = await form_token(client)

        async def send(count: int) -> None:
            for _ in range(count):
                began = time.monotonic()
                response = await client.post(
                    "/v1.0/sendMessage", json=message(token=token, email=f"{uuid.uuid4().hex[:8]}@example.com")
                )
                took.append(time.monotonic() - began)
                assert response.status_code == 200
                await asyncio.sleep(0.05)

        await send(2)  # the server is down
        server = await stack.enter_async_context(mail_server(*_FAULTS, port=port))
        await send(leads)
        first = time.monotonic()

        async def others_went() -> bool:
            return _sent(site) >= 2 * leads - len(_FAULTS)

        held_up = await until(others_went, seconds=30)

        async def all_went() -> bool:
            return _sent(site) == 2 * (leads + 2)

        await until(all_went, seconds=_WAIT)
        duration = time.monotonic() - first
    ids = Counter(str(mail["Message-ID"]) for mail in server.accepted)
    repeated = [message_id for message_id, times in ids.items() if times > 1]
    p95 = percentile(took) * 1000
    met = len(ids) == 2 * (leads + 2) and p95 <= 300
    return Verdict(
        met,
        f"{len(ids)} of {2 * (leads + 2)} mails sent, the last after {duration:.0f} s; {len(repeated)} twice, under the same Message-ID "
        f"(answer lost after DATA); the undisturbed after {held_up:.1f} s; submit p95 {p95:.0f} ms",
    )


def _sent(site: Site) -> int:
    with database(site) as rows:
        return rows.execute("SELECT count(*) FROM outbox WHERE status = 'sent'").fetchone()[0]
