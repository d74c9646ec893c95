"""The pages of the office: each reads, or does one of the changes and leads back to where it came from."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, select
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from site_app.api.errors import CallRefused
from site_app.api.office import Office
from site_app.api.pages.days import days_of
from site_app.booking.availability import Availability
from site_app.booking.rules import SlotTaken
from site_app.i18n import LOCALES
from site_app.leads.export import as_csv, as_json
from site_app.leads.lead_queries import EVERY_KIND, entries, row_of, whole
from site_app.leads.retention import remove_mails
from site_app.mail import backlog
from site_app.office import calls, changes, gate, inbox, people, readers
from site_app.office.audit import lines
from site_app.office.changes import LONGEST_NOTE, Changed, Gone
from site_app.office.gate import Visit, guarded, redirected, signed_in
from site_app.office.looks import ASSET_ROUTES
from site_app.services.attachments import directory, remove_files
from site_app.settings import Settings
from site_app.store.tables import Attachment
from site_app.store.tables.lead import BY_HAND, QUARANTINED, STATUSES

_STATE_LASTS = 30.0  # seconds; a look asks the mail server and others
_LOG_SHOWN = 100
Findings = Callable[[], Iterable[Any]]


def office_routes(settings: Settings, findings: Findings) -> list[Route]:
    """Every route of the office; none, where nobody is named. `findings` are what `doctor` says."""
    if not settings.office:
        return []
    get, both = ["GET"], ["GET", "POST"]
    return [
        *ASSET_ROUTES,
        Route("/office/sign-in", guarded(_ask), methods=both),
        Route("/office/enter/{token}", guarded(_enter), methods=both),
        Route("/office", signed_in(_list), methods=get),
        Route("/office/leads.{format:str}", signed_in(_export), methods=get),
        Route("/office/leads/{reference}", signed_in(_lead), methods=both),
        Route("/office/leads/{reference}/files/{name}", signed_in(_file), methods=get),
        Route("/office/leads/{reference}/move", signed_in(_move), methods=both),
        Route("/office/calls", signed_in(_calls), methods=both),
        Route("/office/read", signed_in(_read), methods=get),
        Route("/office/mail", signed_in(_mail), methods=both),
        Route("/office/state", signed_in(_State(findings).show), methods=get),
        Route("/office/log", signed_in(_log), methods=get),
        Route("/office/people", signed_in(_people, readers_too=True), methods=both),
    ]


async def _ask(office: Office, request: Request) -> Response:
    """Asks for an address; the answer is the same for each, and whose it is is looked at when it has left."""
    if request.method != "POST":
        return gate.page(office, request, "sign_in.html", "Sign in")
    address = (await gate.form_of(request)).get("address", "").strip().lower()[:254]
    for group, key in (("sign-in-network", gate.network(office, request)), ("sign-in", office.tokens.alias(address))):
        if seconds := await office.limits.wait(group, key):
            raise CallRefused(429, "too_many", "", retry_after=seconds)
    answer = gate.page(
        office, request, "asked.html", "Look into your mailbox", minutes=people.LINK_LASTS // timedelta(minutes=1)
    )
    answer.background = BackgroundTask(_mail_link, office, address)
    return answer


async def _mail_link(office: Office, address: str) -> None:
    person = people.person_of(address, office.settings)
    if person is None:
        return
    url = await office.store.write(partial(people.mail_link, person=person, settings=office.settings, now=office.clock()))
    office.wake()
    if not office.settings.production:
        sys.stderr.write(f"Sign in to the office as {address}: {url}\n")


async def _enter(office: Office, request: Request) -> Response:
    """GET shows a button, so that a program that only follows links uses none up; POST begins the session."""
    if request.method != "POST":
        return gate.page(office, request, "enter.html", "Sign in")
    token, browser = request.path_params["token"], request.headers.get("User-Agent", "")
    enter = partial(people.enter, token=token, browser=browser, settings=office.settings, now=office.clock())
    cookie = await office.store.write(enter)
    if cookie is None:
        return gate.page(office, request, "sign_in.html", "This link no longer works", status=403)
    return gate.with_cookie(office, redirected(""), cookie)


async def _list(visit: Visit) -> Response:
    """The leads and calls that the address asks for, a page of them."""
    query, zone = visit.request.query_params, visit.office.settings.booking_zone
    wanted, said = inbox.asked(query, zone)
    found = await visit.office.store.read(
        lambda session: inbox.leaf(session, wanted, said, inbox.place(query.get("after", "")))
    )
    news = _NEWS.get(query.get("done", ""), "")
    return visit.show("inbox.html", "Inbox", news=news, **_CHOICES, **_WORDS, **found)


async def _export(visit: Visit) -> Response:
    wanted, _ = inbox.asked(visit.request.query_params, visit.office.settings.booking_zone)
    write = {"csv": ("text/csv", lambda found: "\ufeff" + as_csv(found)), "json": ("application/json", as_json)}
    kind, written = write.get(visit.request.path_params["format"], ("", as_json))
    if not kind:
        raise Gone("format")
    text = await visit.office.store.read(lambda session: written(entries(session, wanted)))
    return Response(text, media_type=kind, headers=_attached(f"leads.{visit.request.path_params['format']}"))


async def _lead(visit: Visit) -> Response:
    """GET shows it, POST does one thing with it."""
    reference = _reference(visit)
    if visit.request.method == "POST":
        return await _do(visit, reference)
    return await _shown(visit, reference)


async def _shown(visit: Visit, reference: str, *, status: int = 200, **words: Any) -> Response:
    def look(session: Session) -> dict[str, Any]:
        entry = whole(session, reference)
        if entry is None:
            raise Gone(reference)
        row = row_of(session, reference)
        history, undoable = lines(session, reference, limit=20), changes.last_undoable(session, reference)
        return {"lead": entry, "version": row.version if row else 0, "history": history, "undoable": undoable}

    found = await visit.office.store.read(look)
    entry, now = found["lead"], visit.office.clock()
    own = {
        "conflict": False,
        "chosen": {"status": entry["status"], "owner": entry["owner"]},
        "is_call": entry["kind"] == "meeting",
        "is_open": entry.get("state") == "booked" and entry["starts_at"] > now,
        "in_quarantine": entry["status"] == QUARANTINED,
        "facts": inbox.facts(entry),
        "answer": inbox.answer_link(entry),
        "statuses": dict.fromkeys((entry["status"], *BY_HAND)),
        "team": [(one, one) for one in _team(visit, entry["owner"])],
        "longest_note": LONGEST_NOTE,
        "news": _NEWS.get(visit.request.query_params.get("done", ""), ""),
    }
    return visit.show("lead.html", reference, status=status, **_WORDS, **found, **(own | words))


async def _do(visit: Visit, reference: str) -> Response:
    """What the form's button asks for; the name of its change leads to what is said afterwards."""
    do, settings = visit.form.get("do", ""), visit.office.settings
    if do == "erase":
        return await _erase(visit, reference)
    if do == "handle":
        return await _handle(visit, reference)
    tasks: dict[str, Callable[[Session], object]] = {
        "note": lambda session: changes.note(session, reference, _text(visit), visit.doer),
        "release": lambda session: changes.release(session, reference, visit.doer, visit.office.context()),
        "undo": lambda session: changes.undo(session, reference, _number(visit.form.get("line", "")), visit.doer),
        "cancel": lambda session: changes.cancel(session, reference, visit.doer, settings),
    }
    if do not in tasks or (do == "note" and not _text(visit)):
        return redirected(f"/leads/{reference}")
    await visit.office.store.write(tasks[do])
    visit.office.wake()
    return redirected(f"/leads/{reference}?done={do}")


