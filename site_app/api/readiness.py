"""Ready or not: whether a lead sent now would be kept. For load balancers, cheap and without secrets."""

import asyncio
import shutil
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from site_app.api.office import office_of
from site_app.store import Store, StoreUnavailable

LEAST_FREE_BYTES = 50_000_000
LONGEST_WAIT_SECONDS = 2.0
# A PostgreSQL server that stands by for another, or was told to, answers and takes no writes.
_MAY_WRITE = {"postgresql": "select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'"}


async def ready(request: Request) -> Response:
    """200 when the database takes writes and the disk has room, else 503; the body says which of them it is."""
    office = office_of(request)
    found = {"database": await _takes_leads(office.store), "disk": _has_room(office.settings.var)}
    return JSONResponse(found, status_code=200 if all(found.values()) else 503, headers={"Cache-Control": "no-store"})


async def _takes_leads(store: Store) -> bool:
    try:
        return await asyncio.wait_for(store.read(_may_write), LONGEST_WAIT_SECONDS)
    except (StoreUnavailable, TimeoutError):
        return False


def _may_write(session: Session) -> bool:
    connection = session.connection()
    return bool(connection.execute(text(_MAY_WRITE.get(connection.dialect.name, "select 1"))).scalar())


def _has_room(directory: Path) -> bool:
    return shutil.disk_usage(directory).free >= LEAST_FREE_BYTES
