"""Ready or not: whether a lead sent now would be kept. For load balancers, cheap and without secrets."""

import asyncio
import shutil
from pathlib import Path

from sqlalchemy import text
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.api.office import office_of
from site_app.store import Store, StoreUnavailable

LEAST_FREE_BYTES = 50_000_000
LONGEST_WAIT_SECONDS = 2.0


async def ready(request: Request) -> Response:
    """200 when the database answers and the disk has room, else 503; the body says which of them it is."""
    office = office_of(request)
    found = {"database": await _answers(office.store), "disk": _has_room(office.settings.var)}
    return JSONResponse(found, status_code=200 if all(found.values()) else 503, headers={"Cache-Control": "no-store"})


async def _answers(store: Store) -> bool:
    try:
        await asyncio.wait_for(
            store.read(lambda session: session.connection().execute(text("select 1")).scalar()), LONGEST_WAIT_SECONDS
        )
    except (StoreUnavailable, TimeoutError):
        return False
    return True


def _has_room(directory: Path) -> bool:
    return shutil.disk_usage(directory).free >= LEAST_FREE_BYTES
