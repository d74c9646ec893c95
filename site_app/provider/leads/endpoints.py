"""The calls of API v1.0 that accept leads, one for each kind, and uploads."""

import asyncio
from datetime import timedelta

import structlog
from pydantic import BaseModel
from sqlmodel import Session
from starlette.requests import Request

from site_app.contracts.fields import MAX_FILE_BYTES, Attached, FileRules, is_attachment_id
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.problems import problem
from site_app.contracts.reply import Accepted, Done
from site_app.contracts.submission import ContactedSubmission, LeadKind
from site_app.core.http.bodies import MAX_FILE_BODY_BYTES, declared_size
from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.paths import API
from site_app.core.http.refusals import CallRefused
from site_app.core.metrics import lead_acknowledged
from site_app.provider.http.call import ApiContext, Call, post
from site_app.provider.http.multipart import Upload
from site_app.provider.http.refusals import EntryNotFound, NoRoomForFiles, ProviderRefusal, busy_refusal
from site_app.provider.leads.attachments import IncomingFile, directory, discard, remove_files
from site_app.provider.leads.quarantine import spam_signals
from site_app.provider.leads.storing import IncomingLead, SubmissionContext, store_leads
from site_app.provider.store import advisory_lock
from site_app.provider.store.tables import Attachment

log = structlog.get_logger()

_DRAIN_SECONDS = 5.0  # for which the rest of a refused upload is read
_RETRY_PICTURES_SECONDS = 10
_RETRY_WITHOUT_DISK = timedelta(minutes=5)
_MAX_QUEUE_SECONDS = 15.0  # a browser gives up after 20 without progress, and examining a picture takes two at most


def call_of(kind: LeadKind) -> Call:
    """Returns the call that accepts leads of this kind: it stores the lead and wakes the courier for its mails."""

    async def take(context: ApiContext, request: Request, submission: ContactedSubmission) -> Accepted:
        submission_context = await new_submission_context(context, submission)
        acknowledgement = await context.store.write_together(store_leads, IncomingLead(kind, submission, submission_context))
        request.state.is_repeated = not acknowledgement.is_new
        context.wake()
        lead_acknowledged(kind.name, quarantined=acknowledgement.quarantined)
        return Accepted(
            reference=acknowledgement.reference, quarantined=acknowledgement.quarantined, mailed=acknowledgement.mailed
        )

    return post(
        kind.call, kind.summary, take, Accepted, refuses=(415,), takes=kind.contract, limit="submissions", label=kind.label
    )


async def new_submission_context(context: ApiContext, submission: ContactedSubmission) -> SubmissionContext:
    """Returns the context of a new submission, with its spam signals and whether the sender's domain takes mail."""
    takes_mail = not context.settings.check_email_domains or await context.mail_domains.takes_mail(submission.domain)
    signals = spam_signals(submission, context.tokens, context.settings.minimum_filling_time)
    return SubmissionContext(context.settings, context.tokens, context.clock(), signals, takes_mail)


async def upload_file(context: ApiContext, request: Request, _: None) -> BaseModel:
    """Streams the file to disk, examines it and stores its row. An aborted upload leaves no file and no row."""
    upload = Upload(request)
    try:
        declared = declared_size(request)
        if declared is not None and declared > MAX_FILE_BODY_BYTES:
            raise CallRefused(413, "too_large", problem("file_too_large", "file"))
        expected = MAX_FILE_BYTES if declared is None else min(declared, MAX_FILE_BYTES)
        network = network_of(client_ip(request, context.settings))
        with context.uploads.reserved(network, expected):
            return await _store_upload(context, upload, network, expected)
    except (CallRefused, ProviderRefusal):
        await upload.drain(_DRAIN_SECONDS)
        raise
    except OSError as error:  # the disk is full or not writable; a lead without files may still be stored
        log.error("uploads.not_written", error=type(error).__name__, problem=error.strerror)
        await upload.drain(_DRAIN_SECONDS)
        raise NoRoomForFiles(_RETRY_WITHOUT_DISK) from None


async def _store_upload(context: ApiContext, upload: Upload, network: str, expected: int) -> Attached:
    """Streams the file to disk, examines it, and commits its row. The quotas are checked before and after, with the real size."""
    folder = directory(context.settings.var)
    context.uploads.check_disk(folder)
    await context.store.read(lambda session: context.uploads.check_total(session, expected))
    await upload.start()
    with IncomingFile(folder, upload.name, context.clock()) as file:
        async for chunk in upload.chunks():
            await asyncio.to_thread(file.write, chunk)
            context.uploads.check_disk(folder)  # checked again, because others may be uploading at the same time
        row = await _examine(context, file, network)
        reply = Attached(id=row.id, name=row.original_name, size=row.size, kind=row.kind)

        def store_row(session: Session) -> None:
            advisory_lock(session, "uploads")  # otherwise two uploads that only fit alone could pass the check at the same time
            context.uploads.check_total(session, row.size)
            session.add(row)

        await context.store.write(store_row)
        file.keep()
    return reply


async def _examine(context: ApiContext, file: IncomingFile, network: str) -> Attachment:
    """Examines the file in a thread and returns its row. A picture waits for its turn in the queue; CallRefused if that takes too long."""
    if not file.is_picture:
        return await asyncio.to_thread(file.examine)
    try:
        return await context.pictures.run(network, file.examine, patience_seconds=_MAX_QUEUE_SECONDS)
    except TimeoutError:
        raise busy_refusal(_RETRY_PICTURES_SECONDS) from None


async def show_rules(context: ApiContext, request: Request, _: None) -> FileRules:
    return FileRules()


async def remove_file(context: ApiContext, request: Request, _: None) -> BaseModel:
    """Removes a file that belongs to no lead yet. Knowing its id is the permission."""
    identity = request.path_params["id"]
    if not is_attachment_id(identity):
        raise EntryNotFound
    name = await context.store.write(lambda session: discard(session, identity))
    await asyncio.to_thread(remove_files, directory(context.settings.var), [name])
    return Done()


_FILE_RULES = "Which files are accepted"
_UPLOAD = "Send a file ahead of the quote request that names its id"
_REMOVE = "Take back a file that no quote request has named yet"
LEAD_CALLS = (
    *map(call_of, LEAD_KINDS),
    Call("GET", f"{API}/attachments", "fileRules", _FILE_RULES, show_rules, FileRules),
    post("attachments", _UPLOAD, upload_file, Attached, refuses=(415,), limit="uploads", success=201, streams=True),
    Call("DELETE", f"{API}/attachments/{{id}}", "removeAttachment", _REMOVE, remove_file, Done, refuses=(404, 503)),
)
