"""Background tasks, which run for as long as the site does.

Maintenance, which begins with the retention sweep, runs every ten minutes, the reminders of meetings every minute; counted page views
are written every few seconds.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from itertools import count

import structlog
from sqlmodel import Session

from site_app.core.http.context import Clock
from site_app.core.settings import Settings
from site_app.provider.affiliates.payout_reminders import remind_of_payouts
from site_app.provider.affiliates.statements import mail_statements
from site_app.provider.affiliates.terms import announce_terms
from site_app.provider.api.sweep import MIN_PAUSE_SECONDS, sweep_once
from site_app.provider.booking.calendar_entries import write_missing_entries
from site_app.provider.booking.meeting import withdraw_outdated_mails, write_reminders
from site_app.provider.insights.page_views import ViewCounts
from site_app.provider.leads.quarantine import write_digest
from site_app.provider.leads.word_index import index_words, needs_index
from site_app.provider.store import Store, StoreUnavailable
from site_app.provider.store.clock import ClockDoubted, SteadyClock

MAINTAIN_EVERY = timedelta(minutes=10)
_REMIND_EVERY = timedelta(minutes=1)
_ROUNDS_BETWEEN_PARTNER_MAILS = 6  # once an hour, because these mails are about days and months
_WRITE_VIEWS_EVERY_SECONDS = 5.0
PAUSE = timedelta(minutes=1)  # before a task that failed starts again
Task = Callable[[], Awaitable[None]]

log = structlog.get_logger()


@asynccontextmanager
async def running(tasks: Mapping[str, Task]) -> AsyncIterator[None]:
    """Runs these tasks during the block, and cancels them at its end. The keys name them in the log."""
    started = [asyncio.create_task(supervise(name, task)) for name, task in tasks.items()]
    try:
        yield
    finally:
        for task in started:
            task.cancel()
        await asyncio.gather(*started, return_exceptions=True)


async def supervise(name: str, task: Task) -> None:
    """Runs the task, and restarts it after a pause whenever it fails, whatever the error."""
    while True:
        try:
            return await task()
        except Exception as error:  # such as a busy or damaged database, a full disk, or a bug: restart after each
            # Log only the type: a database's error message repeats the row, which holds visitor data.
            log.error("task.failed", kind=name, error=type(error).__name__)
        await asyncio.sleep(PAUSE.total_seconds())


async def maintain_forever(store: Store, settings: Settings, clock: SteadyClock) -> None:
    """Erases what has expired, indexes new words and adds the mails that are due, at the start and every ten minutes.

    While the machine's clock is implausible, it does nothing but log the reason: mails for the wrong month cannot be taken back either.
    """
    for number in count():
        now = clock.machine()
        try:
            await sweep_once(store, settings, now)
        except ClockDoubted as problem:
            log.error("retention.clock_doubted", problem=str(problem))
        else:
            clock.trust(now)
            await index_new_words(store)
            await write_due_mails(store, settings, now, with_partners=number % _ROUNDS_BETWEEN_PARTNER_MAILS == 0)
        await asyncio.sleep(MAINTAIN_EVERY.total_seconds())


async def index_new_words(store: Store) -> None:
    """Indexes the words of new and changed rows for the search, batch by batch."""
    while await store.read(needs_index):
        await store.write(index_words)
        await asyncio.sleep(MIN_PAUSE_SECONDS)


async def write_due_mails(store: Store, settings: Settings, now: datetime, *, with_partners: bool = True) -> None:
    """Adds the digest of quarantined leads, and the mails about partners' months, changed terms and payouts.

    Those about partners are left out unless `with_partners`: reading the books of ten thousand takes seconds.
    """
    await store.write(lambda session: write_digest(session, settings=settings, now=now))
    if with_partners:
        await mail_statements(store, settings, now)
        await announce_terms(store, settings, now)
        await remind_of_payouts(store, settings, now)


async def write_reminders_forever(store: Store, settings: Settings, clock: Clock, wake: Callable[[], None]) -> None:
    """Adds due reminders, and writes of meetings that the host's calendar lacks, to the outbox every minute, until cancelled."""
    while True:
        now = clock()
        if await store.write(lambda session, now=now: _write_due(session, settings=settings, now=now)):
            wake()
        await asyncio.sleep(_REMIND_EVERY.total_seconds())


def _write_due(session: Session, *, settings: Settings, now: datetime) -> int:
    withdraw_outdated_mails(session)
    return write_reminders(session, settings=settings, now=now) + write_missing_entries(session, settings=settings, now=now)


async def write_views_forever(views: ViewCounts, store: Store) -> None:
    """Writes the counted views to the database every few seconds, and a last time when it ends."""
    try:
        while True:
            await asyncio.sleep(_WRITE_VIEWS_EVERY_SECONDS)
            with suppress(StoreUnavailable):
                await views.write(store)
    finally:
        await views.write(store)
