"""No word of a visitor's reaches the log, whatever way it comes in and however badly it goes."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from site_app.api.app import make_api, opened
from site_app.api.office import Office
from site_app.logs import RequestId
from site_app.settings import Settings
from tests.api.conftest import Clock
from tests.builders import SUBMISSIONS, message
from tests.unit.mail.mail_server import mail_server
from tests.unit.test_logs import logged

pytestmark = pytest.mark.anyio

CANARY = "canary7f3k"
FORMS = {call: build for call, (_, build) in SUBMISSIONS.items()}


def canaries(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload with a canary in every text that may be anything."""
    free = {name: f"{text} {CANARY}" for name, text in payload.items() if name in FREE and isinstance(text, str)}
    return payload | free | {"email": f"{CANARY}@example.net"}


FREE = {
    "full_name", "first_name", "last_name", "company", "subject", "message", "project_description",
    "project_information", "additional_notes",
}  # fmt: skip


@pytest.fixture
def visitor(api: Starlette, office: Office, settings: Settings) -> httpx.AsyncClient:
    return visitor_of(api, settings)


def visitor_of(api: Starlette, settings: Settings) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(RequestId(api), raise_app_exceptions=False, client=("203.0.113.7", 50000))
    return httpx.AsyncClient(transport=transport, base_url="http://api.test", headers={"X-API-Key": settings.api_key})


@pytest.mark.parametrize("form", FORMS)
async def test_what_is_sent_well_or_badly_stays_out_of_the_log(visitor: httpx.AsyncClient, token: str, form: str) -> None:
    good = canaries(FORMS[form](token=token))

    with logged() as out:
        async with visitor:
            await visitor.post(f"/v1.0/{form}", json=good)
            await visitor.post(f"/v1.0/{form}", json=good | {"email": f"{CANARY}@"})
            await visitor.post(f"/v1.0/{form}", json=good | {CANARY: CANARY})
            await visitor.post(f"/v1.0/{form}", json=good | {"company": [CANARY], "key": CANARY})
            await visitor.post(f"/v1.0/{form}", content=f"{{{CANARY}")
            await visitor.post(
                f"/v1.0/{form}?{CANARY}={CANARY}", json=good, headers={"X-API-Key": CANARY, "X-Request-ID": CANARY}
            )
            await visitor.get(f"/v1.0/{form}/{CANARY}")

    assert CANARY not in out.getvalue()


async def test_a_mistake_of_ours_does_not_tell_what_was_sent(
    visitor: httpx.AsyncClient, office: Office, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(job: object) -> None:
        raise RuntimeError(f"cannot keep {CANARY}")

    monkeypatch.setattr(office.store, "write", broken)

    with logged() as out:
        async with visitor:
            answer = await visitor.post("/v1.0/sendMessage", json=canaries(message(token=token)))

    assert answer.status_code == 500
    assert '"error": "RuntimeError"' in out.getvalue()
    assert CANARY not in out.getvalue() + answer.text


async def test_a_refused_mail_does_not_tell_to_whom(settings: Settings, clock: Clock) -> None:
    async with mail_server("550", "451") as server:
        smtp = {"mail_transport": "smtp", "smtp_host": "127.0.0.1", "smtp_port": server.port, "smtp_security": "none"}
        changed = replace(settings, **smtp)
        api = make_api(changed)
        with logged() as out:
            async with opened(api, changed, clock) as office, visitor_of(api, changed) as visitor:
                token = office.tokens.form_token()
                clock.advance(timedelta(minutes=1))
                await visitor.post("/v1.0/sendMessage", json=canaries(message(token=token)))
                async with asyncio.timeout(5):
                    await server.refused.acquire()
                    await server.refused.acquire()

    assert out.getvalue().count("outbox.delayed") == 2
    assert CANARY not in out.getvalue()
