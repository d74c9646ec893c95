"""The way in and out: a link is asked for, mailed and used; sessions are listed and ended."""

import sys
from datetime import timedelta
from functools import partial

import structlog
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from site_app.api.office import Office
from site_app.http.pages import form_of
from site_app.http.refusals import CallRefused
from site_app.office import gate, people
from site_app.office.gate import Visit, redirected
from site_app.store import StoreUnavailable

log = structlog.get_logger()


async def ask(office: Office, request: Request) -> Response:
    """Asks for an address; the answer is the same for each, and whose it is is looked at when it has left."""
    if request.method != "POST":
        return gate.page(office, request, "sign_in.html", "Sign in")
    address = (await form_of(request)).get("address", "").strip().lower()[:254]
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
    make = partial(people.mail_link, person=person, settings=office.settings, now=office.clock())
    try:
        url = await office.store.write(make)
    except StoreUnavailable:  # the answer has left: whoever hears nothing asks again
        log.warning("store.unavailable")
        return
    office.wake()
    if not office.settings.production:
        sys.stderr.write(f"Sign in to the office as {address}: {url}\n")


async def enter(office: Office, request: Request) -> Response:
    """GET shows a button, so that a program that only follows links uses none up; POST begins the session."""
    if request.method != "POST":
        return gate.page(office, request, "enter.html", "Sign in")
    token, browser = request.path_params["token"], request.headers.get("User-Agent", "")
    enter = partial(people.enter, token=token, browser=browser, settings=office.settings, now=office.clock())
    cookie = await office.store.write(enter)
    if cookie is None:
        return gate.page(office, request, "sign_in.html", "This link no longer works", status=403)
    return gate.with_cookie(office, redirected(""), cookie)


async def without_slash(office: Office, request: Request) -> Response:
    return redirected("")


async def sessions(visit: Visit) -> Response:
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
    words = {
        "sessions": found,
        "own": people.number_of(visit.session),
        "number_of": people.number_of,
        "browser_of": people.browser_of,
        "team": team,
    }
    return visit.show("people.html", "You and the others", **words)