async def _handle(visit: Visit, reference: str) -> Response:
    """Status and owner; whoever comes second is shown what the first one changed, with their own choice still in the form."""
    status, owner = visit.form.get("status", ""), visit.form.get("owner", "")
    if owner and owner not in _team(visit, owner="") and owner != visit.form.get("owner_before"):
        owner = ""
    chosen = {"status": status, "owner": owner}
    handle = partial(
        changes.handle, reference=reference, who=visit.doer, version=_number(visit.form.get("version", "")), **chosen
    )
    try:
        await visit.office.store.write(handle)
    except Changed:
        return await _shown(visit, reference, status=409, conflict=True, chosen=chosen)
    return redirected(f"/leads/{reference}?done=handle")


async def _erase(visit: Visit, reference: str) -> Response:
    """Asked twice; then rows, files and mails are gone for good."""
    office = visit.office
    if visit.form.get("sure") != reference:
        return visit.show("erase.html", f"Erase {reference}?", reference=reference)
    files = await office.store.write(lambda session: changes.erase(session, visit.doer, reference))
    await asyncio.to_thread(remove_files, directory(office.settings.var), files)
    await asyncio.to_thread(remove_mails, office.settings.var / "mail", [reference])
    await office.store.forget_erased()
    return redirected("?done=erase")


