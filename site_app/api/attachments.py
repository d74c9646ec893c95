"""attachments: a file comes in, or is taken back before anybody claimed it."""

import asyncio

from pydantic import BaseModel
from starlette.requests import Request

from site_app.api.errors import CallRefused
from site_app.api.multipart import Upload
from site_app.api.office import Office
from site_app.contracts.answer import Done
from site_app.contracts.attachment import LARGEST, Attached
from site_app.contracts.problems import problem
from site_app.services.attachments import Incoming, directory, discard, remove_files
from site_app.services.refusals import FileRefused

_FRAME = 16 * 1024  # what a multipart form adds to its file
_PATIENCE = 5.0  # seconds
_ONE_BY_ONE = asyncio.Semaphore(1)  # pictures are unpacked in memory, where the largest allowed takes 160 MB


async def attach(office: Office, request: Request, _: None) -> BaseModel:
    """Stream the file to disk, look at what it is, keep it; an upload that breaks off leaves nothing."""
    upload = Upload(request)
    try:
        declared = request.headers.get("Content-Length", "")
        if declared.isdecimal() and int(declared) > LARGEST + _FRAME:
            raise CallRefused(413, "too_large", problem("file_too_large", "file"))
        return await _taken(office, upload)
    except (CallRefused, FileRefused):
        await upload.hear_out(_PATIENCE)
        raise


async def _taken(office: Office, upload: Upload) -> Attached:
    await upload.start()
    room = directory(office.settings.var)
    with Incoming(room, upload.name, office.clock()) as file:
        async for chunk in upload.chunks():
            await asyncio.to_thread(file.write, chunk)
        async with _ONE_BY_ONE:
            row = await asyncio.to_thread(file.examine)
        answer = Attached(id=row.id, name=row.original_name, size=row.size, kind=row.kind)
        await office.store.write(lambda session: session.add(row))
        file.keep()
    return answer


async def detach(office: Office, request: Request, _: None) -> BaseModel:
    """Remove a file nobody claimed yet; whoever knows its id may."""
    name = await office.store.write(lambda session: discard(session, request.path_params["id"]))
    await asyncio.to_thread(remove_files, directory(office.settings.var), [name])
    return Done()
