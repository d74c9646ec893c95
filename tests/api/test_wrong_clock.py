"""A clock that is wrong by years at a start loses no lead and delays no mail."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.provider.api.app import open_provider
from site_app.provider.api.sweep import sweep_once
from site_app.provider.outbox.rows import MAX_WAIT
from site_app.provider.store.clock import ClockDoubted
from site_app.provider.store.tables import Lead, Outbox
from tests.support.builders import message
from tests.support.clients import client_of
from tests.support.clock import Clock
from tests.support.site_server import free_port
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def mails_stay_in_outbox() -> None:
    """Replaces the fixture of all API tests: here the courier tries to send the mails."""


@pytest.mark.parametrize("days", [-3000, 800])
async def test_leads_accepted_under_a_wrong_clock_are_stored_and_mailed_later(
    api: Starlette, settings: Settings, clock: Clock, days: int
) -> None:
    closed = replace(settings, mail_transport="smtp", smtp_host="127.0.0.1", smtp_port=free_port(), smtp_security="none")
    async with open_provider(api, closed, clock) as context:
        await sweep_once(context.store, closed, clock())

    clock.advance(timedelta(days=days))
    async with open_provider(api, closed, clock) as context, client_of(api, X_API_Key="website") as client:
        assert (await client.post("/v1.0/sendMessage", json=message())).status_code == 200
        while not all(row.attempts for row in await rows_in(context.store, Outbox)):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        with pytest.raises(ClockDoubted):
            await sweep_once(context.store, closed, clock())

    clock.advance(timedelta(days=-days))
    async with open_provider(api, closed, clock) as context:
        await sweep_once(context.store, closed, clock())
        assert len(await rows_in(context.store, Lead)) == 1
        for row in await rows_in(context.store, Outbox):
            assert row.next_attempt_at <= clock() + 1.2 * MAX_WAIT
