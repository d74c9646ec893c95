"""Row 29: strangers send files as fast as they are allowed to, for a day; the disk stays the site's own."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from site_app.api import app
from site_app.api.app import make_api, opened
from site_app.api.office import Office
from site_app.api.sweeping import sweep_once
from site_app.services.upload_quota import MEGABYTE
from site_app.settings import Settings
from tests.builders import message
from tests.faults.scorecard import Verdict
from tests.faults.trial import FREE, Trial

_PER_HOUR = 120  # files of one address, as SITE_LIMIT_UPLOADS lets through
_OTHERS = 20  # networks an hour that send two files each
_STRANGER = "198.51.100.1"


@dataclass
class _Day:
    most: int = 0  # bytes on the disk
    of_one: int = 0  # bytes taken from the one address
    leads: int = 0
    statuses: set[tuple[int, str]] = field(default_factory=set)


async def share_of_the_disk(trial: Trial) -> Verdict:
    megabytes = 1 if trial.short else 10
    settings = Settings(
        var=trial.room / "day", limit_submissions=FREE, limit_uploads=FREE, trusted_proxies=("127.0.0.1",),
        uploads_a_day_mb=50 * megabytes, uploads_in_all_mb=100 * megabytes,
    )  # fmt: skip
    day, left = await _one_day(settings, b"x" * megabytes * MEGABYTE)
    pages, lead, ready, upload = await _without_room(trial)
    met = day.most <= settings.uploads_in_all_mb * MEGABYTE and day.of_one <= settings.uploads_a_day_mb * MEGABYTE
    met = met and day.leads == 24 and left == 0 and day.statuses <= {(201, ""), (429, "no_room"), (503, "no_room")}
    figure = (
        f"{24 * (_PER_HOUR + 2 * _OTHERS)} files of {megabytes} MB in a day: {day.most // MEGABYTE} of {settings.uploads_in_all_mb} MB "
        f"on the disk at most, {day.of_one // MEGABYTE} of {settings.uploads_a_day_mb} MB from one address, answers {sorted(day.statuses)}, "
        f"{day.leads} of 24 leads taken, {left} files left after; without room: pages {pages}, lead {lead}, ready {ready}, file {upload}"
    )
    return Verdict(met and (pages, lead, ready, upload) == (200, 200, 200, 503), figure)


async def _one_day(settings: Settings, content: bytes) -> tuple[_Day, int]:
    """The clock is set hour by hour; the sweep runs by it, as it does every ten minutes."""
    now = datetime.now(UTC).replace(hour=0, minute=0, second=30)
    began, day = now, _Day()
    api = make_api(settings)
    sweeping, app.keep_sweeping = app.keep_sweeping, _no_sweep
    try:
        async with opened(api, settings, lambda: now) as office:
            transport = httpx.ASGITransport(api, client=("127.0.0.1", 1))
            headers = {"X-API-Key": settings.api_key}
            async with httpx.AsyncClient(transport=transport, base_url="http://api.test", headers=headers) as client:
                for hour in range(24):
                    now = began + timedelta(hours=hour)
                    await _one_hour(day, client, hour, content)
                    day.most = max(day.most, _on_disk(settings.var))
                    await sweep_once(office.store, settings, now)
            now = began + timedelta(hours=24) + settings.keep_unclaimed_files
            left = await _left(office, settings, now)
    finally:
        app.keep_sweeping = sweeping
    return day, left


async def _one_hour(day: _Day, client: httpx.AsyncClient, hour: int, content: bytes) -> None:
    for _ in range(_PER_HOUR):
        day.of_one += len(content) * await _taken(day, client, _STRANGER, content)
    for number in range(_OTHERS):
        for _ in range(2):
            await _taken(day, client, f"2a00:{hour:x}:{number:x}::1", content)
    day.leads += (await client.post("/v1.0/sendMessage", json=message())).is_success


async def _taken(day: _Day, client: httpx.AsyncClient, address: str, content: bytes) -> bool:
    answer = await client.post("/v1.0/attachments", files={"file": ("a.txt", content)}, headers={"X-Forwarded-For": address})
    code = "" if answer.is_success else answer.json()["error"]["code"]
    day.statuses.add((answer.status_code, code))
    return answer.is_success


async def _no_sweep(*_: object) -> None:
    """Once an hour is enough here, and by the trial's clock."""
    await asyncio.Event().wait()


async def _left(office: Office, settings: Settings, now: datetime) -> int:
    await sweep_once(office.store, settings, now)
    return len([*(settings.var / "attachments").iterdir()])


def _on_disk(var: Path) -> int:
    return sum(file.stat().st_size for file in (var / "attachments").iterdir())


async def _without_room(trial: Trial) -> tuple[int, int, int, int]:
    """Statuses of a page, a lead, `/readyz` and a file, where the disk has less than the reserve."""
    site = trial.site(uploads_reserve_mb="999999999")
    async with trial.client(site) as client:
        page = await client.get("/faq", follow_redirects=True)
        lead = await client.post("/v1.0/sendMessage", json=message())
        ready = await client.get("/readyz")
        upload = await client.post("/v1.0/attachments", files={"file": ("a.txt", b"hello")})
    return page.status_code, lead.status_code, ready.status_code, upload.status_code
