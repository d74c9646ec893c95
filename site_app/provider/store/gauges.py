"""What the database holds at the moment it is asked: the outbox, leads, holds and calls of the whole site."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.store import database_url, in_transaction, open_engine
from site_app.provider.store.tables import BOOKED, DEAD, SENDING, WAITING, Hold, Lead, Meeting, Outbox

log = structlog.get_logger()


class Gauges(Collector):
    """Read on every scrape, in one snapshot. Each process of a site shows the same numbers: take the greatest, not the sum."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine, self._clock = engine, clock

    @classmethod
    def from_settings(cls, settings: Settings) -> "Gauges | None":
        """Return the gauges of this site's database, or None where the provider is elsewhere."""
        if settings.provider_url:
            return None
        url = database_url(settings.database_url, settings.var)
        return cls(open_engine(url, read_only=True, connections=1), lambda: datetime.now(UTC))

    def close(self) -> None:
        self._engine.dispose()

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing: the database is not asked before it must."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            found = in_transaction(self._engine, self._look)
        except SQLAlchemyError as error:  # its own gauge says so; the other meters are still shown
            log.warning("metrics.no_database", error=type(error).__name__)
            found = None
        yield GaugeMetricFamily("site_database_up", "Whether the database answers.", value=float(found is not None))
        yield from found or ()

    def _look(self, session: Session) -> list[GaugeMetricFamily]:
        now = self._clock()
        return [_outbox(session), _oldest(session, now), _leads(session), *_calendar(session, now)]


def _outbox(session: Session) -> GaugeMetricFamily:
    family = GaugeMetricFamily("site_outbox", "Mails and webhooks not yet delivered, by state.", labels=["state"])
    counted = dict(session.exec(select(Outbox.status, func.count()).group_by(Outbox.status)).all())
    for state in (WAITING, SENDING, DEAD):
        family.add_metric([state], counted.get(state, 0))
    return family


def _oldest(session: Session, now: datetime) -> GaugeMetricFamily:
    unsent = col(Outbox.status).in_((WAITING, SENDING))
    oldest = session.exec(select(func.min(Outbox.created_at)).where(unsent)).one()
    age = (now - oldest).total_seconds() if oldest else 0.0
    return GaugeMetricFamily("site_outbox_oldest_seconds", "Age of the oldest mail or webhook not yet delivered.", value=age)


def _leads(session: Session) -> GaugeMetricFamily:
    family = GaugeMetricFamily("site_leads", "Leads kept, by kind and status.", labels=["kind", "status"])
    for kind, status, count in session.exec(select(Lead.kind, Lead.status, func.count()).group_by(Lead.kind, Lead.status)):
        family.add_metric([kind, status], count)
    return family


def _calendar(session: Session, now: datetime) -> Iterator[GaugeMetricFamily]:
    held = session.exec(select(func.count()).select_from(Hold).where(col(Hold.expires_at) > now)).one()
    yield GaugeMetricFamily("site_holds", "Slots held for visitors now.", value=held)
    ahead = (col(Meeting.state) == BOOKED) & (col(Meeting.starts_at) > now)
    booked = session.exec(select(func.count()).select_from(Meeting).where(ahead)).one()
    yield GaugeMetricFamily("site_meetings_ahead", "Calls booked and still to come.", value=booked)
