"""Pages to sign in, and one's own sessions, which can be ended there."""

import sys
from functools import partial

import structlog
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from site_app.core.http.pages import form_of
from site_app.core.http.refusals import CallRefused
from site_app.provider.http.call import ApiContext
from site_app.provider.office import people, sessions
from site_app.provider.office.access import OfficeRequest, network, with_cookie
from site_app.provider.office.frame import office_page, path_in_office, redirect_in_office, sign_in_path
from site_app.provider.store import StoreUnavailable

log = structlog.get_logger()


async def request_link(context: ApiContext, request: Request) -> Response:
    """Shows the form for an address, and mails a link. The response is the same for every address, and is sent before the lookup."""
    to = path_in_office(request.query_params.get("to", ""))
    if request.method != "POST":
        return office_page(context, request, "sign_in.html", "Sign in", to=sign_in_path(to))
    address = (await form_of(request)).get("address", "").strip().lower()[:254]
    sender_network = network(context, request)
    address_hash = context.tokens.keyed_hash(address)
    # No limit applies to the address alone: otherwise a stranger could lock an owner out by requesting links.
    for group, key in (("sign-in-network", sender_network), ("sign-in", f"{sender_network} {address_hash}")):
        if seconds := await context.limits.count_and_get_wait(group, key):
            raise CallRefused(429, "too_many", "", retry_after=seconds)
    text = "If this address belongs to someone here, a link is on its way. If no new one arrives, use the latest one in your inbox."
    action = (f"/office{sign_in_path(to)}", "Use another address")
    response = office_page(context, request, "notice.html", "Check your email", text=text, action=action)
    response.background = BackgroundTask(_mail_link, context, address, to)
    return response


async def _mail_link(context: ApiContext, address: str, to: str) -> None:
    person = people.person_of(address, context.settings)
    is_flooded = bool(await context.limits.count_and_get_wait("sign-in-address", context.tokens.keyed_hash(address)))
    options = {"settings": context.settings, "now": context.clock(), "to": to, "is_flooded": is_flooded}
    mail_link = partial(sessions.mail_link, person=person, **options)
    try:
        url = await context.store.write(mail_link)
    except StoreUnavailable:  # the response is sent already; the person can request another link
        log.warning("store.unavailable")
        return
    context.wake()
    if url and not context.settings.production:
        sys.stderr.write(f"Sign in to the office as {address}: {url}\n")


async def use_link(context: ApiContext, request: Request) -> Response:
    """GET shows a button, so that programs that only follow links do not use the link up. POST starts the session."""
    if request.method != "POST":
        return office_page(context, request, "enter.html", "Sign in")
    to = path_in_office(request.query_params.get("to", ""))
    token = request.path_params["token"]
    browser = request.headers.get("User-Agent", "")
    begin = partial(sessions.begin_session, token=token, browser=browser, settings=context.settings, now=context.clock())
    cookie = await context.store.write(begin)
    if cookie is None:
        template_values = {"status": 403, "to": sign_in_path(to)}
        return office_page(context, request, "sign_in.html", "This link no longer works", **template_values)
    return with_cookie(context, redirect_in_office(to), cookie)


async def own_sessions(request: OfficeRequest) -> Response:
    """Lists one's own sessions, and for owners those of everybody; POST ends some of them."""
    context = request.context
    form = request.form
    actor = request.actor
    address = "" if request.person.is_owner else request.person.address
    if do := form.get("do"):
        scope = {
            "here": {"number": sessions.number_of(request.session)},
            "one": {"number": form.get("number", "-")[:12] or "-"},
        }
        ends = {"address": address, **scope[do]} if do in scope else {"address": request.person.address}
        await context.store.write(lambda session: sessions.sign_out(session, actor, **ends))
        is_own = do != "one" or form.get("number") == sessions.number_of(request.session)
        return with_cookie(context, redirect_in_office("/sign-in"), "") if is_own else redirect_in_office("/people?done=one")
    rows = await context.store.read(lambda session: sessions.open_sessions(session, now=actor.now, address=address))
    template_values = {
        "sessions": rows,
        "own": sessions.number_of(request.session),
        "number_of": sessions.number_of,
        "browser_of": sessions.browser_of,
    }
    return request.render("people.html", "You", **template_values)
