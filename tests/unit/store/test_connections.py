"""Jobs are answered after their commit, and a failing job does not affect others."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy import func
from sqlalchemy.exc import InternalError, OperationalError
from sqlmodel import Session, select

from site_app.provider.store import Store, StoreUnavailable, advisory_lock, insert_if_new
from site_app.provider.store.tables import Hold, IdempotencyKey
from tests.support.databases import ON_POSTGRES, ON_SQLITE

pytestmark = pytest.mark.anyio
NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)


def hold(name: str, at: datetime = NOON) -> Hold:
    return Hold(id=name, starts_at=at, ends_at=at, created_at=at, expires_at=at)


def count(session: Session) -> int:
    return session.exec(select(func.count()).select_from(Hold)).one()


@ON_SQLITE
async def test_acknowledged_writes_are_in_the_file(store: Store, tmp_path: Path) -> None:
    await store.write(lambda session: session.add(hold("one")))

    with sqlite3.connect(tmp_path / "site.db") as connection:
        rows = connection.execute("SELECT id FROM hold").fetchall()
    connection.close()
    assert rows == [("one",)]


async def test_a_job_that_fails_takes_back_only_its_own_rows(store: Store) -> None:
    def failing(session: Session) -> None:
        session.add(hold("lost"))
        session.flush()
        raise LookupError("no")

    jobs = [store.write(failing if n == 5 else lambda session, n=n: session.add(hold(str(n)))) for n in range(10)]
    results = await asyncio.gather(*jobs, return_exceptions=True)

    assert [n for n, result in enumerate(results) if result] == [5]
    assert isinstance(results[5], LookupError)
    assert await store.read(count) == 9


async def test_an_instant_comes_back_in_utc_whatever_its_zone_was_and_needs_one(store: Store) -> None:
    bangkok = NOON.astimezone(timezone(timedelta(hours=7)))

    await store.write(lambda session: session.add(hold("one", bangkok)))

    assert await store.read(lambda session: session.get_one(Hold, "one").starts_at) == NOON
    assert await store.read(lambda session: session.get_one(Hold, "one").starts_at.utcoffset()) == timedelta(0)
    with pytest.raises(Exception, match="no time zone"):
        await store.write(lambda session: session.add(hold("two", NOON.replace(tzinfo=None))))


@ON_SQLITE
async def test_a_locked_database_is_a_clear_refusal_for_all_who_wait(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.write(lambda session: session.connection().exec_driver_sql("PRAGMA busy_timeout=50"))
    connection = sqlite3.connect(tmp_path / "site.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")

    jobs = [store.write(lambda session, n=n: session.add(hold(str(n)))) for n in range(5)]
    results = await asyncio.gather(*jobs, return_exceptions=True)
    connection.execute("ROLLBACK")
    connection.close()

    assert all(isinstance(result, StoreUnavailable) for result in results)
    await store.write(lambda session: session.add(hold("later")))
    assert await store.read(count) == 1


async def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(Exception, match=r"read-?only"):
        await store.read(lambda session: session.add(hold("one")) or session.flush())


async def test_a_second_row_with_the_same_key_is_not_inserted(store: Store) -> None:
    row = {"kind": "quote", "key": "k", "body_hash": "", "reference": "", "quarantined": False, "created_at": NOON}

    went_in = [await store.write(lambda session: insert_if_new(session, IdempotencyKey, row)) for _ in range(2)]

    assert went_in == [True, False]


def test_closing_a_store_commits_waiting_writes(url: str) -> None:
    async def leave_work_behind() -> int:
        store = Store(url)
        writes = [asyncio.ensure_future(store.write(lambda session, n=n: session.add(hold(str(n))))) for n in range(20)]
        await asyncio.sleep(0)
        store.close()
        await asyncio.gather(*writes)
        reopened = Store(url)
        committed = await reopened.read(count)
        reopened.close()
        return committed

    assert asyncio.run(leave_work_behind()) == 20


async def test_a_store_is_busy_only_while_many_write_at_once(store: Store) -> None:
    await store.write(lambda session: session.add(hold("first")))
    alone = store.busy

    await asyncio.gather(*(store.write(lambda session, n=n: session.add(hold(str(n)))) for n in range(3)))

    assert (alone, store.busy) == (False, True)


async def test_a_read_only_server_is_refused_as_unavailable(store: Store) -> None:
    """Imitates PostgreSQL after it has become a replica."""

    def refused(_: Session) -> None:
        raise InternalError("INSERT", {}, ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction"))

    for operation in (store.write, store.read):
        with pytest.raises(StoreUnavailable, match="read-only"):
            await operation(refused)


def add_all(session: Session, names: Sequence[str]) -> list[int]:
    """Adds holds with these names; returns how many jobs shared the commit, and refuses one of them."""
    session.add_all(hold(name) for name in names)
    session.flush()
    if "refused" in names:
        raise LookupError("refused")
    return [len(names)] * len(names)


async def test_simultaneous_jobs_share_few_commits(store: Store) -> None:
    results = await asyncio.gather(*(store.write_together(add_all, str(n)) for n in range(50)))

    assert max(results) > 1
    assert await store.read(count) == 50


async def test_only_the_commit_after_a_shared_one_waits_for_more_jobs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("site_app.provider.store.writer.sleep", pauses.append)

    for name in ("first", "second"):
        await store.write_together(add_all, name)
    pauses_of_single_jobs = [*pauses]
    await asyncio.gather(*(store.write_together(add_all, str(n)) for n in range(50)))
    await store.write_together(add_all, "after the burst")

    assert pauses_of_single_jobs == []
    assert pauses


async def test_a_refused_job_does_not_affect_the_others_of_its_commit(store: Store) -> None:
    names = [str(n) for n in range(20)] + ["refused"]

    results = await asyncio.gather(*(store.write_together(add_all, name) for name in names), return_exceptions=True)

    assert [name for name, result in zip(names, results, strict=True) if isinstance(result, LookupError)] == ["refused"]
    assert await store.read(count) == 20


async def written_in_one_batch(store: Store, batch: Callable[[Session, Sequence[str]], list[int]], names: str) -> list[Any]:
    """Returns the result or refusal of each name. None of them is written before all of them wait."""
    may_begin = Event()

    def wait(_: Session, names: Sequence[str]) -> list[int]:
        may_begin.wait(10)
        return [0] * len(names)

    first = asyncio.ensure_future(store.write_together(wait, ""))
    await asyncio.sleep(0.1)  # the writer has taken it up
    others = [asyncio.ensure_future(store.write_together(batch, name)) for name in names.split()]
    await asyncio.sleep(0)  # each of them waits
    may_begin.set()
    await first
    return await asyncio.gather(*others, return_exceptions=True)


@ON_POSTGRES
async def test_a_refused_job_does_not_let_two_processes_deadlock(processes: list[Store]) -> None:
    """Jobs of one commit take their locks in one order. Those that run again take them in the order in which they arrived."""
    both_processes = Barrier(2)

    def lock(session: Session, names: Sequence[str]) -> list[int]:
        if "refused" in names:
            advisory_lock(session, *names)
            raise LookupError("refused")
        both_processes.wait(5)  # until neither has locks of its commit of all
        advisory_lock(session, *names)
        both_processes.wait(5)  # until each has one lock
        return [len(names)]

    results = await asyncio.gather(
        written_in_one_batch(processes[0], lock, "a b refused"), written_in_one_batch(processes[1], lock, "b a refused")
    )

    assert [[type(result).__name__ for result in of_process] for of_process in results] == [["int", "int", "LookupError"]] * 2


@ON_POSTGRES
async def test_jobs_stored_before_the_database_failed_are_acknowledged(store: Store) -> None:
    tried: list[str] = []

    def add(session: Session, names: Sequence[str]) -> list[int]:
        if len(names) > 1:
            raise LookupError("one of them is refused")
        tried.append(names[0])
        if names[0] == "failing":
            raise OperationalError("INSERT", {}, ConnectionError("lost"))
        return add_all(session, names)

    results = await written_in_one_batch(store, add, "one refused failing later")

    assert [type(result).__name__ for result in results] == ["int", "LookupError", "StoreUnavailable", "StoreUnavailable"]
    assert tried == ["one", "refused", "failing"]  # whoever comes later does not wait for a lost database once more
    assert await store.read(count) == 1


async def test_a_shared_read_runs_once_and_again_after_a_write(store: Store) -> None:
    reads: list[int] = []

    def counted(session: Session) -> int:
        reads.append(count(session))
        return reads[-1]

    together = await asyncio.gather(*(store.read_for_all("holds", counted) for _ in range(20)))
    await store.write(lambda session: session.add(hold("one")))
    count_after = await store.read_for_all("holds", counted)

    assert (set(together), count_after) == ({0}, 1)
    assert len(reads) <= 3  # 2, or one more if a second ended in between


async def test_a_shared_read_sees_other_processes_writes_after_a_second(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_store = Store(url)
    now = 100.0
    monkeypatch.setattr("site_app.provider.store.connections.time.monotonic", lambda: now)
    count_before = await store.read_for_all("holds", count)

    await other_store.write(lambda session: session.add(hold("one")))
    other_store.close()
    now = 101.0

    assert (count_before, await store.read_for_all("holds", count)) == (0, 1)
