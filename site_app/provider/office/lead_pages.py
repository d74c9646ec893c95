"""The inbox, and the page of a lead or meeting with all its actions."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlmodel import Session, select
from starlette.responses import FileResponse, Response, StreamingResponse

from site_app.core.http.pages import PAGE_HEADERS
from site_app.core.locales import LOCALES
from site_app.core.settings.rules import EDITOR
from site_app.provider.affiliates.mails import DECLINED
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.leads.attachments import directory
from site_app.provider.leads.erasing import erase_for_good
from site_app.provider.leads.export import CRM_WRITERS, WRITERS, as_json, export_parts
from site_app.provider.leads.mails import kind_words
from site_app.provider.leads.person_export import person_record
from site_app.provider.leads.queries import EVERY_KIND, full_entry, references_of, row_of
from site_app.provider.office import actions, inbox
from site_app.provider.office.access import OfficeRequest
from site_app.provider.office.actions import MAX_NOTE_LENGTH, EditConflict
from site_app.provider.office.frame import redirect_in_office
from site_app.provider.office.typed_values import parse_number
from site_app.provider.store import StoreUnavailable, insert_if_new
from site_app.provider.store.audit_log import audit_entries
from site_app.provider.store.tables import (
    TEAM_STATUSES,
    Attachment,
    LeadStatus,
    MeetingStage,
    OpenedLead,
    OutboxStatus,
    Partner,
    Referral,
)

_CHOICES = {
    "kinds": [(kind, kind_words(kind)) for kind in EVERY_KIND],
    "statuses": [(status, status) for status in LeadStatus],
    "languages": [(locale.id, locale.title) for locale in LOCALES],
}


async def inbox_page(request: OfficeRequest) -> Response:
    """Shows a page of the leads and meetings that match the filter in the URL."""
    query = request.query_params
    zone = request.context.settings.booking_zone
    filters, typed = inbox.filter_of(query, zone)
    listing = await request.context.store.read(
        lambda session: inbox.list_page(session, filters, typed, query.get("after", ""), request.person.address)
    )
    return request.render("inbox.html", "Inbox", **_CHOICES, **inbox.TEMPLATE_FUNCTIONS, **listing)


async def export(request: OfficeRequest) -> Response:
    """Streams the leads and meetings that match the filter in the URL, page by page; each page is read and formatted in a thread."""
    filters, _ = inbox.filter_of(request.query_params, request.context.settings.booking_zone)
    kind = request.path_params["format"]
    store = request.context.store
    writers = {**WRITERS, **CRM_WRITERS}
    if kind not in writers:
        raise EntryNotFound
    writer = writers[kind]()
    parts = export_parts(store, filters, writer)
    first = await anext(parts)  # read before the response starts, so that a database error is still shown as a page

    async def parts_with_mark() -> AsyncIterator[str]:
        # without a BOM Excel reads the file in the machine's legacy code page
        yield "\ufeff" if writer.media_type == "text/csv" else ""
        yield first
        async for part in parts:
            yield part

    name = f"leads-{kind}.csv" if kind in CRM_WRITERS else f"leads.{kind}"
    return StreamingResponse(parts_with_mark(), media_type=writer.media_type, headers=_attached(name))


async def person_file(request: OfficeRequest) -> Response:
    """Exports everything stored about one person, as the law entitles persons to get."""
    context = request.context
    email = request.query_params.get("email", "")
    today = context.settings.local_day(context.clock())
    read_record = partial(person_record, email=email, settings=context.settings, today=today)
    record = await context.store.read(read_record)
    if record is None:
        raise EntryNotFound
    return Response(as_json(record), media_type="application/json", headers=_attached("person.json"))


async def lead_page(request: OfficeRequest) -> Response:
    """GET shows the lead or meeting, POST makes a change."""
    reference = request.reference
    if request.method == "POST":
        return await _change_lead(request, reference)
    return await _lead_page(request, reference)


def lead_path(request: OfficeRequest, reference: str, **query: str) -> str:
    """Returns the lead's path within the office, with the query of the list to which its page leads back."""
    origin = inbox.list_of(request.query_params)
    query |= {} if origin is None else {"list": origin}
    return f"/leads/{reference}" + (f"?{urlencode(query)}" if query else "")


