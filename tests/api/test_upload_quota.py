"""Uploads have a quota of the disk; leads are accepted regardless."""

import asyncio
import errno
import threading
import time
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from site_app.core.settings import Settings
from site_app.provider.api.sweep import sweep_once
from site_app.provider.http import upload_quota as upload_quota
from site_app.provider.http.call import ApiContext
from site_app.provider.http.picture_queue import PictureQueue
from site_app.provider.http.upload_quota import MEGABYTE
from site_app.provider.leads import endpoints as calls
from site_app.provider.leads.attachments import IncomingFile
from tests.support.builders import quote
from tests.support.clock import Clock
from tests.support.uploads import files, picture, send

pytestmark = pytest.mark.anyio
Usage = namedtuple("Usage", "total used free")
FILE = b"x" * 4 * MEGABYTE


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, uploads_a_day_mb=10, uploads_in_all_mb=30, trusted_proxies=("203.0.113.0/24",))


def is_refused_for_want_of_room(response: httpx.Response, status: int) -> bool:
    """Returns True for an error in the usual shape, with advice for the visitor."""
    error = response.json()["error"]
    return (
        (response.status_code, error["code"]) == (status, "no_room")
        and "without" in error["message"]
        and int(response.headers["Retry-After"]) > 0
    )


async def send_from(client: httpx.AsyncClient, address: str, content: bytes = FILE) -> httpx.Response:
    headers = {"X-Forwarded-For": address}
    return await client.post("/v1.0/attachments", files={"file": ("a.txt", content)}, headers=headers)


async def test_a_networks_bytes_a_day_are_limited(client: httpx.AsyncClient, settings: Settings, clock: Clock) -> None:
    statuses = [(await send_from(client, "198.51.100.1")).status_code for _ in range(2)]
    beyond = await send_from(client, "198.51.100.1")
    other_network = await send_from(client, "198.51.100.2")
    clock.advance(timedelta(days=1))
    tomorrow = await send_from(client, "198.51.100.1")

    assert statuses == [201, 201]
    assert is_refused_for_want_of_room(beyond, 429)
    assert (other_network.status_code, tomorrow.status_code) == (201, 201)
    assert len(files(settings)) == 4


async def test_addresses_of_one_ipv6_network_are_counted_together(client: httpx.AsyncClient) -> None:
    responses = [await send_from(client, f"2a00:1450:4001:{number:x}::1") for number in range(3)]
    other_network = await send_from(client, "2a00:1450:4002::1")

    assert [response.status_code for response in responses] == [201, 201, 429]
    assert other_network.status_code == 201


async def test_simultaneous_files_cannot_exceed_the_limit(client: httpx.AsyncClient, settings: Settings) -> None:
    responses = await asyncio.gather(*(send_from(client, "198.51.100.1") for _ in range(8)))

    assert sorted(response.status_code for response in responses) == [201, 201, *[429] * 6]
    assert len(files(settings)) == 2


async def test_refused_and_aborted_uploads_are_not_counted(client: httpx.AsyncClient) -> None:
    for _ in range(5):
        await client.post("/v1.0/attachments", files={"file": ("a.exe", FILE)}, headers={"X-Forwarded-For": "198.51.100.1"})

    assert (await send_from(client, "198.51.100.1")).status_code == 201


async def test_all_files_together_have_a_quota_and_a_lead_needs_none(
    client: httpx.AsyncClient, context: ApiContext, settings: Settings, clock: Clock, token: str
) -> None:
    responses = [await send_from(client, f"198.51.100.{number}") for number in range(9)]
    lead = await client.post("/v1.0/requestQuote", json=quote(token=token))
    clock.advance(settings.keep_unclaimed_files + timedelta(minutes=1))
    await sweep_once(context.store, settings, clock())
    after_cleanup = await send_from(client, "198.51.100.1")

    assert [response.status_code for response in responses] == [201] * 7 + [503] * 2
    assert is_refused_for_want_of_room(responses[-1], 503)
    assert (lead.status_code, after_cleanup.status_code) == (200, 201)


async def test_the_quota_holds_when_many_send_at_the_same_time(client: httpx.AsyncClient, settings: Settings) -> None:
    responses = await asyncio.gather(*(send_from(client, f"198.51.100.{number}") for number in range(12)))

    assert sum(response.status_code == 201 for response in responses) == 7
    assert sum(file.stat().st_size for file in files(settings)) <= settings.uploads_in_all_mb * MEGABYTE


