"""The forms of pages without JavaScript: each is posted to the page that it stands on, and answered with a plain page.

The static page it was written on holds neither a key nor a token. So the same words on the same day have the same key, and the
provider asks by mail whether a person sent them; a form that comes back with faults has a key and a token of its own. Such a token
is younger than the form, so that a fault corrected in a second would look automatic: the form then waits here until it is old enough.
"""

import hashlib
import json
import re
import secrets
import time
from asyncio import sleep
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.client import ProviderError, provider
from site_app.content.form_words import network_error, optional, privacy_note, select_words, trap_label
from site_app.contracts.answer import FormToken, Refused, Taken
from site_app.contracts.codes import country_codes, currency_codes
from site_app.contracts.input import control
from site_app.contracts.reference import Countries, Currencies
from site_app.contracts.submission import is_key
from site_app.forms.view import View, view_of
from site_app.http.addresses import address_of, neighbourhood
from site_app.http.languages import chosen
from site_app.http.limits import Limits
from site_app.http.pages import Field, PlainPage, fields_of, in_order, pairs_of, routes_for, written
from site_app.http.refusals import CallRefused
from site_app.i18n import current, gap, href, split, t, use
from site_app.leads.kind import LeadKind
from site_app.leads.kinds import KINDS
from site_app.settings import Settings

_HIDDEN = ("key", "token", "opened")
_SOON = "60"  # seconds; the message says how long it really is
SPEAKABLE = re.compile(r"[\w.:/#-]{1,60}")
_LONGEST_WAIT = timedelta(seconds=10)
Said = dict[str, Any]  # texts, and a list where several may be chosen


@cache
def posted_kinds() -> dict[str, LeadKind]:
    """By the path of its page each kind whose form is taken there; one with files cannot be."""
    return {page: kind for kind in KINDS if (page := view_of(kind).page) and not kind.takes_files}


def is_plain_form(path: str, method: str) -> bool:
    """Whether a form is posted there, or its answer shown."""
    page = split(path)[1]
    return (method == "POST" and page in posted_kinds()) or (page.endswith("/sent") and page[: -len("/sent")] in posted_kinds())


def plain_forms(settings: Settings) -> Starlette:
    """The endpoints; they know their provider only through the client."""
    limits, routes = Limits(settings), []
    for page, kind in posted_kinds().items():
        routes += [
            *routes_for(page, _sending(kind, settings, limits), "POST"),
            *routes_for(f"{page}/sent", _sent(page, settings)),
        ]
    forms = Starlette(routes=routes)
    forms.router.redirect_slashes = False  # it would lead to whatever the Host header says, by http
    return forms


def _sending(kind: LeadKind, settings: Settings, limits: Limits) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        with use(split(request.url.path)[0]):
            form = _PlainForm(kind, view_of(kind), request, settings)
            try:
                # The provider counts what is sent to it; this is about what is read here.
                if seconds := await limits.wait("reads", f"form {neighbourhood(form.address)}"):
                    text = t("Too many requests at once. Please try again in a moment.")
                    raise CallRefused(429, "too_many", text, retry_after=seconds)
                typed = form.read(await pairs_of(request))
            except CallRefused as error:
                return _notice(request, settings, form.view.page, t("One moment, please"), error.message, status=error.status)
            if chosen(request.scope):
                return await form.shown(typed, {}, status=200)
            return await form.send(typed)

    return send


def _sent(page: str, settings: Settings) -> Callable[[Request], Awaitable[Response]]:
    async def sent(request: Request) -> Response:
        with use(split(request.url.path)[0]):
            reference = request.query_params.get("reference", "")
            if not SPEAKABLE.fullmatch(reference) and "done" not in request.query_params:
                return RedirectResponse(href(page), 303)
            text = t("Your reference is {reference}.", reference=reference) + gap() if SPEAKABLE.fullmatch(reference) else ""
            more = (
                _check()
                if "check" in request.query_params
                else t("A real person will read it and reply within one working day.")
            )
            return _notice(request, settings, page, t("Your message has been sent successfully"), text + more)

    return sent


