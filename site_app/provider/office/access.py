"""Access to the office: checks every request by rate limits, session, role and origin; sets the session cookie."""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import structlog
from sqlmodel import Session
from starlette.datastructures import QueryParams, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from site_app.core.http.bodies import MAX_CONTENT_BODY_BYTES, declared_size
from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.languages import cookie_value
from site_app.core.http.pages import FormPairs, pairs_of
from site_app.core.http.refusals import RETRY_SECONDS, CallRefused
from site_app.provider.affiliates.payments import MoneyBackRefused, PayoutRefused
from site_app.provider.affiliates.program import AlreadyDecided, NoticeDayRefused
from site_app.provider.booking.refusals import MeetingClosed
from site_app.provider.http.call import ApiContext, api_context_of
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.office import people, sessions
from site_app.provider.office.actions import ActionNotAllowed, EditConflict, note_text
from site_app.provider.office.frame import (
    DONE_MESSAGES,
    office_page,
    redirect_in_office,
    refusal_page,
    sections_of,
    sign_in_path,
)
from site_app.provider.office.people import Area, Member, may_change, may_read
from site_app.provider.store import StoreUnavailable
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import OfficeSession

log = structlog.get_logger()
_NUL = "\0"  # not allowed in a text of PostgreSQL
_MAX_FIELDS = 150
MAX_PART_BYTES = 512 * 1024  # of a field
OfficeHandler = Callable[["OfficeRequest"], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]
_REFUSALS = {
    EntryNotFound: (404, "There is nothing at this address", "What was here has been deleted, or the address is incomplete."),
    AlreadyDecided: (
        409,
        "This can’t be decided now",
        "Someone has approved or declined it, or it is in quarantine. Nothing was changed.",
    ),
    PayoutRefused: (
        409,
        "It was not marked as paid",
        "It has already been paid, the month is not over yet, or the amount has changed. Open the month again to see which.",
    ),
    MoneyBackRefused: (
        409,
        "The money was not entered",
        "It is more than can have come back, or that has changed in the meantime. Write the amount like 1000.50, and open the month again to see how much it can be.",
    ),
    NoticeDayRefused: (
        422,
        "The notice was not entered",
        "A notice is received today or earlier, and not before the partner was approved. Nothing was changed.",
    ),
    ActionNotAllowed: (
        409,
        "That is not possible now",
        "Its state has changed in the meantime. Nothing was done: open it again to see why.",
    ),
    MeetingClosed: (409, "That is not possible now", "The call is over or has been cancelled. Nothing was done."),
    EditConflict: (
        409,
        "Someone got there first",
        "It has changed since you opened it. Nothing was done: open it again to see what is different.",
    ),
}
_REFUSED_CALLS = {  # what to do, by the status of the refusal
    413: "What you sent is too large. Go back and make it smaller: everything you typed is still there.",
    429: "You have sent too many requests. Wait a few minutes, then try again.",
}


class UploadedFile(NamedTuple):
    name: str
    content: bytes


@dataclass(frozen=True)
class OfficeRequest:
    """A request of a signed-in person. `form` holds the fields of a POST, `pairs` all values of repeated ones, `upload` its file."""

    context: ApiContext
    http: Request
    person: Member
    session: OfficeSession
    cookie: str
    form: Mapping[str, str]
    pairs: FormPairs = ()
    upload: UploadedFile | None = None

    @property
    def method(self) -> str:
        return self.http.method

    @property
    def path_params(self) -> Mapping[str, Any]:
        return self.http.path_params

    @property
    def query_params(self) -> QueryParams:
        return self.http.query_params

    @property
    def actor(self) -> Actor:
        return Actor(self.person.address, self.context.clock())

    @property
    def reference(self) -> str:
        return self.path_params["reference"].upper()

    @property
    def message(self) -> str:
        """The message about the change that led to this page, or ""."""
        return DONE_MESSAGES.get(self.query_params.get("done", ""), "")

    def render(self, template: str, title: str, *, status: int = 200, **values: Any) -> Response:
        template_values = {
            "message": self.message,
            "person": self.person,
            "sections": sections_of(self.person),
            "form_token": sessions.form_token(self.cookie),
        }
        return office_page(self.context, self.http, template, title, status=status, **(template_values | values))


