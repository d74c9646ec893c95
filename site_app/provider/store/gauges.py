"""Gauges that are read at each scrape: rows of the whole site's database, the last backup, free space, the clock and Redis."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from site_app.core.redis_check import redis_problem
from site_app.core.settings import Settings
from site_app.provider.store import database_url, in_transaction, open_engine
from site_app.provider.store.clock import clock_problem
from site_app.provider.store.copies import last_backup
from site_app.provider.store.tables import (
    CALENDAR_SOURCE,
    CalendarReading,
    Hold,
    Lead,
    Meeting,
    MeetingStage,
    Outbox,
    OutboxStatus,
)

log = structlog.get_logger()


class Gauges(Collector):
    """Reads all gauges in one snapshot per scrape. Each process of a site shows the same numbers: take the maximum, not the sum."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime], settings: Settings) -> None:
        self._engine = engine
        self._clock = clock
        self._settings = settings

    @classmethod
    def from_settings(cls, settings: Settings) -> "Gauges | None":
        """Returns the gauges of this site's database, or None if the provider runs elsewhere."""
        if settings.provider_url:
            return None
        url = database_url(settings.database_url, settings.var)
        engine = open_engine(url, read_only=True, connections=1)
        return cls(engine, lambda: datetime.now(UTC), settings)

    def close(self) -> None:
        self._engine.dispose()

    def describe(self) -> list[GaugeMetricFamily]:
        """Returns nothing, so that registering the collector does not query the database."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            families = in_transaction(self._engine, self._read)
        except SQLAlchemyError as error:  # site_database_up reports it; other metrics are still served
            log.warning("metrics.no_database", error=type(error).__name__)
            families = None
        yield GaugeMetricFamily("site_database_up", "Whether the database answers.", value=float(families is not None))
        yield from families or ()
        yield self._backup()
        yield self._free_space()
        if url := self._settings.redis_url:
            yield GaugeMetricFamily("site_redis_up", "Whether Redis answers.", value=float(redis_problem(url) is None))

    def _backup(self) -> GaugeMetricFamily:
        try:
            made_at = last_backup(self._settings.var).stat().st_mtime
        except OSError:
            made_at = 0.0
        return GaugeMetricFamily("site_last_backup_timestamp_seconds", "Time of the last backup, or 0.", value=made_at)

    def _free_space(self) -> GaugeMetricFamily:
        try:
            free = shutil.disk_usage(self._settings.var).free
        except OSError:  # such as a disk that is no longer mounted: nothing can be written there either
            free = 0
        return GaugeMetricFamily("site_disk_free_bytes", "Free space in SITE_VAR.", value=free)

    def _read(self, session: Session) -> list[GaugeMetricFamily]:
        now = self._clock()
        doubted = float(bool(clock_problem(session, now)))
        return [
            _outbox_by_state(session),
            _oldest_unsent(session, now),
            _leads_by_status(session),
            _newest_lead(session),
            *_bookings(session, now),
            *_calendars_read(session, len(self._settings.caldav_url) + len(self._settings.booking_busy_url)),
            GaugeMetricFamily("site_clock_doubted", "Whether the clock is far from the last sweep's.", value=doubted),
        ]


def _outbox_by_state(session: Session) -> GaugeMetricFamily:
    family = GaugeMetricFamily("site_outbox", "Mails and webhooks that were not sent, by state.", labels=["state"])
    states = OutboxStatus.WAITING, OutboxStatus.SENDING, OutboxStatus.DEAD, OutboxStatus.WITHHELD
    unsent = select(Outbox.status, func.count()).where(col(Outbox.status).in_(states)).group_by(Outbox.status)
    counts = dict(session.exec(unsent).all())
    for state in states:
        family.add_metric([state], counts.get(state, 0))
    return family


def _oldest_unsent(session: Session, now: datetime) -> GaugeMetricFamily:
    unsent = col(Outbox.status).in_((OutboxStatus.WAITING, OutboxStatus.SENDING))
    oldest = session.exec(select(func.min(Outbox.created_at)).where(unsent)).one()
    age = (now - oldest).total_seconds() if oldest else 0.0
    return GaugeMetricFamily("site_outbox_oldest_seconds", "Age of the oldest mail or webhook not yet delivered.", value=age)


def _leads_by_status(session: Session) -> GaugeMetricFamily:
    family = GaugeMetricFamily("site_leads", "Leads kept, by kind and status.", labels=["kind", "status"])
    for kind, status, count in session.exec(select(Lead.kind, Lead.status, func.count()).group_by(Lead.kind, Lead.status)):
        family.add_metric([kind, status], count)
    return family


def _newest_lead(session: Session) -> GaugeMetricFamily:
    """Read from the tables, because a counter begins anew with each process and misses its first lead."""
    newest = [session.exec(select(func.max(table.created_at))).one() for table in (Lead, Meeting)]
    value = max((moment.timestamp() for moment in newest if moment), default=0.0)
    return GaugeMetricFamily("site_newest_lead_timestamp_seconds", "Time of the newest lead or booking, or 0.", value=value)


def _bookings(session: Session, now: datetime) -> Iterator[GaugeMetricFamily]:
    holds = session.exec(select(func.count()).select_from(Hold).where(col(Hold.expires_at) > now)).one()
    yield GaugeMetricFamily("site_holds", "Slots held for visitors now.", value=holds)
    is_ahead = (col(Meeting.state) == MeetingStage.BOOKED) & (col(Meeting.starts_at) > now)
    meetings = session.exec(select(func.count()).select_from(Meeting).where(is_ahead)).one()
    yield GaugeMetricFamily("site_meetings_ahead", "Calls booked and still to come.", value=meetings)


def _calendars_read(session: Session, configured: int) -> Iterator[GaugeMetricFamily]:
    """Yields the time since which each calendar of the host has been read, or 0 if one never was; nothing if there are none."""
    if configured:
        readings = select(CalendarReading.read_at).where(
            CalendarReading.source != CALENDAR_SOURCE, col(CalendarReading.read_at).is_not(None)
        )
        times = [moment.timestamp() for moment in session.exec(readings) if moment]
        value = min(times) if len(times) >= configured else 0.0
        yield GaugeMetricFamily(
            "site_calendar_read_timestamp_seconds", "Time of the oldest reading of a calendar, or 0.", value=value
        )
