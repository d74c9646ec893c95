"""The call attachments: which files are accepted; one is uploaded, or removed before any lead names it."""

import asyncio
from datetime import timedelta

import structlog
from pydantic import BaseModel
from sqlmodel import Session
from starlette.requests import Request

from site_app.contracts.answer import Done
from site_app.contracts.attachment import LARGEST, Attached, FileRules
from site_app.contracts.fields import is_attachment_id
from site_app.contracts.problems import problem
from site_app.core.http.addresses import address_of, network_of
from site_app.core.http.bodies import LARGEST_FILE_BODY, declared_size
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t
from site_app.provider.endpoints.context import ApiContext
from site_app.provider.endpoints.multipart import Upload
from site_app.provider.endpoints.refusals import NoRoomForFiles, NotFound, Refusal
from site_app.provider.leads.attachments import Incoming, directory, discard, remove_files
from site_app.provider.store import advisory_lock
from site_app.provider.store.tables import Attachment

log = structlog.get_logger()

_PATIENCE = 5.0  # seconds for which the rest of a refused upload is read
_RETRY_PICTURES_SECONDS = 10
_RETRY_WITHOUT_DISK = timedelta(minutes=5)
_LONGEST_QUEUE = 15.0  # seconds; a browser gives up after 20 without progress, and looking at a picture takes two at most


async def attach(context: ApiContext, request: Request, _: None) -> BaseModel:
    """Stream the file to disk, examine it, keep it; an upload that breaks off leaves nothing behind."""
    upload = Upload(request)
    try:
        declared = declared_size(request)
        if declared is not None and declared > LARGEST_FILE_BODY:
            raise CallRefused(413, "too_large", problem("file_too_large", "file"))
        expected = LARGEST if declared is None else min(declared, LARGEST)
        network = network_of(address_of(request, context.settings))
        with context.uploads.reserved(network, expected):
            return await _accepted(context, upload, network, expected)
    except (CallRefused, Refusal):
        await upload.drain(_PATIENCE)
        raise
    except OSError as error:  # the disk is full or may not be written; a request without files may still be kept
        log.error("uploads.not_written", error=type(error).__name__, problem=error.strerror)
        await upload.drain(_PATIENCE)
        raise NoRoomForFiles(_RETRY_WITHOUT_DISK) from None


async def _accepted(context: ApiContext, upload: Upload, network: str, expected: int) -> Attached:
    folder = directory(context.settings.var)
    context.uploads.check_disk(folder)
    await context.store.read(lambda session: context.uploads.check_all(session, expected))
    await upload.start()
    with Incoming(folder, upload.name, context.clock()) as file:
        async for chunk in upload.chunks():
            await asyncio.to_thread(file.write, chunk)
            context.uploads.check_disk(folder)  # others may be sending as much at the same time
        row = await _examined(context, file, network)
        answer = Attached(id=row.id, name=row.original_name, size=row.size, kind=row.kind)

        def keep(session: Session) -> None:
            advisory_lock(session, "uploads")  # else two that fit alone would be counted at the same time
            context.uploads.check_all(session, row.size)
            session.add(row)

        await context.store.write(keep)
        file.keep()
    return answer


async def _examined(context: ApiContext, file: Incoming, network: str) -> Attachment:
    if not file.is_picture:
        return await asyncio.to_thread(file.examine)
    try:
        return await context.pictures.run(network, file.examine, patience_seconds=_LONGEST_QUEUE)
    except TimeoutError:
        raise CallRefused(
            503,
            "busy",
            t("We can’t accept this right now. Please try again in a few minutes."),
            retry_after=_RETRY_PICTURES_SECONDS,
        ) from None


async def show_rules(context: ApiContext, request: Request, _: None) -> FileRules:
    return FileRules()


async def detach(context: ApiContext, request: Request, _: None) -> BaseModel:
    """Remove a file that no lead names yet; whoever knows its id may."""
    identity = request.path_params["id"]
    if not is_attachment_id(identity):
        raise NotFound("attachment")
    name = await context.store.write(lambda session: discard(session, identity))
    await asyncio.to_thread(remove_files, directory(context.settings.var), [name])
    return Done()