async def test_the_rest_of_the_disk_is_reserved_for_leads(
    client: httpx.AsyncClient, settings: Settings, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearly_full = Usage(10**10, 0, settings.uploads_reserve_mb * MEGABYTE - 1)
    monkeypatch.setattr(upload_quota.shutil, "disk_usage", lambda _: nearly_full)

    refused = await send(client, "a.txt", b"hello")
    lead = await client.post("/v1.0/requestQuote", json=quote(token=token))
    ready = await client.get("/readyz")

    assert is_refused_for_want_of_room(refused, 503)
    assert (lead.status_code, ready.status_code) == (200, 200)


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", [(IncomingFile, "write"), (IncomingFile, "examine"), (Path, "mkdir"), (Path, "open")])
async def test_a_full_disk_is_a_clear_answer_and_leaves_nothing(
    client: httpx.AsyncClient, settings: Settings, monkeypatch: pytest.MonkeyPatch, step: tuple[type, str]
) -> None:
    await send(client, "before.txt", b"hello")
    with monkeypatch.context() as patched:
        patched.setattr(*step, full)

        response = await send(client, "a.txt", b"hello")

    assert is_refused_for_want_of_room(response, 503)
    assert len(files(settings)) == 1


async def test_a_disk_full_at_the_last_bytes_leaves_no_file(
    client: httpx.AsyncClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing writes the rest of the buffer, so it fails as well."""
    begun = IncomingFile.__enter__

    def begin(file: IncomingFile) -> IncomingFile:
        incoming = begun(file)
        incoming._file.close()
        monkeypatch.setattr(file, "_file", FullFile())
        return incoming

    monkeypatch.setattr(IncomingFile, "__enter__", begin)

    response = await send(client, "a.txt", b"hello")

    assert is_refused_for_want_of_room(response, 503)
    assert files(settings) == []


class FullFile:
    write = flush = close = full


async def test_a_text_file_does_not_wait_for_pictures(
    client: httpx.AsyncClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    waiting(monkeypatch, over)
    pictures = [asyncio.create_task(send(client, "a.png", picture())) for _ in range(12)]

    texts = [await asyncio.wait_for(send(client, "a.txt", b"hello"), 10) for _ in range(3)]
    over.set()

    assert [response.status_code for response in texts] == [201] * 3
    assert {(await upload).status_code for upload in pictures} == {201}


async def test_pictures_are_examined_one_at_a_time(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    examine, at_once, peak = IncomingFile.examine, [0], [0]

    def counted(file: IncomingFile) -> object:
        at_once[0] += 1
        peak[0] = max(peak[0], at_once[0])
        time.sleep(0.02)
        at_once[0] -= 1
        return examine(file)

    monkeypatch.setattr(IncomingFile, "examine", counted)

    await asyncio.gather(*(send(client, "a.png", picture()) for _ in range(6)))

    assert peak == [1]


async def test_a_picture_that_waits_too_long_is_refused_with_a_waiting_time(
    client: httpx.AsyncClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    begun = waiting(monkeypatch, over)
    monkeypatch.setattr(calls, "_MAX_QUEUE_SECONDS", 0.1)
    first = asyncio.create_task(send(client, "a.png", picture()))
    await asyncio.to_thread(begun.wait, 10)

    response = await send(client, "b.png", picture())
    over.set()

    assert (await first).status_code == 201
    assert (response.status_code, response.json()["error"]["code"]) == (503, "busy")
    assert int(response.headers["Retry-After"]) > 0


async def test_pictures_take_turns_by_network(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    run, networks = PictureQueue.run, []

    async def noted(queue: PictureQueue, network: str, *job: Any, **options: Any) -> object:
        networks.append(network)
        return await run(queue, network, *job, **options)

    monkeypatch.setattr(PictureQueue, "run", noted)
    for address in ("198.51.100.1", "2a00:1450:4001:1::1", "2a00:1450:4001:2::1"):
        response = await client.post(
            "/v1.0/attachments", files={"file": ("a.png", picture())}, headers={"X-Forwarded-For": address}
        )
        assert response.status_code == 201

    assert networks == ["198.51.100.1", "2a00:1450:4001::", "2a00:1450:4001::"]


def waiting(monkeypatch: pytest.MonkeyPatch, until: threading.Event) -> threading.Event:
    """Blocks every picture until then, and returns an event that is set once one has begun; text files are unaffected."""
    begun = threading.Event()
    examine: Callable[[IncomingFile], object] = IncomingFile.examine

    def wait_and_examine(file: IncomingFile) -> object:
        if file.is_picture:
            begun.set()
            until.wait(30)
        return examine(file)

    monkeypatch.setattr(IncomingFile, "examine", wait_and_examine)
    return begun
