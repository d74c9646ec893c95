"""Gauges that are read at each scrape: the outbox, leads, holds and meetings of the whole site, and the time of its last backup."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.store import database_url, in_transaction, open_engine
from site_app.provider.store.copies import last_backup
from site_app.provider.store.tables import Hold, Lead, Meeting, MeetingStage, Outbox, OutboxStatus

log = structlog.get_logger()


class Gauges(Collector):
    """Reads all gauges in one snapshot per scrape. Each process of a site shows the same numbers: take the maximum, not the sum."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime], last_backup: Path) -> None:
        """`last_backup` is the file that each backup touches."""
        self._engine = engine
        self._clock = clock
        self._last_backup = last_backup

    @classmethod
    def from_settings(cls, settings: Settings) -> "Gauges | None":
        """Returns the gauges of this site's database, or None if the provider runs elsewhere."""
        if settings.provider_url:
            return None
        url = database_url(settings.database_url, settings.var)
        engine = open_engine(url, read_only=True, connections=1)
        return cls(engine, lambda: datetime.now(UTC), last_backup(settings.var))

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

    def _backup(self) -> GaugeMetricFamily:
        try:
            made_at = self._last_backup.stat().st_mtime
        except OSError:
            made_at = 0.0
        return GaugeMetricFamily("site_last_backup_timestamp_seconds", "Time of the last backup, or 0.", value=made_at)

    def _read(self, session: Session) -> list[GaugeMetricFamily]:
        now = self._clock()
        return [_outbox_by_state(session), _oldest_unsent(session, now), _leads_by_status(session), *_calendar(session, now)]


def _outbox_by_state(session: Session) -> GaugeMetricFamily:
    family = GaugeMetricFamily("site_outbox", "Mails and webhooks not yet delivered, by state.", labels=["state"])
    counts = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    for state in (OutboxStatus.WAITING, OutboxStatus.SENDING, OutboxStatus.DEAD):
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


def _calendar(session: Session, now: datetime) -> Iterator[GaugeMetricFamily]:
    holds = session.exec(select(func.count()).select_from(Hold).where(col(Hold.expires_at) > now)).one()
    yield GaugeMetricFamily("site_holds", "Slots held for visitors now.", value=holds)
    is_ahead = (col(Meeting.state) == MeetingStage.BOOKED) & (col(Meeting.starts_at) > now)
    meetings = session.exec(select(func.count()).select_from(Meeting).where(is_ahead)).one()
    yield GaugeMetricFamily("site_meetings_ahead", "Calls booked and still to come.", value=meetings)
