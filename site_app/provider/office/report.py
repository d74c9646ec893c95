"""The report on views, submissions and conversions: a period compared with the one before, as tables and a chart."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from sqlmodel import Session, col, func, select

from site_app.provider.insights.page_views import views
from site_app.provider.leads.queries import LEAD_TABLES, attribution_detail, source_of
from site_app.provider.office.inbox import page_of
from site_app.provider.store import Store
from site_app.provider.store.tables import MEETING, Lead, LeadStatus

PERIODS = (7, 30, 90)
ATTRIBUTED_BY = ("source", "utm_campaign", "landing_page")
_MAX_LINES = 20
_QUICK_SECONDS = 0.1  # a report that takes longer is shared
_SHARED_FOR = 50  # times as long as it took, so that counting takes at most two percent of a core


class PeriodComparison(NamedTuple):
    """A count of the period and of the period before."""

    name: str
    in_period: int
    before: int

    @property
    def change(self) -> str:
        """The change in percent, or "" if the period before has no count."""
        return f"{(self.in_period - self.before) / self.before:+.0%}" if self.before else ""


class Conversion(NamedTuple):
    """The views of a page, and the leads and meetings sent from it."""

    page: str
    views: int
    sent: int

    @property
    def rate(self) -> str:
        return f"{self.sent / self.views:.1%}" if self.views else ""


class SourceRow(NamedTuple):
    """The leads and meetings of a source, campaign or landing page, and how many of them were won."""

    name: str
    leads: int
    won: int

    @property
    def rate(self) -> str:
        return f"{self.won / self.leads:.0%}"


@dataclass(frozen=True)
class Report:
    """The figures of a period. Days are in UTC, like the counts of views."""

    first: date
    days: tuple[PeriodComparison, ...]
    views: dict[str, tuple[PeriodComparison, ...]]
    sent: tuple[PeriodComparison, ...]
    conversions: tuple[Conversion, ...]
    attributed: dict[str, tuple[SourceRow, ...]]

    @property
    def total(self) -> PeriodComparison:
        return PeriodComparison("", sum(day.in_period for day in self.days), sum(day.before for day in self.days))

    @property
    def largest(self) -> int:
        """The largest count of a day, at least 1. It sets the scale of the chart."""
        return max(1, *(max(day.in_period, day.before) for day in self.days))


def report(session: Session, *, days: int, today: date) -> Report:
    """Returns the report on the last `days` days including today, compared with as many days before."""
    first = today - timedelta(days=days - 1)
    earlier = first - timedelta(days=days)

    def counted_views(by: str) -> tuple[Counter[str], Counter[str]]:
        return Counter(views(session, by=by, first=first)), Counter(
            views(session, by=by, first=earlier, last=first - timedelta(days=1))
        )

    views_by_day, earlier_by_day = counted_views("day")
    sent = _sent(session, first, today)
    sent_before = _sent(session, earlier, first - timedelta(days=1))
    by_page, _ = counted_views("page")
    from_page = _summed_by(sent, 1)
    pages_with_leads = sorted(from_page, key=lambda page: (-from_page[page], -by_page[page]))
    return Report(
        first,
        tuple(
            PeriodComparison(str(day), views_by_day[str(day)], earlier_by_day[str(day - timedelta(days=days))])
            for day in (first + timedelta(days=count) for count in range(days))
        ),
        {by: _lines(*counted_views(by)) for by in ("page", "language", "referrer")},
        _lines(_summed_by(sent, 0), _summed_by(sent_before, 0)),
        tuple(Conversion(page, by_page[page], from_page[page]) for page in pages_with_leads[:_MAX_LINES]),
        {by: _attributed(session, by, first, today) for by in ATTRIBUTED_BY},
    )


def _attributed(session: Session, by: str, first: date, last: date) -> tuple[SourceRow, ...]:
    """Returns leads and meetings of the period by source, campaign or landing page; those without one are left out, except of sources."""
    leads, won = Counter[str](), Counter[str]()
    for table in LEAD_TABLES:
        name: Any = source_of(table) if by == "source" else attribution_detail(table, by)
        status = col(table.status)
        statement: Any = select(name, status, func.count()).where(*_sent_between(table, first, last))
        for value, reached, count in session.exec(statement.group_by(name, status)):
            if value is not None:
                leads[value] += count
                won[value] += count if reached == LeadStatus.WON else 0
    return tuple(SourceRow(value, count, won[value]) for value, count in leads.most_common(_MAX_LINES))


def _sent_between(table: Any, first: date, last: date) -> tuple[Any, ...]:
    """Returns the conditions for what was sent from one day to another. Quarantined leads may be spam; they count once released."""
    begin, end = (datetime.combine(day, time(), UTC) for day in (first, last + timedelta(days=1)))
    return col(table.created_at) >= begin, col(table.created_at) < end, col(table.status) != LeadStatus.QUARANTINED


def _sent(session: Session, first: date, last: date) -> Counter[tuple[str, str]]:
    """Returns the number of leads and meetings by kind and page."""
    totals: Counter[tuple[str, str]] = Counter()
    for table in LEAD_TABLES:
        kind = Lead.kind if table is Lead else None
        columns = (*((kind,) if kind else ()), table.source_page)
        statement: Any = select(*columns, func.count()).where(*_sent_between(table, first, last))  # pyright: ignore
        for *names, page, count in session.exec(statement.group_by(*columns)):
            totals[names[0] if names else MEETING, page_of(page)] += count
    return totals


def _summed_by(sent: Counter[tuple[str, str]], index: int) -> Counter[str]:
    totals: Counter[str] = Counter()
    for names, count in sent.items():
        totals[names[index]] += count
    return totals


def _lines(counts: Counter[str], earlier: Counter[str]) -> tuple[PeriodComparison, ...]:
    names = [name for name, _ in (counts | earlier).most_common(_MAX_LINES)]
    return tuple(
        sorted((PeriodComparison(name, counts[name], earlier[name]) for name in names), key=lambda line: -line.in_period)
    )


@dataclass(frozen=True)
class CountedReport:
    """A report, when it was counted, and how long that took."""

    report: Report
    today: date
    at: datetime
    seconds: float


class SharedReports:
    """Reports of one process. One that takes long to count is shown again, and counted anew in the background.

    Its figures grow with the leads of the period: 90 days of a million leads a year take a second or more. A quick one is never shared.
    """

    def __init__(self) -> None:
        self._counted: dict[int, CountedReport] = {}
        self._tasks: dict[int, asyncio.Task[CountedReport]] = {}

    async def read(self, store: Store, *, days: int, now: datetime) -> CountedReport:
        """Returns the report of a period: fresh, or of today and with a fresh one under way."""
        earlier = self._counted.get(days)
        if earlier and earlier.seconds >= _QUICK_SECONDS and earlier.today == now.date():
            if (now - earlier.at).total_seconds() > earlier.seconds * _SHARED_FOR:
                self._start(store, days, now)
            return earlier
        return await asyncio.shield(self._start(store, days, now))  # a cancelled request must not cancel the others

    def _start(self, store: Store, days: int, now: datetime) -> asyncio.Task[CountedReport]:
        """Counts the report in a task of its own, unless one is under way."""
        if days not in self._tasks or self._tasks[days].done():
            self._tasks[days] = asyncio.create_task(self._count(store, days, now))
        return self._tasks[days]

    async def _count(self, store: Store, days: int, now: datetime) -> CountedReport:
        began = monotonic()
        figures = await store.read(partial(report, days=days, today=now.date()))
        self._counted[days] = CountedReport(figures, now.date(), now, monotonic() - began)
        return self._counted[days]
