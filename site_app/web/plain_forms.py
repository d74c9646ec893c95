"""The contact form without JavaScript: it is posted here, and answered with a page.

The static page it was written on holds neither a key nor a token. So the same words on the same day have the same key, and the
provider asks by mail whether a person sent them; a form that comes back with faults has a key and a token of its own.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.api.caller import address_of
from site_app.api.errors import CallRefused
from site_app.api.pages import PlainPage, fields_of, form_of, in_order, routes_for, written
from site_app.api.pages.languages import chosen
from site_app.content.form_words import network_error, optional, privacy_note, trap_label
from site_app.contracts.answer import FormToken, Taken
from site_app.contracts.message import Message
from site_app.forms.problems import verdict
from site_app.i18n import current, gap, href, split, t, use
from site_app.provider import ProviderError, provider
from site_app.settings import Settings

PAGE = "/contact-us"
SENT = f"{PAGE}/sent"
_FIELDS = ("full_name", "email", "phone", "company", "subject", "message")
_HIDDEN = ("key", "token")
_REFERENCE = re.compile(r"M-[2-9A-Z]{4}-[2-9A-Z]{2}")


def plain_forms(settings: Settings) -> Starlette:
    """The endpoints; they know their provider only through the door."""

    async def send(request: Request) -> Response:
        with use(split(request.url.path)[0]):
            try:
                typed = await form_of(request)
            except CallRefused as error:
                return _notice(request, settings, t("One moment, please"), error.message, status=error.status)
            if chosen(request.scope):
                return await _again(typed, {}, request, settings, status=200)
            return await _sent(typed, request, settings)

    async def sent(request: Request) -> Response:
        with use(split(request.url.path)[0]):
            reference = request.query_params.get("reference", "")
            if not _REFERENCE.fullmatch(reference):
                return RedirectResponse(href(PAGE), 303)
            text = t("Your reference is {reference}.", reference=reference)
            more = _check() if "check" in request.query_params else t("A person reads it and answers within one working day.")
            return _notice(request, settings, t("Your message has been sent successfully"), f"{text}{gap()}{more}")

    return Starlette(routes=[*routes_for(PAGE, send, "POST"), *routes_for(SENT, sent)])


async def _sent(typed: Mapping[str, str], request: Request, settings: Settings) -> Response:
    said = {name: text for name, text in typed.items() if text and name in Message.model_fields}
    said |= {"key": said.get("key") or _key_of(said), "language": current().id, "page": href(PAGE)}
    message, faults = verdict(Message, said)
    if message is None:
        return await _again(typed, faults, request, settings, status=422)
    try:
        answer = await provider().send_message(message, address=address_of(request, settings))
    except ProviderError:
        trouble = t("{error}: nothing is lost, please press the button again.", error=network_error())
        return await _again(typed, {"": trouble}, request, settings, status=503)
    if isinstance(answer, Taken):
        check = "&check=1" if answer.quarantined else ""
        return RedirectResponse(f"{href(SENT)}?reference={answer.reference}{check}", 303)
    if answer.error.code == "key_reused":
        return await _sent({**typed, "key": secrets.token_hex(16)}, request, settings)
    faults = {name: told for name, told in answer.error.fields.items() if name in _FIELDS} or {"": answer.error.message}
    return await _again(typed, faults, request, settings, status=422)


async def _again(
    typed: Mapping[str, str], faults: Mapping[str, str], request: Request, settings: Settings, *, status: int
) -> Response:
    """The form with what was typed, and what is wrong with it beside the fields."""
    hidden = {name: typed[name] for name in _HIDDEN if typed.get(name)} or {
        "key": secrets.token_hex(16),
        "token": await _token(address_of(request, settings)),
    }
    note, link = privacy_note()
    words = {
        "fields": fields_of(Message, _FIELDS, typed, faults),
        "errors": in_order(faults, _FIELDS),
        "hidden": hidden,
        "words": {
            "check": t("Please check the marked fields") if "" not in faults else network_error(),
            "optional": optional(),
            "trap": trap_label(),
            "consent": note + gap(),
            "link": link,
            "submit": t("Send message"),
        },
    }
    return written(PlainPage("contact.html", t("Your message"), words, "contact"), request, settings, status=status)


async def _token(address: str) -> str:
    try:
        answer = await provider().form_token(address=address)
    except ProviderError:
        return ""
    return answer.token if isinstance(answer, FormToken) else ""


def _key_of(said: Mapping[str, str]) -> str:
    words = json.dumps([datetime.now(UTC).date().isoformat(), sorted(said.items())])
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def _check() -> str:
    return t("Before a person reads it, please open the email we have just sent you and press the button behind its link.")


def _notice(request: Request, settings: Settings, title: str, text: str, *, status: int = 200) -> Response:
    words = {"text": text, "action": (t("Back to the contact page"), href(PAGE))}
    return written(PlainPage("notice.html", title, words), request, settings, status=status)