async def _lead_page(request: OfficeRequest, reference: str, *, status: int = 200, **values: Any) -> Response:
    shown_lead = await request.context.store.read(partial(_stored_lead, reference=reference, person=request.person.address))
    entry = shown_lead["lead"]
    now = request.context.clock()
    if request.method == "GET" and not shown_lead.pop("is_opened"):
        await _mark_opened(request, reference)
    template_values = {
        "back": _way_back(request, entry),
        "own_path": lead_path(request, reference),
        "move_path": lead_path(request, f"{reference}/move"),
        "conflict": False,
        "chosen": {"status": entry["status"], "owner": entry["owner"]},
        "is_meeting": entry["kind"] == "meeting",
        "is_open": entry.get("state") == MeetingStage.BOOKED and entry["starts_at"] > now,
        "has_begun": entry.get("state") in (MeetingStage.BOOKED, MeetingStage.ATTENDED, MeetingStage.NO_SHOW)
        and entry["starts_at"] <= now,
        "is_declined": any(mail["template"] == DECLINED for mail in entry["mails"]),
        "in_quarantine": entry["status"] == LeadStatus.QUARANTINED,
        "withheld": {mail["template"] for mail in entry["mails"] if mail["status"] == OutboxStatus.WITHHELD},
        "facts": inbox.facts(entry),
        "answer": inbox.answer_link(entry),
        # Always in the same order; a current status that cannot be set by hand comes last.
        "statuses": dict.fromkeys((*TEAM_STATUSES, entry["status"])),
        "team": [(name, name) for name in dict.fromkeys((*_team(request), entry["owner"])) if name],
        "longest_note": MAX_NOTE_LENGTH,
    }
    return request.render(
        "lead.html", reference, status=status, **inbox.TEMPLATE_FUNCTIONS, **shown_lead, **(template_values | values)
    )


def _stored_lead(session: Session, reference: str, person: str) -> dict[str, Any]:
    """Returns what the page shows of the database. `is_opened` is True if the person has opened the lead before."""
    entry = full_entry(session, reference)
    if entry is None:
        raise EntryNotFound
    row = row_of(session, reference)
    referrals = select(Referral.state, Partner.id, Partner.name, Partner.code).join(Partner).where(Referral.lead == reference)
    return {
        "lead": entry,
        "version": row.version if row else 0,
        "history": audit_entries(session, reference, limit=20),
        "undoable": actions.last_save(session, reference),
        "is_opened": session.get(OpenedLead, (reference, person)) is not None,
        "partner": session.exec(select(Partner.id).where(Partner.application == reference)).first(),
        "referral": session.exec(referrals).first(),
    }


def _way_back(request: OfficeRequest, entry: inbox.LeadEntry) -> tuple[str, str]:
    """Returns URL and name of the list from which the lead was opened; for a meeting possibly its week."""
    origin = inbox.list_of(request.query_params)
    if origin is None and entry["kind"] == "meeting":
        day = request.context.settings.local_day(entry["starts_at"])
        return f"/office/calls?week={day}", "Calls"
    return "/office" + (f"?{origin}" if origin else ""), "Inbox"


async def _mark_opened(request: OfficeRequest, reference: str) -> None:
    row = OpenedLead(reference=reference, person=request.person.address, opened_at=request.context.clock())

    def mark(session: Session) -> None:
        if row_of(session, reference, lock=True):  # a row of a lead erased since it was read would never be deleted
            insert_if_new(session, OpenedLead, row.model_dump())

    with suppress(StoreUnavailable):  # the page can be shown anyway
        await request.context.store.write(mark)


