"""/readyz: whether a lead that is sent now would be stored. For load balancers and monitors, cheap and without secrets."""

import asyncio
import shutil
import time
from pathlib import Path

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.api.context import api_context_of
from site_app.store import Store
from site_app.store.health import DatabaseProblem, database_problem

LEAST_FREE_BYTES = 50_000_000
KEEP_SECONDS = 3.0  # for which an answer is repeated: frequent questions must not each write to the database

log = structlog.get_logger()


class Readiness:
    """Asks the database by writing to it, once for all who ask within some seconds."""

    def __init__(self) -> None:
        self._asked_at = -KEEP_SECONDS
        self._asking: asyncio.Task[DatabaseProblem | None] | None = None
        self._problem: DatabaseProblem | None = None

    async def answer(self, request: Request) -> Response:
        """200 when the database takes writes and the disk has room, else 503; the body says which of them it is, and why."""
        context = api_context_of(request)
        problem = await self._problem_of(context.store)
        found: dict[str, bool | str] = {"database": not problem, "disk": _has_room(context.settings.var)}
        status = 200 if all(found.values()) else 503
        if problem:
            found["problem"] = problem.sentence
        return JSONResponse(found, status_code=status, headers={"Cache-Control": "no-store"})

    async def _problem_of(self, store: Store) -> DatabaseProblem | None:
        if self._asking is None or (self._asking.done() and time.monotonic() - self._asked_at >= KEEP_SECONDS):
            self._asked_at = time.monotonic()
            self._asking = asyncio.create_task(self._ask(store))
        return await asyncio.shield(self._asking)  # a client that hangs up must not cancel it for the others

    async def _ask(self, store: Store) -> DatabaseProblem | None:
        """Logged when it changes, not each time."""
        problem = await database_problem(store)
        if problem != self._problem:
            self._problem = problem
            if problem:
                log.error("database.not_ready", problem=problem.sentence, error=problem.message)
            else:
                log.warning("database.ready_again")
        return problem


def _has_room(directory: Path) -> bool:
    return shutil.disk_usage(directory).free >= LEAST_FREE_BYTES
