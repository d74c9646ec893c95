"""The builder: runs the builds that are due, one at a time across all processes, and makes their changes public.

With SITE_PUBLISH=build the pages are built in a process with limits and without secrets, and take the place of the old ones when they
are whole. With SITE_PUBLISH=git the changed files are committed and pushed. A build that fails changes nothing and says why.
"""

import asyncio
import errno
import os
import re
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import structlog

from site_app.core import ROOT
from site_app.core.published_pages import (
    BUILT,
    build_environment,
    code_digest,
    pages_to_serve,
    publishing_folder,
    read_digests,
    source_digests,
)
from site_app.core.settings import Settings
from site_app.plugins.static_first import NOT_BUILT
from site_app.provider.publishing import builds, git
from site_app.provider.publishing.folders import (
    Workspace,
    bytes_to_copy,
    make_public,
    open_workspace,
    prepare_pages,
    remove_old,
)
from site_app.provider.publishing.stages import next_publication_day
from site_app.provider.store import Store, StoreUnavailable
from site_app.provider.store.tables import Build

BUILD = (sys.executable, "-m", "site_app.cli.build")
_LIMITED = (sys.executable, "-m", "site_app.provider.publishing.limited_process")
MAX_BUILD_SECONDS = 600.0
_REGISTRY = "https://registry.npmjs.org/"
_POLL_SECONDS = 2.0  # another process may have added a build without waking this one
_PROCESS_POLL_SECONDS = 0.1
_RENEW_EVERY_SECONDS = builds.LEASE.total_seconds() / 3
_PHASE = re.compile(r"\s*\d+ s  (.+)")
_NO_ROOM = ("No space left on device", "ENOSPC", "Disk quota exceeded")
_MEGABYTE = 1_000_000
_DISK_FULL = "The disk is full: make room, then publish again."
_MAX_PROBLEM_LENGTH = 2000
_MAX_ATTEMPTS = 10  # of a build that crashes its process each time; then it is given up

log = structlog.get_logger()


class BuildFailed(Exception):
    """The pages could not be built; the message says why, in a sentence for the person who wrote the text."""


class _BuildLost(Exception):
    """Another process has taken the build, because this one did not renew its lease in time."""


