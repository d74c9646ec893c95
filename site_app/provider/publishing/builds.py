"""Builds: requests to make changed texts and pictures public, one row each, which the builder takes one after the other."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, update
from sqlmodel import Session, col, func, select

from site_app.provider.publishing.files import checked_path, texts_among
from site_app.provider.store import advisory_lock
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import Build, BuildFile, BuildState

LEASE = timedelta(seconds=30)  # renewed while a build runs: an expired lease belongs to a dead process
KEEP_ENDED = timedelta(days=90)  # for which the row of an ended build is kept
REQUESTED_BY_SITE = "the site"  # requester of builds that no person requested: after a new release, and on the day of a text
_LOCK = "publishing"
_LAST_ENDED_FIRST = (col(Build.finished_at).desc(), col(Build.id).desc())
_MAX_PATHS_LENGTH = 500  # characters in the audit log


def take_turn(session: Session) -> None:
    """Waits until no other process requests, begins, changes or cancels a build, and keeps them waiting until this transaction ends.

    Whoever decides by what builds write calls it before reading it. Locks of texts must be taken earlier (`drafts.take_over`), never later.
    """
    advisory_lock(session, _LOCK)


def request(
    session: Session,
    changes: Mapping[str, bytes | None],
    actor: Actor,
    *,
    not_before: datetime | None = None,
) -> Build:
    """Requests a build that writes these files, removes those without content, and builds the pages; at once, or not before `not_before`.

    Paths other than those of `text_path`, `picture_path` and `translations_path` raise WrongPath. Without changes the pages are built from
    the present files. A waiting build is superseded if this one writes all of its files: its pages would be public for seconds only. The
    texts of an immediate build are taken out of scheduled ones, which hold older versions.
    """
    take_turn(session)  # otherwise a build that another process begins meanwhile would be superseded while it runs
    paths = [checked_path(path) for path in changes]
    if not_before is None or not_before <= actor.now:
        not_before = None
        for waiting_build in waiting(session, now=actor.now):
            if set(waiting_build.paths) <= set(paths):
                _end(session, waiting_build, BuildState.SUPERSEDED, now=actor.now)
        if paths:
            unschedule(session, paths, actor)
    build = Build(requested_at=actor.now, requested_by=actor.name, not_before=not_before, paths=paths)
    session.add(build)
    session.flush()
    assert build.id is not None
    session.add_all(BuildFile(build_id=build.id, path=path, content=content) for path, content in changes.items())
    action = "schedule" if not_before else "publish"
    session.flush()
    record(session, actor, action, before=_minute_in_utc(not_before), after=_path_list(paths))
    return build


def latest(session: Session, limit: int = 20) -> Sequence[Build]:
    """Returns the builds that were requested last, newest first, in whatever state."""
    return session.exec(select(Build).order_by(col(Build.id).desc()).limit(limit)).all()


def waiting(session: Session, *, now: datetime) -> Sequence[Build]:
    """Returns the builds that are due and wait for their turn, in the order in which they will run."""
    due_at = func.coalesce(Build.not_before, Build.requested_at)
    due = select(Build).where(col(Build.state) == BuildState.WAITING, _is_due(now))
    return session.exec(due.order_by(due_at, col(Build.id))).all()


def scheduled(session: Session, *, now: datetime) -> Sequence[Build]:
    """Returns the builds whose moment has not come, the next one first."""
    is_later = col(Build.not_before) > now
    return session.exec(
        select(Build).where(col(Build.state) == BuildState.WAITING, is_later).order_by(col(Build.not_before))
    ).all()


def running(session: Session) -> Build | None:
    """Returns the build that is running, or None."""
    return session.exec(select(Build).where(col(Build.state) == BuildState.RUNNING)).first()


def active(session: Session, *, now: datetime) -> Build | None:
    """Returns the build that is running, or else the one that will run next, or None if none is due."""
    return running(session) or next(iter(waiting(session, now=now)), None)


def last_done(session: Session) -> Build | None:
    """Returns the build that succeeded last, or None."""
    return session.exec(select(Build).where(col(Build.state) == BuildState.DONE).order_by(*_LAST_ENDED_FIRST).limit(1)).first()


def written_texts(session: Session) -> set[str]:
    """Returns the paths of all texts that builds of the last KEEP_ENDED have written or removed."""
    return texts_among(
        path for build in session.exec(select(Build).where(Build.state == BuildState.DONE)) for path in build.paths
    )


def failures(session: Session) -> Sequence[Build]:
    """Returns the failed builds with a text that no later build has written, the last one first.

    A later failure with the same texts takes the place of an earlier one. A build of all pages is made up for by any later build.
    """
    first_failure = session.exec(select(func.min(Build.finished_at)).where(Build.state == BuildState.FAILED)).one()
    if first_failure is None:
        return []
    ended_since = (col(Build.state).in_((BuildState.DONE, BuildState.FAILED)), col(Build.finished_at) >= first_failure)
    ended = session.exec(select(Build).where(*ended_since).order_by(*_LAST_ENDED_FIRST))
    failed = list[Build]()
    later_texts: set[str] | None = None  # None until a later build is known
    for build in ended:
        texts = texts_among(build.paths)
        if build.state == BuildState.FAILED and (later_texts is None or not texts <= later_texts):
            failed.append(build)
        later_texts = (later_texts or set()) | texts
    return failed


def dismiss(session: Session, build_id: int, actor: Actor) -> bool:
    """Takes a failed build off the list of failures. Returns False if no failed build has this number."""
    build = session.exec(select(Build).where(Build.id == build_id, Build.state == BuildState.FAILED).with_for_update()).first()
    if build is None:
        return False
    build.state = BuildState.CANCELLED
    session.add(build)
    record(session, actor, "dismiss failed publishing", before=build.problem, after=_path_list(build.paths))
    return True


def cancel(session: Session, build_id: int, actor: Actor) -> bool:
    """Cancels a build that has not begun. Returns False if no waiting build has this number."""
    take_turn(session)
    build = session.exec(select(Build).where(Build.id == build_id, Build.state == BuildState.WAITING)).first()
    if build is None or not _end(session, build, BuildState.CANCELLED, now=actor.now):
        return False
    record(session, actor, "cancel publishing", before=_minute_in_utc(build.not_before), after=_path_list(build.paths))
    return True


def unschedule(session: Session, paths: Iterable[str], actor: Actor) -> Sequence[Build]:
    """Takes these texts out of all scheduled builds, and returns the builds that had them. One that is left without a text is cancelled."""
    take_turn(session)  # no process may begin such a build meanwhile
    texts = texts_among(paths)
    affected = [build for build in scheduled(session, now=actor.now) if texts & {*build.paths}]
    for build in affected:
        removed = [path for path in build.paths if path in texts]
        kept_paths = [path for path in build.paths if path not in texts]
        if texts_among(kept_paths):
            build.paths = kept_paths
            session.add(build)
            of_build = (col(BuildFile.build_id) == build.id, col(BuildFile.path).in_(removed))
            session.connection().execute(delete(BuildFile).where(*of_build))
        elif not _end(session, build, BuildState.CANCELLED, now=actor.now):
            continue
        record(session, actor, "cancel publishing", before=_minute_in_utc(build.not_before), after=_path_list(removed))
    session.flush()
    return affected


def request_once(session: Session, *, now: datetime, not_before: datetime | None = None) -> bool:
    """Requests a build of the pages without changes, in the name of the site. Returns False if there is one already for that moment."""
    take_turn(session)
    moment = not_before if not_before and not_before > now else None
    if moment is None:  # whatever waits or runs makes the pages of this code and of all texts
        is_requested = bool(waiting(session, now=now)) or running(session) is not None
    else:
        is_requested = any(not build.paths and build.not_before == moment for build in scheduled(session, now=now))
    if is_requested:
        return False
    request(session, {}, Actor(REQUESTED_BY_SITE, now), not_before=moment)
    return True


def is_due(session: Session, *, now: datetime) -> bool:
    """Returns True if `lease` would find a build, without waiting for other processes."""
    under_way = running(session)
    return not _is_leased(under_way, now) if under_way is not None else bool(waiting(session, now=now))


def lease(session: Session, *, now: datetime) -> Build | None:
    """Takes the next build that is due, or one whose process died, for LEASE. Returns None if none is due, or one is under way."""
    take_turn(session)  # so that no two processes find that nothing is under way
    under_way = running(session)
    if under_way is not None and _is_leased(under_way, now):
        return None
    build = under_way or next(iter(waiting(session, now=now)), None)
    if build is not None:
        build.state = BuildState.RUNNING
        build.claimed_until = now + LEASE
        build.attempts = build.attempts + 1
        build.started_at = now
        build.phase = ""
        session.add(build)
        session.flush()
    return build


def renew(session: Session, build: Build, *, now: datetime, phase: str) -> bool:
    """Renews the lease and stores the phase. Returns False if another process has taken the build."""
    changed = session.connection().execute(update(Build).where(_is_held(build)).values(claimed_until=now + LEASE, phase=phase))
    return changed.rowcount == 1


def release(session: Session, build: Build, *, now: datetime) -> None:
    """Ends the lease of a build that was cut off, so that the next process begins it anew."""
    session.connection().execute(update(Build).where(_is_held(build)).values(claimed_until=now, phase=""))


def finish(session: Session, build: Build, *, now: datetime, problem: str = "") -> bool:
    """Notes the end of a build, with the sentence of its problem if it failed. Returns False if another process has taken the build."""
    ended = {
        "state": BuildState.FAILED if problem else BuildState.DONE,
        "problem": problem,
        "claimed_until": None,
        "finished_at": now,
    }
    changed = session.connection().execute(update(Build).where(_is_held(build)).values(**ended))
    if changed.rowcount != 1:
        return False
    session.connection().execute(delete(BuildFile).where(col(BuildFile.build_id) == build.id))
    old = and_(
        col(Build.state).in_((BuildState.DONE, BuildState.FAILED, BuildState.SUPERSEDED, BuildState.CANCELLED)),
        col(Build.finished_at) < now - KEEP_ENDED,
    )
    session.connection().execute(delete(Build).where(old))
    action = "publishing failed" if problem else "published"
    record(session, Actor(build.requested_by, now), action, after=problem or _path_list(build.paths))
    return True


def changes_of(session: Session, build: Build) -> dict[str, bytes | None]:
    """Returns the new content of each file that the build changes; None if the file is removed."""
    return {file.path: file.content for file in session.exec(select(BuildFile).where(BuildFile.build_id == build.id))}


def _is_due(now: datetime) -> ColumnElement[bool]:
    return or_(col(Build.not_before).is_(None), col(Build.not_before) <= now)


def _is_leased(build: Build, now: datetime) -> bool:
    """Returns True while a process has the build. A lease that ends much later was written while the clock was ahead."""
    return build.claimed_until is not None and now < build.claimed_until <= now + 2 * LEASE


def _is_held(build: Build) -> ColumnElement[bool]:
    return and_(col(Build.id) == build.id, col(Build.state) == BuildState.RUNNING, col(Build.attempts) == build.attempts)


def _end(session: Session, build: Build, state: BuildState, *, now: datetime) -> bool:
    """Ends a build that waits. Returns False if a process of an older release, which takes no turns, has begun it."""
    is_waiting = and_(col(Build.id) == build.id, col(Build.state) == BuildState.WAITING)
    changed = session.connection().execute(update(Build).where(is_waiting).values(state=state, finished_at=now))
    session.refresh(build)
    if changed.rowcount != 1:
        return False
    session.connection().execute(delete(BuildFile).where(col(BuildFile.build_id) == build.id))
    return True


def _minute_in_utc(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else ""


def _path_list(paths: Sequence[str]) -> str:
    text = ", ".join(paths) or "all pages"
    return text if len(text) <= _MAX_PATHS_LENGTH else f"{text[:_MAX_PATHS_LENGTH]}…"
