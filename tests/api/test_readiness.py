"""A load balancer learns whether a lead sent now would be kept."""

from collections import namedtuple

import httpx
import pytest
from sqlalchemy import create_engine, text

from site_app.api import readiness
from site_app.api.office import Office
from site_app.store import StoreUnavailable
from tests.databases import ON_POSTGRES

pytestmark = pytest.mark.anyio
Usage = namedtuple("Usage", "total used free")


async def test_all_is_well(client: httpx.AsyncClient) -> None:
    answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()) == (200, {"database": True, "disk": True})


async def test_a_full_disk_is_not_ready(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: Usage(100, 99, 1))

    answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()["disk"]) == (503, False)


async def test_a_database_that_is_gone_is_not_ready(
    client: httpx.AsyncClient, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(_: object) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(office.store, "read", gone)

    answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()["database"]) == (503, False)


@ON_POSTGRES
async def test_a_database_that_may_only_be_read_is_not_ready(client: httpx.AsyncClient, office: Office, database: str) -> None:
    """What a server says that was told to take no writes; one that stands by for another says it as well."""
    named = create_engine(database)
    with named.begin() as connection:
        connection.execute(text(f"ALTER DATABASE {named.url.database} SET default_transaction_read_only = on"))
    named.dispose()
    office.store._reading.dispose()  # connections opened from now on

    answer = await client.get("/readyz")

    assert (answer.status_code, answer.json()["database"]) == (503, False)
