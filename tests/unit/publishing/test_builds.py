"""Requests of builds: their order, their lease, schedules, and what is noted of them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import Session, select, update

from site_app.provider.publishing import builds
from site_app.provider.publishing.files import WrongPath
from site_app.provider.store import Store, brief_engine
from site_app.provider.store.audit_log import Actor, audit_entries
from site_app.provider.store.tables import Build, BuildFile, BuildState
from tests.support.databases import ON_POSTGRES
from tests.support.locks import commit_when_awaited
from tests.support.stored_rows import rows_in

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
ADA, BO = Actor("ada@example.com", NOW), Actor("bo@example.com", NOW)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def session(url: str) -> Iterator[Session]:
    with brief_engine(url) as engine, Session(engine, expire_on_commit=False) as session:
        yield session


def request(session: Session, *paths: str, now: datetime = NOW, not_before: datetime | None = None) -> int:
    changes = dict.fromkeys(paths, b"text")
    build = builds.request(session, changes, ADA._replace(now=now), not_before=not_before)
    assert build.id is not None
    return build.id


def states(session: Session) -> list[str]:
    session.expire_all()
    return [build.state for build in session.exec(select(Build).order_by(Build.id))]  # pyright: ignore


def test_builds_run_one_after_the_other_in_the_order_of_their_requests(session: Session) -> None:
    first, second = request(session, "articles/a.md"), request(session, "articles/b.md")

    build = builds.lease(session, now=NOW)
    assert build is not None
    assert (build.id, builds.lease(session, now=NOW)) == (first, None)
    assert builds.finish(session, build, now=NOW)
    following = builds.lease(session, now=NOW)

    assert following is not None
    assert following.id == second
    assert states(session) == [BuildState.DONE, BuildState.RUNNING]


def test_a_build_whose_process_died_is_claimed_again_and_the_dead_one_is_refused(session: Session) -> None:
    request(session, "articles/a.md")
    dead = builds.lease(session, now=NOW)
    assert dead is not None
    session.expunge_all()

    assert builds.lease(session, now=NOW + builds.LEASE / 2) is None
    build = builds.lease(session, now=NOW + builds.LEASE)

    assert build is not None
    assert (build.id, build.attempts) == (dead.id, 2)
    assert not builds.renew(session, dead, now=NOW, phase="late")
    assert not builds.finish(session, dead, now=NOW)
    assert builds.renew(session, build, now=NOW + builds.LEASE, phase="Every page is checked")
    assert builds.finish(session, build, now=NOW + builds.LEASE)
    assert session.exec(select(BuildFile)).all() == []


def test_a_lease_written_while_the_clock_was_ahead_is_ignored(session: Session) -> None:
    request(session)
    assert builds.lease(session, now=NOW + timedelta(days=400)) is not None

    assert builds.lease(session, now=NOW) is not None


def test_the_content_of_a_build_is_kept_until_its_end(session: Session) -> None:
    changes = {"articles/a.md": b"text", "articles/b.png": b"\x00\xff", "articles/c.md": None}
    builds.request(session, changes, ADA)
    build = builds.lease(session, now=NOW)
    assert build is not None

    assert builds.changes_of(session, build) == changes
    builds.finish(session, build, now=NOW, problem="articles/a.md, line 2: title: it is missing.")

    assert builds.changes_of(session, build) == {}
    [failed] = builds.latest(session)
    session.refresh(failed)
    assert (failed.state, failed.problem, failed.paths) == (
        BuildState.FAILED,
        "articles/a.md, line 2: title: it is missing.",
        sorted(changes),
    )


def test_a_request_supersedes_those_that_wait_and_whose_files_it_writes_again(session: Session) -> None:
    request(session, "articles/a.md")
    request(session, "articles/a.md", "articles/b.md")
    request(session, "articles/c.md", not_before=NOW + MINUTE)
    request(session)

    request(session, "articles/a.md", "articles/c.md")

    assert states(session) == [
        BuildState.SUPERSEDED,
        BuildState.WAITING,
        BuildState.CANCELLED,
        BuildState.SUPERSEDED,
        BuildState.WAITING,
    ]


def test_a_request_takes_its_texts_out_of_earlier_schedules(session: Session) -> None:
    both = request(session, "articles/a.md", "articles/b.md", not_before=NOW + MINUTE)
    request(session, "articles/a.md", not_before=NOW + 2 * MINUTE)

    request(session, "articles/a.md", not_before=NOW + 3 * MINUTE)
    assert states(session) == [BuildState.WAITING] * 3
    request(session, "articles/a.md")

    assert states(session) == [BuildState.WAITING, BuildState.CANCELLED, BuildState.CANCELLED, BuildState.WAITING]
    assert session.get_one(Build, both).paths == ["articles/b.md"]


def test_a_running_build_is_not_superseded(session: Session) -> None:
    request(session, "articles/a.md")
    builds.lease(session, now=NOW)

    request(session, "articles/a.md")

    assert states(session) == [BuildState.RUNNING, BuildState.WAITING]


def test_a_schedule_runs_once_after_its_time_however_far_the_clock_jumps(session: Session) -> None:
    planned = request(session, "articles/a.md", not_before=NOW + MINUTE)
    assert [build.id for build in builds.scheduled(session, now=NOW)] == [planned]
    assert builds.waiting(session, now=NOW) == []
    assert builds.lease(session, now=NOW) is None

    build = builds.lease(session, now=NOW + timedelta(days=40))

    assert build is not None
    assert build.id == planned
    builds.finish(session, build, now=NOW + timedelta(days=40))
    assert builds.lease(session, now=NOW + timedelta(days=80)) is None
    assert states(session) == [BuildState.DONE]


def test_builds_that_fell_due_while_the_site_was_down_run_in_the_order_of_their_moments(session: Session) -> None:
    last = request(session, "articles/a.md", not_before=NOW + 9 * MINUTE)
    second = request(session, "articles/a.md", not_before=NOW + 5 * MINUTE)
    third = request(session, "articles/b.md", now=NOW + 7 * MINUTE)
    first = request(session, "articles/c.md", now=NOW + MINUTE)

    order = [build.id for build in builds.waiting(session, now=NOW + 60 * MINUTE)]

    assert order == [first, second, third, last]


def test_a_schedule_can_be_called_off_and_a_running_build_cannot(session: Session) -> None:
    planned, due = request(session, "articles/a.md", not_before=NOW + MINUTE), request(session, "articles/b.md")
    builds.lease(session, now=NOW)

    outcomes = [builds.cancel(session, number, BO) for number in (planned, due, 99, planned)]

    assert outcomes == [True, False, False, False]
    assert states(session) == [BuildState.CANCELLED, BuildState.RUNNING]


def end(session: Session, *, minute: int, problem: str = "") -> None:
    """Runs the next build and ends it so many minutes after NOW."""
    build = builds.lease(session, now=NOW + minute * MINUTE)
    assert build is not None
    assert builds.finish(session, build, now=NOW + minute * MINUTE, problem=problem)
    session.expire_all()


def failed_paths(session: Session) -> list[list[str]]:
    return [build.paths for build in builds.failures(session)]


def test_a_failure_is_listed_until_a_later_build_has_written_its_texts(session: Session) -> None:
    request(session, "articles/a.md", "articles/a.th.md", "articles/a.png", not_before=NOW + MINUTE)
    request(session, "articles/b.md")
    end(session, minute=0)
    end(session, minute=1, problem="articles/a.md, line 2: title: it is missing.")
    assert failed_paths(session) == [["articles/a.md", "articles/a.th.md", "articles/a.png"]]

    request(session, "articles/a.md", now=NOW + MINUTE)
    end(session, minute=2)
    assert len(failed_paths(session)) == 1

    request(session, "articles/a.th.md", now=NOW + MINUTE)
    end(session, minute=3)
    assert failed_paths(session) == []
    assert builds.last_done(session) == builds.latest(session)[0]


def test_of_failures_with_the_same_texts_the_last_one_is_listed(session: Session) -> None:
    for minute, path in enumerate(("articles/a.md", "articles/a.md", "articles/b.md", None)):
        request(session, *([path] if path else []))
        end(session, minute=minute, problem=f"Problem {minute}.")

    assert [build.problem for build in builds.failures(session)] == ["Problem 3.", "Problem 2.", "Problem 1."]

    request(session, "articles/b.md")
    end(session, minute=9)

    assert [build.problem for build in builds.failures(session)] == ["Problem 1."]


def test_a_failure_can_be_dismissed_and_other_builds_cannot(session: Session) -> None:
    for minute, problem in enumerate(("The disk is full.", "")):
        request(session, f"articles/{minute}.md")
        end(session, minute=minute, problem=problem)

    assert [builds.dismiss(session, number, BO) for number in (1, 1, 2, 99)] == [True, False, False, False]

    assert builds.failures(session) == []
    assert audit_entries(session)[0].action == "dismiss failed publishing"


def test_a_text_is_taken_out_of_its_schedules_and_other_texts_stay_in_them(session: Session) -> None:
    due = request(session, "articles/a.md")
    with_picture = request(session, "articles/a.md", "articles/a.png", not_before=NOW + MINUTE)
    both = request(session, "articles/a.md", "articles/a.th.md", not_before=NOW + 2 * MINUTE)
    request(session, "articles/b.md", not_before=NOW + MINUTE)

    affected = builds.unschedule(session, ["articles/a.md", "articles/b.png"], BO)

    assert [build.id for build in affected] == [with_picture, both]
    assert states(session) == [BuildState.WAITING, BuildState.CANCELLED, BuildState.WAITING, BuildState.WAITING]
    remaining = session.get_one(Build, both)
    assert remaining.paths == ["articles/a.th.md"]
    assert builds.changes_of(session, remaining) == {"articles/a.th.md": b"text"}
    assert session.get_one(Build, due).paths == ["articles/a.md"]
    assert [(entry.before, entry.after) for entry in audit_entries(session)[:2]] == [
        ("2026-05-01 09:02 UTC", "articles/a.md"),
        ("2026-05-01 09:01 UTC", "articles/a.md"),
    ]


def test_each_change_is_in_the_audit_log(session: Session) -> None:
    request(session, "articles/a.md")
    planned = request(session, "articles/b.md", not_before=NOW + MINUTE)
    builds.cancel(session, planned, BO)
    build = builds.lease(session, now=NOW)
    assert build is not None
    builds.finish(session, build, now=NOW)

    log_lines = [(entry.person, entry.action, entry.before, entry.after) for entry in audit_entries(session)]

    assert log_lines == [
        ("ada@example.com", "published", "", "articles/a.md"),
        ("bo@example.com", "cancel publishing", "2026-05-01 09:01 UTC", "articles/b.md"),
        ("ada@example.com", "schedule", "2026-05-01 09:01 UTC", "articles/b.md"),
        ("ada@example.com", "publish", "", "articles/a.md"),
    ]


def test_a_path_outside_the_content_is_refused(session: Session) -> None:
    with pytest.raises(WrongPath):
        request(session, "../../etc/cron.d/a")

    assert states(session) == []


@pytest.mark.anyio
@ON_POSTGRES
async def test_a_build_that_a_process_begins_meanwhile_is_not_superseded(session: Session, store: Store) -> None:
    request(session, "articles/a.md")
    session.commit()

    assert builds.lease(session, now=NOW) is not None
    later_request = store.write(lambda other: builds.request(other, {"articles/a.md": b"newer"}, BO))
    await commit_when_awaited(session, store, later_request)

    assert [build.state for build in await rows_in(store, Build)] == [BuildState.RUNNING, BuildState.WAITING]
    assert [(file.build_id, file.content) for file in await rows_in(store, BuildFile)] == [(1, b"text"), (2, b"newer")]


@pytest.mark.anyio
@ON_POSTGRES
async def test_a_build_that_is_being_cancelled_is_not_begun(session: Session, store: Store) -> None:
    build_id = request(session, "articles/a.md")
    session.commit()

    assert builds.cancel(session, build_id, ADA)
    session.flush()
    leased = await commit_when_awaited(session, store, store.write(lambda other: builds.lease(other, now=NOW)))

    assert leased is None
    assert [build.state for build in await rows_in(store, Build)] == [BuildState.CANCELLED]


def test_a_build_that_was_begun_since_it_was_read_is_neither_superseded_nor_cancelled(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process of the release before takes no turn when it requests a build."""
    request(session, "articles/a.md")
    waiting = builds.waiting

    def begun_since(session: Session, *, now: datetime) -> Sequence[Build]:
        read = waiting(session, now=now)
        session.connection().execute(update(Build).values(state=BuildState.RUNNING))
        return read

    monkeypatch.setattr(builds, "waiting", begun_since)
    request(session, "articles/a.md")

    assert states(session) == [BuildState.RUNNING, BuildState.WAITING]
    assert len(session.exec(select(BuildFile)).all()) == 2