async def _change_lead(request: OfficeRequest, reference: str) -> Response:
    """Makes the change named by the form's button, and redirects to the page, which confirms it."""
    do = request.form.get("do", "")
    settings = request.context.settings
    if do == "erase":
        return await _erase(request, reference)
    if do == "handle":
        return await _handle(request, reference)
    tasks: dict[str, Callable[[Session], object]] = {
        "note": lambda session: actions.note(session, reference, _text(request), request.actor),
        "release": lambda session: actions.release(session, reference, request.actor, settings, request.context.tokens),
        "undo": lambda session: actions.undo(
            session, reference, parse_number(request.form.get("line", "")), request.actor, settings
        ),
        "attended": lambda session: actions.mark_meeting(session, reference, do, _text(request), request.actor, settings),
        "no-show": lambda session: actions.mark_meeting(session, reference, do, _text(request), request.actor, settings),
        "drop-guest": lambda session: actions.drop_guest(session, reference, request.actor, settings),
        "cancel": lambda session: actions.cancel(session, reference, request.actor, settings),
        "approve": lambda session: actions.approve(session, reference, request.actor, settings),
        "decline": lambda session: actions.decline(session, reference, request.actor, settings),
    }
    if do not in tasks or (do == "note" and not _text(request)):
        return redirect_in_office(lead_path(request, reference))
    await request.context.store.write(tasks[do])
    request.context.wake()
    return redirect_in_office(lead_path(request, reference, done=do))


async def _handle(request: OfficeRequest, reference: str) -> Response:
    """Sets status and owner. If somebody else was faster, shows their change, and keeps this person's choice in the form."""
    choice = {"status": request.form.get("status", ""), "owner": request.form.get("owner", "")}
    # An owner who has left the team stays the owner until somebody else is chosen.
    owner = choice["owner"] if choice["owner"] in ("", *_team(request)) else None
    change = {"status": choice["status"], "owner": owner, "version": parse_number(request.form.get("version", ""))}
    change_row = partial(
        actions.set_status_and_owner, reference=reference, actor=request.actor, settings=request.context.settings, **change
    )
    try:
        await request.context.store.write(change_row)
    except EditConflict:
        return await _lead_page(request, reference, status=409, conflict=True, chosen=choice)
    request.context.wake()
    return redirect_in_office(lead_path(request, reference, done="handle"))


async def _erase(request: OfficeRequest, reference: str) -> Response:
    """Erases rows, files and mails of the lead, or of everything its sender has sent. Asks for confirmation first."""
    context = request.context

    def entries_of_sender(session: Session) -> tuple[str, list[str]]:
        row = row_of(session, reference)
        if row is None:
            raise EntryNotFound
        return row.email, references_of(session, row.email)

    email, references = await context.store.read(entries_of_sender)
    if request.form.get("sure") != reference:
        template_values = {
            "reference": reference,
            "email": email,
            "others": len(references),
            "own_path": lead_path(request, reference),
        }
        return request.render("erase.html", f"Delete {reference}?", **template_values)
    erased = references if request.form.get("all") else [reference]
    outcome = await erase_for_good(context.store, erased, request.actor, var=context.settings.var)
    message_name = "erase" if outcome.is_forgotten else "erase-row"
    origin = inbox.list_of(request.query_params)
    return redirect_in_office(f"?done={message_name}" + (f"&{origin}" if origin else ""))


async def attached_file(request: OfficeRequest) -> Response:
    """Serves a visitor's file, always as a download with a content type that browsers neither show nor run."""
    name = request.path_params["name"]
    reference = request.reference
    statement = select(Attachment).where(Attachment.claimed_by == reference, Attachment.stored_name == name)
    row = await request.context.store.read(lambda session: session.exec(statement).first())
    file = directory(request.context.settings.var) / row.stored_name if row else None
    if row is None or file is None or not file.is_file():
        raise EntryNotFound
    headers = {**PAGE_HEADERS, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return FileResponse(file, filename=row.original_name, media_type="application/octet-stream", headers=headers)


def _team(request: OfficeRequest) -> list[str]:
    members = (name.rpartition(":") for name in request.context.settings.office)
    return [address for address, _, role in members if role != EDITOR]


def _text(request: OfficeRequest) -> str:
    return actions.note_text(request.form.get("text", ""))


def _attached(name: str) -> dict[str, str]:
    return {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