class SetAsideText(NamedTuple):
    """The part of a form that is set aside if its writer's session has expired: `text` extracts it from the form, `set_aside` stores it."""

    name: str
    text: Callable[[Mapping[str, str]], str]
    set_aside: Callable[[Session, OfficeSession, Request, FormPairs, datetime], bool]


def _set_note_aside(session: Session, office_session: OfficeSession, request: Request, pairs: FormPairs, now: datetime) -> bool:
    text = note_text(dict(pairs).get("text", ""))
    return sessions.set_note_aside(session, office_session, request.path_params.get("reference", ""), text, now=now)


NOTE = SetAsideText("note", lambda form: note_text(form.get("text", "")), _set_note_aside)


def signed_in(handler: OfficeHandler, *, area: Area = "leads", set_aside_text: SetAsideText = NOTE) -> Endpoint:
    """Returns an endpoint for signed-in people.

    GET is for those who may read this area of the office, POST for those who may change it (`people.may_read` and `people.may_change`).
    Forms of texts may contain a file. They are read only if the person may change texts.
    """

    @wraps(handler)
    async def endpoint(context: ApiContext, request: Request) -> Response:
        now = context.clock()
        cookie = _session_cookie(context, request)
        office_session = await context.store.read(partial(sessions.session_of, cookie=cookie)) if cookie else None
        person = people.person_of(office_session.person, context.settings) if office_session else None
        can_change = person is not None and may_change(person, area)
        posted = await _read_form(request, area, can_change=can_change)
        if office_session is None or person is None or sessions.has_run_out(office_session, now):
            expired_session = office_session if can_change else None
            return await _respond_without_session(context, request, posted, cookie, expired_session, set_aside_text)
        if not may_read(person, area):
            return _refuse_or_redirect_editor(context, request)
        if request.method == "POST" and not can_change:
            return refusal_page(
                context, request, 403, "You can read this, but not change it", "Ask an owner to make the change."
            )
        if request.method == "POST" and not _is_own_form(posted.form, cookie):
            text = (
                "You have signed in again since you opened it. Go back, copy what you typed, reload the page and send it again."
            )
            return refusal_page(context, request, 403, "This form belongs to another session", text)
        if sessions.is_long_unseen(office_session, now):
            with suppress(StoreUnavailable):  # the page can be shown anyway
                await context.store.write(lambda session: sessions.note_seen(session, office_session.token_hash, now=now))
        return await handler(
            OfficeRequest(context, request, person, office_session, cookie, posted.form, posted.pairs, posted.upload)
        )

    return office_endpoint(endpoint)


def _refuse_or_redirect_editor(context: ApiContext, request: Request) -> Response:
    """Leads editors from the inbox, where everybody arrives, to the texts. Refuses them all other pages about leads."""
    if request.method == "GET" and request.url.path.rstrip("/") == "/office":
        return redirect_in_office("/content")
    return refusal_page(context, request, 403, "Editors cannot open this page", "You can write the site’s texts under Content.")


@dataclass(frozen=True)
class _PostedForm:
    """The fields of a posted form, and its file."""

    pairs: FormPairs
    upload: UploadedFile | None = None

    @property
    def form(self) -> Mapping[str, str]:
        return dict(self.pairs)


async def _read_form(request: Request, area: Area, *, can_change: bool) -> _PostedForm:
    """Reads a posted form; an empty one for GET, and for forms of texts, which may be large, if the person may not change texts."""
    if request.method != "POST" or (area == "texts" and not can_change):
        return _PostedForm(())
    return await _read_form_with_file(request) if area == "texts" else _PostedForm(_without_nul(await pairs_of(request)))


async def _read_form_with_file(request: Request) -> _PostedForm:
    """Reads a posted form that may contain one file."""
    if not request.headers.get("Content-Type", "").startswith("multipart/form-data"):
        return _PostedForm(_without_nul(await pairs_of(request)))
    if (declared_size(request) or 0) > MAX_CONTENT_BODY_BYTES:
        raise CallRefused(413, "too_large", "")
    try:
        form = await request.form(max_files=1, max_fields=_MAX_FIELDS, max_part_size=MAX_PART_BYTES)
    except HTTPException:  # it is no form, or has more or larger fields than ours
        raise CallRefused(400, "not_a_form", "") from None
    try:
        uploads = [value for _, value in form.multi_items() if isinstance(value, UploadFile) and value.filename]
        upload = UploadedFile(uploads[0].filename or "", await uploads[0].read()) if uploads else None
    finally:
        await form.close()
    return _PostedForm(_without_nul([(name, value) for name, value in form.multi_items() if isinstance(value, str)]), upload)