async def _file(visit: Visit) -> Response:
    """Always as an attachment, and as nothing that a browser would show or run."""
    name, reference = visit.request.path_params["name"], _reference(visit)
    asked = select(Attachment).where(Attachment.claimed_by == reference, Attachment.stored_name == name)
    row = await visit.office.store.read(lambda session: session.exec(asked).first())
    file = directory(visit.office.settings.var) / row.stored_name if row else None
    if row is None or file is None or not file.is_file():
        raise Gone(name)
    headers = {**gate.HEADERS, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return FileResponse(file, filename=row.original_name, media_type="application/octet-stream", headers=headers)


async def _calls(visit: Visit) -> Response:
    """GET shows a week, POST blocks a time or opens it again."""
    office, form, zone = visit.office, visit.form, visit.office.settings.booking_zone
    settings, now = office.settings, office.clock()
    monday = calls.monday_of(visit.request.query_params.get("week", ""), now.astimezone(ZoneInfo(zone)).date())
    trouble, clashing, news = "", (), _NEWS.get(visit.request.query_params.get("done", ""), "")
    if form.get("do") == "unblock":
        await office.store.write(lambda session: changes.unblock(session, _number(form.get("number", "")), visit.doer))
        return redirected(f"/calls?week={monday}&done=unblock")
    if form.get("do") == "block":
        begin = calls.moment(form.get("from", ""), form.get("from_time", ""), zone)
        end = calls.moment(form.get("to", "") or form.get("from", ""), form.get("to_time", ""), zone, is_end=True)
        if begin is None or end is None or end <= begin:
            trouble = "Please give a day, or a time that ends after it begins."
        else:
            await office.store.write(
                lambda session: changes.block(session, begin, end, visit.doer, why=form.get("why", "")[:200])
            )
            clashing = await office.store.read(lambda session: calls.clashing(session, begin, end))
            monday, news = calls.monday_of(form.get("from", ""), monday), _NEWS["block"]
    days = await office.store.read(lambda session: calls.week(session, monday, settings=settings, now=now))
    words = {"days": days, "monday": monday, "before": monday - timedelta(7), "after": monday + timedelta(7), "news": news}
    status = 422 if trouble else 200
    typed = form if trouble else {}
    return visit.show(
        "calls.html", "Calls", status=status, trouble=trouble, clashing=clashing, typed=typed, tz=ZoneInfo(zone), **words
    )


async def _move(visit: Visit) -> Response:
    """GET lists free times, POST moves the call to the chosen one."""
    office, reference, zone = visit.office, _reference(visit), ZoneInfo(visit.office.settings.booking_zone)
    trouble, now = "", office.clock()
    if slot := visit.form.get("slot"):
        try:
            await office.store.write(lambda session: changes.move(session, reference, slot, visit.doer, office.settings))
        except SlotTaken:
            trouble = "That time has just been taken. Please choose another one."
        else:
            office.wake()
            return redirected(f"/leads/{reference}?done=move")

    def look(session: Session) -> tuple[Any, Any]:
        call = changes.coming(session, reference, now, lock=False)
        return call, Availability(session, office.settings, now, own_call=call.id).slots()

    call, slots = await office.store.read(look)
    days = days_of(slots, zone, ZoneInfo(call.time_zone))
    return visit.show("move.html", f"Move {reference}", status=409 if trouble else 200, call=call, days=days, trouble=trouble)


async def _read(visit: Visit) -> Response:
    asked = _number(visit.request.query_params.get("days", ""))
    days = asked if asked in readers.PERIODS else 30
    found = await visit.office.store.read(partial(readers.report, days=days, today=visit.office.clock().date()))
    return visit.show(
        "read.html", "What is read", report=found, chart=readers.chart(found.days), days=days, periods=readers.PERIODS, **_WORDS
    )


async def _mail(visit: Visit) -> Response:
    office, form = visit.office, visit.form
    tasks: dict[str, Callable[[Session], object]] = {
        "retry": lambda session: changes.retry(session, visit.doer, form.get("reference") or None),
        "test": lambda session: changes.prove_mail(session, visit.person.address, visit.doer, office.settings),
    }
    if task := tasks.get(form.get("do", "")):
        await office.store.write(task)
        office.wake()
        return redirected(f"/mail?done={form['do']}")
    counts, troubled = await office.store.read(lambda session: (backlog.counts(session), backlog.troubled(session)))
    news = _NEWS.get(visit.request.query_params.get("done", ""), "")
    return visit.show("mail.html", "Mail", counts=counts, troubled=troubled, news=news)


class _State:
    """What `doctor` says, looked at by one at a time and kept for a moment."""

    def __init__(self, findings: Findings) -> None:
        self._findings, self._found, self._at, self._turn = findings, [], -_STATE_LASTS, asyncio.Lock()

    async def show(self, visit: Visit) -> Response:
        async with self._turn:
            if time.monotonic() - self._at >= _STATE_LASTS:
                self._found, self._at = await asyncio.to_thread(lambda: list(self._findings())), time.monotonic()
        return visit.show("state.html", "State of the site", findings=self._found)


async def _log(visit: Visit) -> Response:
    before = max(0, _number(visit.request.query_params.get("before", ""))) or None
    found = await visit.office.store.read(lambda session: lines(session, before=before, limit=_LOG_SHOWN + 1))
    older = found[_LOG_SHOWN - 1].id if len(found) > _LOG_SHOWN else None
    return visit.show("log.html", "Log", history=found[:_LOG_SHOWN], older=older)


async def _people(visit: Visit) -> Response:
    """Sessions: one's own, and for owners everybody's; each can be ended."""
    office, form, doer = visit.office, visit.form, visit.doer
    whose = "" if visit.person.is_owner else visit.person.address
    if do := form.get("do"):
        scope = {"here": {"number": people.number_of(visit.session)}, "one": {"number": form.get("number", "-")[:12] or "-"}}
        ends = {"address": whose, **scope[do]} if do in scope else {"address": visit.person.address}
        await office.store.write(lambda session: people.sign_out(session, doer.name, now=doer.now, **ends))
        is_own = do != "one" or form.get("number") == people.number_of(visit.session)
        return gate.with_cookie(office, redirected("/sign-in"), "") if is_own else redirected("/people?done=one")
    found = await office.store.read(lambda session: people.sessions(session, now=doer.now, address=whose))
    team = [people.person_of(one.rpartition(":")[0], office.settings) for one in office.settings.office]
    words = {"sessions": found, "own": people.number_of(visit.session), "number_of": people.number_of, "team": team}
    return visit.show("people.html", "You and the others", **words)


def _team(visit: Visit, owner: str) -> list[str]:
    """Who may be made responsible for a lead; whoever it is now stays to be chosen."""
    return list(dict.fromkeys(filter(None, (*(one.rpartition(":")[0] for one in visit.office.settings.office), owner))))


def _reference(visit: Visit) -> str:
    return visit.request.path_params["reference"].upper()


def _text(visit: Visit) -> str:
    return changes.note_text(visit.form.get("text", ""))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _attached(name: str) -> dict[str, str]:
    return {**gate.HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}


_CHOICES = {
    "kinds": [(one, inbox.kind_words(one)) for one in EVERY_KIND],
    "statuses": [(one, one) for one in STATUSES],
    "languages": [(one.id, one.title) for one in LOCALES],
}
_WORDS = {"kind_words": inbox.kind_words, "language_words": inbox.language_words}
_NEWS = {
    "handle": "Saved.",
    "note": "The note is saved.",
    "release": "Released: the mails leave now.",
    "undo": "Taken back.",
    "erase": "It is erased.",
    "cancel": "The call is cancelled, and the visitor is told.",
    "move": "The call is moved, and the visitor is told.",
    "block": "The time is blocked.",
    "unblock": "The time is open again.",
    "retry": "They are tried again now.",
    "test": "A test mail is on its way to you.",
}
