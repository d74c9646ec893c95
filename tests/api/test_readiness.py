"""/readyz tells a load balancer if a lead sent now would be stored."""

import asyncio
import os
import re
import shutil
import sqlite3
import time
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from sqlalchemy import event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlmodel import Session

from site_app.core.settings import Settings
from site_app.provider.api import readiness
from site_app.provider.http.call import ApiContext
from site_app.provider.store import StoreUnavailable, open_engine
from tests.support.builders import message
from tests.support.databases import ON_POSTGRES, ON_SQLITE

pytestmark = pytest.mark.anyio
Usage = namedtuple("Usage", "total used free")


async def test_a_healthy_site_is_ready(client: httpx.AsyncClient) -> None:
    response = await client.get("/readyz")

    assert (response.status_code, response.json()) == (200, {"database": True, "disk": True})


async def test_a_full_disk_is_not_ready(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: Usage(100, 99, 1))

    response = await client.get("/readyz")

    assert (response.status_code, response.json()["disk"]) == (503, False)
    assert "50 MB" in response.json()["problem"]


async def test_an_unavailable_database_is_not_ready(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(_: object) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(context.store, "write", unavailable)

    response = await client.get("/readyz")

    assert (response.status_code, response.json()["database"]) == (503, False)


@ON_POSTGRES
async def test_a_read_only_database_is_not_ready(client: httpx.AsyncClient, context: ApiContext) -> None:
    """Make every transaction read-only; a standby server reports the same error."""

    def make_read_only(connection: DBAPIConnection, *_: object) -> None:
        connection.cursor().execute("SET TRANSACTION READ ONLY")

    event.listen(context.store._write_engine, "checkout", make_read_only)

    response = await client.get("/readyz")

    assert (response.status_code, response.json()["database"]) == (503, False)


async def wait_until_red(client: httpx.AsyncClient) -> tuple[float, dict[str, Any]]:
    """Returns the seconds until it reports that it is not ready, and the report; an earlier one may be repeated for a while."""
    began = time.monotonic()
    while (response := await client.get("/readyz")).status_code == 200:
        assert time.monotonic() - began < 10
        await asyncio.sleep(0.05)
    return time.monotonic() - began, response.json()


@pytest.fixture
def short_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "KEEP_SECONDS", 0.1)
    # The courier's wait at the end for a mail whose row cannot be written.
    monkeypatch.setattr("site_app.provider.outbox.courier._GRACE_SECONDS", 0.1)


def damage(file: Path) -> None:
    """Overwrites all pages of the file but the first."""
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(os.urandom(file.stat().st_size - 4096))


def cut_short(file: Path) -> None:
    os.truncate(file, 0)


def replace_by_empty(file: Path) -> None:
    file.rename(file.with_name("aside.db"))
    file.touch()


def replace_by_copy(file: Path) -> None:
    copied = file.with_name("copy.db")
    shutil.copyfile(file, copied)
    copied.rename(file)


HARMS: dict[str, Callable[[Path], object]] = {
    "damaged": damage,
    "cut short": cut_short,
    "moved": lambda file: file.rename(file.with_name("aside.db")),
    "deleted": Path.unlink,
    "its log deleted": lambda file: file.with_name(f"{file.name}-wal").unlink(),
    "replaced by an empty file": replace_by_empty,
    "replaced by a copy": replace_by_copy,
    "read-only": lambda file: file.chmod(0o444),
}


@ON_SQLITE
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.usefixtures("short_repeat")
async def test_a_broken_database_file_is_not_ready_and_no_lead_goes_into_a_lost_file(
    client: httpx.AsyncClient, context: ApiContext, settings: Settings, harm: str
) -> None:
    file, is_gone = settings.var / "site.db", harm in ("moved", "deleted")
    for _ in range(3):
        assert (await client.post("/v1.0/sendMessage", json=message())).status_code == 200
    assert (await client.get("/readyz")).status_code == 200
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)" if harm in ("damaged", "cut short") else "SELECT 1").fetchall()
    connection.close()

    HARMS[harm](file)
    lead = await client.post("/v1.0/sendMessage", json=message())
    seconds, report = await wait_until_red(client)

    assert lead.status_code in ((503,) if is_gone or harm.startswith("replaced") else (200, 503))
    assert file.exists() is not is_gone  # no empty database was created in its place
    assert seconds < 10
    assert report["database"] is False
    assert report["problem"].endswith(".")
    assert str(settings.var) not in report["problem"]


@ON_SQLITE
@pytest.mark.usefixtures("short_repeat")
async def test_a_restored_file_is_ready_again(client: httpx.AsyncClient, settings: Settings) -> None:
    file, aside = settings.var / "site.db", settings.var / "aside.db"
    file.rename(aside)
    await wait_until_red(client)

    aside.rename(file)

    responses = [await client.get("/readyz")]
    while responses[-1].status_code != 200 and len(responses) < 100:  # the earlier report may be repeated for a while
        await asyncio.sleep(0.1)
        responses.append(await client.get("/readyz"))
    assert responses[-1].status_code == 200
    assert (await client.post("/v1.0/sendMessage", json=message())).status_code == 200


@pytest.mark.usefixtures("short_repeat")
async def test_a_locked_database_is_not_ready_within_bounded_time(
    client: httpx.AsyncClient, context: ApiContext, database: str
) -> None:
    other_engine = open_engine(database, connections=1)
    with other_engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))

        seconds, report = await wait_until_red(client)
    other_engine.dispose()

    assert seconds < 5
    assert "locked" in report["problem"]


async def test_frequent_requests_cause_one_write(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[object] = []
    write = context.store.write

    async def counted(job: Callable[[Session], object]) -> object:
        writes.append(job)
        return await write(job)

    monkeypatch.setattr(context.store, "write", counted)

    responses = await asyncio.gather(*(client.get("/readyz") for _ in range(50)))

    assert {response.status_code for response in responses} == {200}
    assert len(writes) == 1


@pytest.mark.usefixtures("short_repeat")
async def test_an_unready_site_is_logged_once(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(_: object) -> None:
        raise StoreUnavailable("attempt to write a readonly database")

    monkeypatch.setattr(context.store, "write", unavailable)

    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            await client.get("/readyz")
            await asyncio.sleep(0.15)

    (line,) = [line for line in lines if line["event"] == "site.not_ready"]
    assert "read" in line["problem"]


@pytest.mark.usefixtures("short_repeat")
async def test_the_databases_own_message_is_only_in_the_log(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = 'connection failed: connection to server at "10.20.30.40", port 5432 failed: FATAL: wrong password'

    async def unavailable(_: object) -> None:
        raise StoreUnavailable(message)

    monkeypatch.setattr(context.store, "write", unavailable)

    with structlog.testing.capture_logs() as lines:
        response = await client.get("/readyz")

    assert response.status_code == 503
    assert not {"10.20.30.40", "5432", "password"} & set(re.split(r"[^\w.]+", response.text))
    assert any(message in str(line) for line in lines)


def test_the_readiness_reply_is_cached_for_seconds_only() -> None:
    assert readiness.KEEP_SECONDS <= 5  # a locked database is noticed as late again: 10 s in all
