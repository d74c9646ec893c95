"""Row 29: strangers send files as fast as they are allowed to, for a day; the disk stays the site's own."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from site_app.api import app
from site_app.api.app import make_api, opened
from site_app.api.sweeping import sweep_once
from site_app.cli.database import prepare
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
    left: int = 0  # files after the day
    answers: set[tuple[int, str]] = field(default_factory=set)

    async def send(self, client: httpx.AsyncClient, address: str, content: bytes) -> bool:
        file, headers = {"file": ("a.txt", content)}, {"X-Forwarded-For": address}
        answer = await client.post("/v1.0/attachments", files=file, headers=headers)
        self.answers.add((answer.status_code, "" if answer.is_success else answer.json()["error"]["code"]))
        return answer.is_success


async def share_of_the_disk(trial: Trial) -> Verdict:
    megabytes = 1 if trial.short else 10
    settings = Settings(
        var=trial.room / "day", limit_submissions=FREE, limit_uploads=FREE, trusted_proxies=("127.0.0.1",),
        uploads_a_day_mb=50 * megabytes, uploads_in_all_mb=100 * megabytes,
    )  # fmt: skip
    day = await _one_day(settings, b"x" * megabytes * MEGABYTE)
    without_room = await _without_room(trial)
    met = day.most <= settings.uploads_in_all_mb * MEGABYTE and day.of_one <= settings.uploads_a_day_mb * MEGABYTE
    met = met and day.leads == 24 and day.left == 0 and day.answers <= {(201, ""), (429, "no_room"), (503, "no_room")}
    figure = (
        f"{24 * (_PER_HOUR + 2 * _OTHERS)} files of {megabytes} MB in a day: {day.most // MEGABYTE} of {settings.uploads_in_all_mb} MB "
        f"on the disk at most, {day.of_one // MEGABYTE} of {settings.uploads_a_day_mb} MB from one address, answers {sorted(day.answers)}, "
        f"{day.leads} of 24 leads taken, {day.left} files left after; without room: {without_room}"
    )
    return Verdict(met and without_room == {"pages": 200, "lead": 200, "/readyz": 200, "file": 503}, figure)


async def _one_day(settings: Settings, content: bytes) -> _Day:
    """The clock is set hour by hour; the sweep runs by it, as it does every ten minutes."""
    began = now = datetime.now(UTC).replace(hour=0, minute=0, second=30)
    prepare(settings)
    day, api = _Day(), make_api(settings)
    sweeping, app.keep_sweeping = app.keep_sweeping, _no_sweep
    try:
        async with opened(api, settings, lambda: now) as context:
            transport = httpx.ASGITransport(api, client=("127.0.0.1", 1))
            headers = {"X-API-Key": settings.api_key}
            async with httpx.AsyncClient(transport=transport, base_url="http://api.test", headers=headers) as client:
                for hour in range(24):
                    now = began + timedelta(hours=hour)
                    for _ in range(_PER_HOUR):
                        day.of_one += len(content) * await day.send(client, _STRANGER, content)
                    for number in range(2 * _OTHERS):
                        await day.send(client, f"2a00:{hour:x}:{number // 2:x}::1", content)
                    day.leads += (await client.post("/v1.0/sendMessage", json=message())).is_success
                    day.most = max(day.most, sum(file.stat().st_size for file in _files(settings)))
                    await sweep_once(context.store, settings, now)
            await sweep_once(context.store, settings, began + timedelta(hours=24) + settings.keep_unclaimed_files)
            day.left = len(_files(settings))
    finally:
        app.keep_sweeping = sweeping
    return day


async def _no_sweep(*_: object) -> None:
    """Once an hour is enough here, and by the trial's clock."""
    await asyncio.Event().wait()


def _files(settings: Settings) -> list[Path]:
    return [*(settings.var / "attachments").iterdir()]


async def _without_room(trial: Trial) -> dict[str, int]:
    """What is answered where the disk has less than the reserve."""
    site = trial.site(uploads_reserve_mb="999999999")
    async with trial.client(site) as client:
        answers = {
            "pages": await client.get("/faq", follow_redirects=True),
            "lead": await client.post("/v1.0/sendMessage", json=message()),
            "/readyz": await client.get("/readyz"),
            "file": await client.post("/v1.0/attachments", files={"file": ("a.txt", b"hello")}),
        }
    return {name: answer.status_code for name, answer in answers.items()}
