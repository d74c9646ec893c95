"""Metrics for operators; they are not public."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from site_app.core import metrics
from site_app.core.metrics.listener import Meters, _AllProcesses, measure  # pyright: ignore[reportPrivateUsage]
from site_app.core.metrics.requests import RequestMetrics, kind_of
from site_app.core.settings import Settings
from site_app.provider.store import in_transaction, open_engine
from site_app.provider.store.columns import Row
from site_app.provider.store.gauges import Gauges
from site_app.provider.store.tables import CalendarReading, ClockReading, Hold
from site_app.serving.failures import ThrottledLog
from tests.support.outbox import a_row
from tests.support.records import a_meeting, a_message, a_quote
from tests.support.site_server import free_port
from tests.unit.cli.small_redis import small_redis

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
Read = Callable[..., float | None]


@pytest.fixture
def read() -> Iterator[Read]:
    """Returns the value of a meter, by its name and labels."""
    registry = CollectorRegistry()
    metrics.switch_on(Meters(registry))
    yield lambda name, **labels: registry.get_sample_value(name, labels)
    metrics.switch_on(None)


@pytest.mark.anyio
async def test_a_request_is_counted_by_kind_and_status_however_its_path_reads(read: Read) -> None:
    def fail(_: Any) -> None:
        raise ValueError("broken")

    app = Starlette(routes=[Route("/faq", lambda _: PlainTextResponse("words")), Route("/boom", fail)])
    transport = httpx.ASGITransport(app=RequestMetrics(app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        await client.get("/faq")
        await client.get("/a-visitor/may/write/anything-here")
        await client.get("/boom")

    assert read("site_requests_total", kind="page", status="200") == 1
    assert read("site_requests_total", kind="page", status="404") == 1
    assert read("site_requests_total", kind="page", status="500") == 1
    assert read("site_request_seconds_count", kind="page") == 3


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *(("/", "page"), ("/th/faq", "page"), ("/assets/boot-1.js", "file"), ("/sitemap.xml", "file")),
        *(("/v1.0/sendMessage", "api"), ("/book", "api"), ("/healthz", "health"), ("/readyz", "health")),
    ],
)
def test_each_path_is_counted_under_its_kind(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_refusals_of_the_guard_are_counted_by_reason(read: Read) -> None:
    throttled = ThrottledLog("socket.refused")

    for _ in range(3):
        throttled.count("origin")

    assert read("site_refusals_total", event="socket.refused", problem="origin") == 3


def gauges_of(url: str, settings: Settings, *rows: Row) -> Callable[..., float | None]:
    """Adds the rows, and returns the function that reads a gauge by its name and labels."""
    engine = open_engine(url, connections=1)
    in_transaction(engine, lambda session: session.add_all(rows))
    registry = CollectorRegistry()
    registry.register(Gauges(engine, lambda: NOW, settings))
    values = {
        (sample.name, tuple(sample.labels.items())): sample.value for family in registry.collect() for sample in family.samples
    }
    engine.dispose()
    return lambda name, labels=None: values.get((name, tuple((labels or {}).items())))


def test_waiting_mails_leads_and_holds_are_measured(url: str, tmp_path: Path) -> None:
    engine, waiting_row = open_engine(url, connections=1), a_row(2)
    waiting_row.created_at = NOW - timedelta(minutes=7)
    span: dict[str, Any] = {"starts_at": NOW, "ends_at": NOW, "created_at": NOW}
    active_hold = Hold(id="1" * 32, expires_at=NOW + timedelta(minutes=1), **span)
    expired_hold = Hold(id="2" * 32, expires_at=NOW - timedelta(minutes=1), **span)
    in_transaction(engine, lambda session: session.add_all([waiting_row, a_quote(), a_message(), active_hold, expired_hold]))
    registry = CollectorRegistry()
    registry.register(Gauges(engine, lambda: NOW, Settings(var=tmp_path)))

    read = registry.get_sample_value
    assert (read("site_database_up"), read("site_holds"), read("site_meetings_ahead")) == (1, 1, 0)
    assert (read("site_outbox", {"state": "waiting"}), read("site_outbox_oldest_seconds")) == (1, 420)
    assert read("site_leads", {"kind": "quote", "status": "new"}) == 1
    assert read("site_newest_lead_timestamp_seconds") == a_quote().created_at.timestamp()
    engine.dispose()


def test_the_time_of_the_last_backup_is_measured(url: str, tmp_path: Path) -> None:
    engine, file = open_engine(url, connections=1), tmp_path / "last_backup"
    registry = CollectorRegistry()
    registry.register(Gauges(engine, lambda: NOW, Settings(var=tmp_path)))
    assert registry.get_sample_value("site_last_backup_timestamp_seconds") == 0

    file.touch()
    os.utime(file, (NOW.timestamp(), NOW.timestamp()))

    assert registry.get_sample_value("site_last_backup_timestamp_seconds") == NOW.timestamp()
    engine.dispose()


def test_a_booking_counts_as_a_lead_and_no_lead_is_long_ago(url: str, tmp_path: Path) -> None:
    meter = "site_newest_lead_timestamp_seconds"
    assert gauges_of(url, Settings(var=tmp_path))(meter) == 0
    newer = NOW + timedelta(hours=1)

    read = gauges_of(url, Settings(var=tmp_path), a_quote(created_at=NOW), a_meeting(created_at=newer))

    assert read(meter) == newer.timestamp()


def test_mails_that_were_given_up_or_withheld_are_measured(url: str, tmp_path: Path) -> None:
    rows = [a_row(number) for number in (1, 2, 3)]
    for row, status in zip(rows, ("dead", "withheld", "withheld"), strict=True):
        row.status = status

    read = gauges_of(url, Settings(var=tmp_path), *rows)

    assert (read("site_outbox", {"state": "dead"}), read("site_outbox", {"state": "withheld"})) == (1, 2)


def test_free_space_and_a_doubtful_clock_are_measured(url: str, tmp_path: Path) -> None:
    read = gauges_of(url, Settings(var=tmp_path))
    assert read("site_disk_free_bytes") == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.1)
    assert read("site_clock_doubted") == 0
    assert gauges_of(url, Settings(var=tmp_path / "not mounted"))("site_disk_free_bytes") == 0

    assert (
        gauges_of(url, Settings(var=tmp_path), ClockReading(id=1, seen_at=NOW - timedelta(days=800)))("site_clock_doubted") == 1
    )


def test_a_calendar_counts_as_unread_until_each_was_read(url: str, tmp_path: Path) -> None:
    settings = Settings(var=tmp_path, booking_busy_url=("https://a.example.org/a.ics", "https://b.example.org/b.ics"))
    meter, readings = (
        "site_calendar_read_timestamp_seconds",
        [
            CalendarReading(source=source, tried_at=NOW, read_at=NOW - timedelta(hours=hours))
            for source, hours in (("calendar", 9), ("ics 1", 1), ("ics 2", 2))
        ],
    )

    assert gauges_of(url, Settings(var=tmp_path))(meter) is None
    assert gauges_of(url, settings)(meter) == 0
    assert gauges_of(url, settings, *readings[:2])(meter) == 0
    assert gauges_of(url, settings, readings[2])(meter) == (NOW - timedelta(hours=2)).timestamp()


def test_a_redis_that_is_away_is_measured_where_the_settings_name_one(url: str, tmp_path: Path) -> None:
    with small_redis("+OK") as port:
        assert gauges_of(url, Settings(var=tmp_path, redis_url=f"redis://127.0.0.1:{port}/0"))("site_redis_up") == 1

    assert gauges_of(url, Settings(var=tmp_path, redis_url=f"redis://127.0.0.1:{free_port()}/0"))("site_redis_up") == 0
    assert gauges_of(url, Settings(var=tmp_path))("site_redis_up") is None


def test_an_unreachable_database_is_reported_and_hides_no_other_meter(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    metrics.switch_on(Meters(registry))
    engine = open_engine(f"sqlite:///{tmp_path / 'site.db'}", read_only=True, connections=1)
    registry.register(Gauges(engine, lambda: NOW, Settings(var=tmp_path)))
    metrics.lead_acknowledged("quote", quarantined=False)

    exposition = generate_latest(registry).decode()

    assert "site_database_up 0.0" in exposition
    assert 'site_leads_taken_total{kind="quote",quarantined="no"} 1.0' in exposition
    metrics.switch_on(None)
    engine.dispose()


def test_the_number_of_an_ended_process_may_belong_to_another_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = tmp_path / "gauge_livesum_4711.db"
    ended.touch()

    def kill(process: int, number: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("site_app.core.metrics.listener.os.kill", kill)

    assert list(_AllProcesses(tmp_path).collect()) == []
    assert not ended.exists()


def test_the_port_answers_only_where_it_listens(tmp_path: Path, url: str) -> None:
    settings = Settings(metrics_port=free_port(), var=tmp_path, database_url=url)
    gauges = Gauges.from_settings(settings)
    assert gauges
    stop = measure(settings, gauges)
    try:
        response = httpx.get(f"http://127.0.0.1:{settings.metrics_port}/metrics")
    finally:
        stop()
        gauges.close()

    assert response.status_code == 200
    assert "site_database_up 1.0" in response.text
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{settings.metrics_port}/metrics")