@dataclass(frozen=True)
class _PlainForm:
    kind: LeadKind
    view: View
    request: Request
    settings: Settings

    @property
    def address(self) -> str:
        return address_of(self.request, self.settings)

    @property
    def _names(self) -> list[str]:
        return [field.name for field in self.view.fields]

    def read(self, pairs: list[tuple[str, str]]) -> Said:
        """What was typed, by the names there are; of one that comes twice the last counts, or all where several may be chosen."""
        several = [name for name in self._names if control(self.kind.contract, name) == "choices"]
        typed: Said = {name: text for name, text in pairs if name in self.kind.contract.model_fields or name in _HIDDEN}
        return typed | {name: found for name in several if (found := [text for one, text in pairs if one == name])}

    async def send(self, typed: Said, *, is_renewed: bool = False) -> Response:
        said = {name: text for name, text in typed.items() if text and name in self.kind.contract.model_fields}
        key = said.get("key", "")
        said |= {"key": key if is_key(key) else _key_of(said), "language": current().id, "page": href(self.view.page)}
        await sleep(_seconds_until_old_enough(typed.get("opened", ""), self.settings))
        try:
            answer = await provider().submit(self.kind.call, said, address=self.address)
        except ProviderError:
            return await self.shown(typed, {"": _pressed_again()}, status=503)
        if isinstance(answer, Taken):
            told = {"reference": answer.reference} if answer.reference else {"done": 1}
            query = urlencode(told | ({"check": 1} if answer.quarantined else {}))
            return RedirectResponse(f"{href(self.view.page)}/sent?{query}", 303)
        if answer.error.code == "key_reused":
            typed = {**typed, "key": secrets.token_hex(16)}
            if not is_renewed:
                return await self.send(typed, is_renewed=True)
        return await self._refused(typed, answer)

    async def _refused(self, typed: Said, answer: Refused) -> Response:
        seen = {name: told for name, told in answer.error.fields.items() if name in self._names}
        faults = seen or {"": answer.error.message or _pressed_again()}
        if answer.error.code == "too_many":
            limited = await self.shown(typed, faults, status=429)
            limited.headers["Retry-After"] = _SOON
            return limited
        return await self.shown(typed, faults, status=422)

    async def shown(self, typed: Said, faults: Mapping[str, str], *, status: int) -> Response:
        """The form with what was typed, and what is wrong with it beside the fields."""
        # the first key and token stay: the same words are one lead, and the token's age counts from when it was made
        hidden = {name: typed[name] for name in _HIDDEN if typed.get(name)} or {
            "key": secrets.token_hex(16),
            "token": await _token(self.address),
            "opened": str(int(time.time())),
        }
        note, link = privacy_note()
        words = {
            "fields": await self._fields(typed, faults),
            "errors": in_order(faults, self._names),
            "hidden": hidden,
            "words": {
                "check": t("Please check the marked fields") if "" not in faults else network_error(),
                "optional": optional(),
                "choose": select_words("")["choose"],
                "trap": trap_label(),
                "consent": note + gap(),
                "link": link,
                "submit": self.view.send,
            },
        }
        page = PlainPage("form.html", self.view.title, words, self.kind.name)
        return written(page, self.request, self.settings, status=status)

    async def _fields(self, typed: Said, faults: Mapping[str, str]) -> list[Field]:
        contract, hints = self.kind.contract, {field.name: field.help for field in self.view.fields}
        drawn = fields_of(contract, self._names, typed, faults, hints, self.kind.label)
        found = []
        for field, shown in zip(self.view.fields, drawn, strict=True):
            options = shown.options or await _listed(control(contract, field.name))
            found.append(replace(shown, options=options, says=field.says, link=field.link, ticked=field.value))
        return found


async def _listed(name: str) -> list[tuple[str, str]]:
    """Countries or currencies by code, named as the provider does; by their codes alone where it does not answer."""
    if name not in ("country", "currency"):
        return []
    try:
        answer = await (provider().countries() if name == "country" else provider().currencies())
    except ProviderError:
        answer = None
    match answer:
        case Countries(countries=records) | Currencies(currencies=records):
            return [(record.code, record.name) for record in records]
    return [(code, code) for code in sorted(country_codes() if name == "country" else currency_codes())]


async def _token(address: str) -> str:
    answer = await provider().form_token(address=address)
    return answer.token if isinstance(answer, FormToken) else ""


def _seconds_until_old_enough(opened: str, settings: Settings) -> float:
    if not opened.isdecimal() or len(opened) > 12:
        return 0
    due = int(opened) + settings.minimum_filling_time.total_seconds() - time.time()
    return min(max(due, 0), _LONGEST_WAIT.total_seconds())


def _key_of(said: Mapping[str, Any]) -> str:
    words = json.dumps([datetime.now(UTC).date().isoformat(), sorted(said.items())])
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def _pressed_again() -> str:
    return t("{error}. Nothing you typed is lost: please press the button again.", error=network_error())


def _check() -> str:
    return t("Before we read it, please open the email we’ve just sent you, follow the link and press the button on the page.")


def _notice(request: Request, settings: Settings, page: str, title: str, text: str, *, status: int = 200) -> Response:
    words = {"text": text, "action": (t("Back to the form"), href(page))}
    return written(PlainPage("notice.html", title, words), request, settings, status=status)