class Builder:
    """Runs builds until it is cancelled. Several processes may have one each: a build is leased to one of them at a time."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        checkout: Path = ROOT,
        command: Sequence[str] = BUILD,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._checkout = checkout
        self._command = command
        self._woken = asyncio.Event()
        self._phase = ""

    def wake(self) -> None:
        """Tells `build_forever` that a build was requested. Must be called in the event loop of `build_forever`."""
        self._woken.set()

    async def build_forever(self) -> None:
        await self.prepare()
        while True:
            self._woken.clear()
            if not await self.run_next():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await self._woken.wait()

    async def prepare(self) -> None:
        """Requests a build if the pages that are served are not of this code and these texts, and one for the next text to come."""
        if self._settings.publish != "build":
            return
        made_now = await asyncio.to_thread(source_digests, self._settings, self._checkout)
        folder = pages_to_serve(self._settings.var, made_now.code, self._checkout / BUILT)
        if read_digests(folder) != made_now:
            now = self._clock()
            await self._store.write(lambda session: builds.request_once(session, now=now))
        await self._plan_next_day()

    async def run_next(self) -> bool:
        """Runs the next build that is due. Returns False if there is none, or another process runs one."""
        try:
            if not await self._store.read(partial(builds.is_due, now=self._clock())):
                return False
            now = self._clock()
            build = await self._store.write(lambda session: builds.lease(session, now=now))
        except StoreUnavailable as error:  # the builds stay in the database until it is back
            log.error("publishing.paused", error=type(error).__name__)
            return False
        if build is None:
            return False
        log.info("publishing.begun", reference=str(build.id), attempts=build.attempts)
        if build.attempts > _MAX_ATTEMPTS:
            await self._finish(build, f"The build was cut off {_MAX_ATTEMPTS} times and was given up: publish again.")
            return True
        try:
            problem = await self._run_leased(build)
        except _BuildLost:
            log.warning("publishing.lost", reference=str(build.id))
            return True
        except asyncio.CancelledError:  # the site stops: the next process begins this build at once, not when the lease expires
            await self._store.write(lambda session: builds.release(session, build, now=self._clock()))
            raise
        await self._finish(build, problem)
        return True

    async def _run_leased(self, build: Build) -> str:
        """Runs the build while renewing its lease. Returns the sentence of its problem, or "". Raises _BuildLost if the lease is lost."""
        self._phase = ""
        lease = asyncio.create_task(self._keep_lease(build))
        work = asyncio.create_task(self._publish(build))
        try:
            await asyncio.wait((lease, work), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise _BuildLost
            return await self._problem_of(work)
        finally:
            for task in (lease, work):
                task.cancel()
            await asyncio.gather(lease, work, return_exceptions=True)

    async def _problem_of(self, work: "asyncio.Task[None]") -> str:
        try:
            await work
        except BuildFailed as failure:
            return str(failure)
        except git.NotPushed as failure:
            return str(failure)
        except (StoreUnavailable, _BuildLost):
            raise
        except OSError as error:
            text = error.strerror or type(error).__name__
            log.error("publishing.failed", error=type(error).__name__)
            return _DISK_FULL if any(words in text for words in _NO_ROOM) else f"The files could not be written: {text}."
        except Exception as error:  # a bug must not make this build run again and again while all others wait
            log.error("publishing.failed", error=type(error).__name__)
            return "The pages could not be built. Whoever runs the site finds the reason in its log."
        return ""

    async def _publish(self, build: Build) -> None:
        changes = await self._store.read(lambda session: builds.changes_of(session, build))
        if self._settings.publish == "git":
            await self._note_phase(build, "Committing the texts")
            await git.push(self._settings, changes, person=build.requested_by)
        else:
            await self._build(build, changes)

    async def _build(self, build: Build, changes: Mapping[str, bytes | None]) -> None:
        settings = self._settings
        name = f"{build.id}-{build.attempts}"
        await self._note_phase(build, "Collecting the texts")
        publishing_folder(settings.var).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._check_disk(await asyncio.to_thread(bytes_to_copy, settings.var, self._checkout))
        code = await asyncio.to_thread(code_digest, settings, self._checkout)
        workspace = await asyncio.to_thread(open_workspace, settings.var, self._checkout, code, name)
        try:
            await asyncio.to_thread(workspace.fill, settings.content_folder, changes)
            await self._make_pages(build, workspace)
            await self._note_phase(build, "Replacing the pages")
            earlier = pages_to_serve(settings.var, code, self._checkout / BUILT)
            folder = await asyncio.to_thread(prepare_pages, workspace.built, name, settings.var, earlier=earlier)
        except asyncio.CancelledError:
            raise  # a thread may still write into the workspace: the next build removes it
        except BaseException as failure:
            await asyncio.to_thread(workspace.discard if _is_disk_full(failure) else workspace.keep)
            raise
        await asyncio.to_thread(workspace.keep)
        if not await self._renewed(build):  # the last moment at which another process may have taken it
            raise _BuildLost
        await asyncio.to_thread(make_public, folder, settings.content_folder, changes, settings.var)
        await asyncio.to_thread(remove_old, settings.var)

    def _check_disk(self, needed_bytes: int = 0) -> None:
        """Raises BuildFailed if the build would use disk that SITE_UPLOADS_RESERVE_MB keeps for leads."""
        if shutil.disk_usage(self._settings.var).free < self._settings.uploads_reserve_mb * _MEGABYTE + needed_bytes:
            raise BuildFailed(_DISK_FULL)

    async def _make_pages(self, build: Build, workspace: Workspace) -> None:
        """Runs the build's process in the workspace. Raises BuildFailed with a sentence if it does not make whole pages."""
        settings = self._settings
        environment = build_environment(settings) | {"SITE_CONTENT": str(workspace.content.absolute())}
        if workspace.has_packages:  # nothing is installed, so the build need not look for the configured registry
            environment.setdefault("NPM_CONFIG_REGISTRY", _REGISTRY)
        process = await asyncio.create_subprocess_exec(
            *(*_LIMITED, *self._command), cwd=workspace.folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT, start_new_session=True
        )  # fmt: skip
        output: list[str] = []
        reading = asyncio.create_task(self._read_phases(build, process, output))
        try:
            async with asyncio.timeout(MAX_BUILD_SECONDS):
                # `process.wait` would also wait until its children close the output.
                while process.returncode is None:
                    self._check_disk()
                    await asyncio.sleep(_PROCESS_POLL_SECONDS)
        except TimeoutError:
            raise BuildFailed(
                f"The build took longer than {MAX_BUILD_SECONDS / 60:.0f} minutes and was stopped: publish again."
            ) from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # none of its children stays behind
            await process.wait()
            await reading
        if process.returncode or not read_digests(workspace.built).code:
            _keep_log(settings, workspace.log)
            raise BuildFailed(_failure_sentence("".join(output), workspace.log, process.returncode or 0))

    async def _read_phases(self, build: Build, process: Process, output: list[str]) -> None:
        """Collects the output, and stores each phase that it names."""
        assert process.stdout is not None
        async for line in process.stdout:
            text = line.decode("utf-8", "replace")
            output.append(text)
            if match := _PHASE.match(text):
                await self._note_phase(build, match[1])

    async def _keep_lease(self, build: Build) -> None:
        """Renews the lease until it is lost."""
        while True:
            await asyncio.sleep(_RENEW_EVERY_SECONDS)
            with suppress(StoreUnavailable):
                if not await self._renewed(build):
                    return

    async def _renewed(self, build: Build) -> bool:
        now = self._clock()
        phase = self._phase
        return await self._store.write(lambda session: builds.renew(session, build, now=now, phase=phase))

    async def _note_phase(self, build: Build, phase: str) -> None:
        """Stores the phase of the build, which the office shows."""
        self._phase = phase
        with suppress(StoreUnavailable):
            await self._renewed(build)

    async def _finish(self, build: Build, problem: str) -> None:
        now = self._clock()
        while True:
            try:
                await self._store.write(lambda session: builds.finish(session, build, now=now, problem=problem))
                break
            except StoreUnavailable as error:
                # Without this note the build would run again when its lease expires, to the same end.
                log.error("publishing.not_noted", error=type(error).__name__)
                await asyncio.sleep(_POLL_SECONDS)
        log.info("publishing.ended", reference=str(build.id), status="failed" if problem else "done")
        if not problem:
            await self._plan_next_day()

    async def _plan_next_day(self) -> None:
        """Requests a build for the day at which the next text becomes public by its date."""
        if self._settings.publish != "build":
            return
        now = self._clock()
        today = self._settings.local_day(now)
        if day := await asyncio.to_thread(next_publication_day, self._settings, today):
            midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(self._settings.booking_zone))
            moment = midnight.astimezone(UTC)
            await self._store.write(lambda session: builds.request_once(session, now=now, not_before=moment))


def _failure_sentence(output: str, reflex_log: str, returncode: int) -> str:
    """Returns why the build failed, for the person who wrote the text."""
    if NOT_BUILT in output:
        problem = output.rpartition(NOT_BUILT)[2].strip()
        return problem[:_MAX_PROBLEM_LENGTH]
    if any(words in output or words in reflex_log for words in _NO_ROOM):
        return _DISK_FULL
    if returncode in (128 + signal.SIGXCPU, 128 + signal.SIGKILL, -signal.SIGKILL):
        return "The build used more time or memory than it may, and was stopped: publish again. If it happens again, ask whoever runs the site."
    return "The pages could not be built. Whoever runs the site finds the reason in publishing/build.log in SITE_VAR."


def _is_disk_full(failure: BaseException) -> bool:
    """Returns True if the disk is full, so that the unfinished pages must make room."""
    return str(failure) == _DISK_FULL or (isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT))


def _keep_log(settings: Settings, reflex_log: str) -> None:
    with suppress(OSError):
        (publishing_folder(settings.var) / "build.log").write_text(reflex_log)