def office_endpoint(handler: Callable[[ApiContext, Request], Awaitable[Response]]) -> Endpoint:
    """Returns an endpoint that applies the rate limit, refuses changes sent from other sites, and shows errors as a page."""

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        context = api_context_of(request)
        try:
            if seconds := await context.limits.count_and_get_wait("reads", f"office {network(context, request)}"):
                raise CallRefused(429, "too_many", "", retry_after=seconds)
            if _NUL in request.url.path or _NUL in unquote(request.url.query):
                return refusal_page(context, request, 400, "The office has no such address", "Check the address for mistakes.")
            if request.method == "POST" and request.headers.get("Origin") not in context.settings.office_origins:
                text = "Open the office at its own address and send the form there."
                return refusal_page(context, request, 403, "This form was not sent from the office", text)
            return await handler(context, request)
        except tuple(_REFUSALS) as error:
            return refusal_page(context, request, *_REFUSALS[type(error)])
        except CallRefused as error:
            text = _REFUSED_CALLS.get(
                error.status, "The form did not arrive complete. Go back and try again: everything you typed is still there."
            )
            return refusal_page(context, request, error.status, "That did not work", text, retry_after=error.retry_after)
        except StoreUnavailable:
            log.warning("store.unavailable")
            text = "Go back and try again in a minute: everything you typed is still there."
            return refusal_page(context, request, 503, "The database is not responding", text, retry_after=RETRY_SECONDS)

    return endpoint


def network(context: ApiContext, request: Request) -> str:
    return network_of(client_ip(request, context.settings))


def cookie_name(context: ApiContext) -> str:
    """Returns the session cookie's name. Browsers accept the `__Host-` prefix only over https, and bind the cookie to this host."""
    return "__Host-office" if _is_secure(context) else "office"


def with_cookie(context: ApiContext, response: Response, cookie: str) -> Response:
    """Sets the session cookie on the response. An empty cookie deletes it in this browser."""
    max_age_seconds = int(sessions.MAX_SESSION_AGE.total_seconds()) if cookie else 0
    response.set_cookie(
        cookie_name(context), cookie, max_age_seconds, secure=_is_secure(context), httponly=True, samesite="strict"
    )
    return response


def _session_cookie(context: ApiContext, request: Request) -> str:
    return cookie_value(request.scope["headers"], cookie_name(context).encode()).decode("latin-1")


async def _respond_without_session(
    context: ApiContext,
    request: Request,
    posted: _PostedForm,
    cookie: str,
    expired_session: OfficeSession | None,
    set_aside_text: SetAsideText,
) -> Response:
    """Responds to a request without a valid session.

    GET redirects to the sign-in page. A note or a text posted after its writer's session expired is set aside, or at least shown again.

    After a click on a link in webmail, the browser sends no cookie with SameSite=Strict. Such a page reloads itself once, which sends it.
    """
    if request.method != "POST" and request.headers.get("Sec-Fetch-Site") == "cross-site":
        return office_page(context, request, "again.html", "One moment")
    to = request.url.path.removeprefix("/office") + (f"?{request.url.query}" if request.url.query else "")
    if request.method != "POST":
        return redirect_in_office(sign_in_path(to))
    text = set_aside_text.text(posted.form)
    is_set_aside = False
    if text and expired_session and _is_own_form(posted.form, cookie):
        is_set_aside = await context.store.write(
            lambda session: set_aside_text.set_aside(session, expired_session, request, posted.pairs, context.clock())
        )
    template_values = {"text": text, "is_set_aside": is_set_aside, "name": set_aside_text.name, "to": sign_in_path(to)}
    return office_page(context, request, "ended.html", "Your session has ended", status=401, **template_values)


def _without_nul(pairs: FormPairs) -> FormPairs:
    return [(name, text.replace(_NUL, "")) for name, text in pairs]


def _is_own_form(form: Mapping[str, str], cookie: str) -> bool:
    return hmac.compare_digest(form.get("form_token", "").encode(), sessions.form_token(cookie).encode())


def _is_secure(context: ApiContext) -> bool:
    return urlsplit(context.settings.office_origins[0]).scheme == "https"
