"""/readyz says if a lead sent now would be stored. For load balancers and monitors: cheap and without secrets."""

import asyncio
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.provider.http.call import api_context_of
from site_app.provider.store import Store
from site_app.provider.store.health import DatabaseProblem, database_problem

MIN_FREE_BYTES = 50_000_000
_DISK_FULL = f"Less than {MIN_FREE_BYTES // 1_000_000} MB are free in SITE_VAR: make room."
KEEP_SECONDS = 3.0  # a result is cached for this time, so that frequent requests do not each write to the database

log = structlog.get_logger()


class Readiness:
    """Checks database and disk, and caches the result for some seconds. The database is checked by a write."""

    def __init__(self) -> None:
        self._checked_at = -KEEP_SECONDS
        self._check: asyncio.Task[_Verdict] | None = None
        self._problem = ""

    async def respond(self, request: Request) -> Response:
        """Responds with 200 if the database accepts writes and the disk has room, else 503. The body names the failing part and the reason."""
        context = api_context_of(request)
        verdict = await self._verdict(context.store, context.settings.var)
        parts: dict[str, bool | str] = {"database": verdict.database is None, "disk": verdict.has_room}
        if verdict.problem:
            parts["problem"] = verdict.problem
        return JSONResponse(parts, status_code=503 if verdict.problem else 200, headers={"Cache-Control": "no-store"})

    async def _verdict(self, store: Store, directory: Path) -> "_Verdict":
        if self._check is None or (self._check.done() and time.monotonic() - self._checked_at >= KEEP_SECONDS):
            self._checked_at = time.monotonic()
            self._check = asyncio.create_task(self._run_check(store, directory))
        return await asyncio.shield(self._check)  # a disconnecting client must not cancel the check for the others

    async def _run_check(self, store: Store, directory: Path) -> "_Verdict":
        """Runs the check. Logs a problem only when it changes."""
        has_room = shutil.disk_usage(directory).free >= MIN_FREE_BYTES
        verdict = _Verdict(await database_problem(store), has_room)
        if verdict.problem != self._problem:
            self._problem = verdict.problem
            if verdict.problem:
                log.error("site.not_ready", problem=verdict.problem, error=verdict.database and verdict.database.message)
            else:
                log.warning("site.ready_again")
        return verdict


@dataclass(frozen=True)
class _Verdict:
    """The result of a check. `problem` is a sentence for the public, or "" if a lead would be stored."""

    database: DatabaseProblem | None
    has_room: bool

    @property
    def problem(self) -> str:
        if self.database:
            return self.database.sentence
        return "" if self.has_room else _DISK_FULL
