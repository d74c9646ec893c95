"""Forms of leads without JavaScript: posted to their own page and answered with a plain page.

The static page contains neither a key nor a token. So the key is computed from the text and the day, and the provider asks by mail for
a confirmation that a person sent the form. A form shown again with errors has its own key and token.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from site_app.client import ListName, ProviderError, named_codes, provider
from site_app.content.form_words import network_error, no_mail_message, sent_message, unmailed_message
from site_app.contracts.attribution import partner_query_of
from site_app.contracts.fields import country_codes, currency_codes
from site_app.contracts.input import control
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.kinds.message import MESSAGE
from site_app.contracts.reply import Accepted
from site_app.contracts.submission import LeadKind, is_key
from site_app.core.http.client_ip import client_ip
from site_app.core.http.context import AppContext
from site_app.core.http.pages import plain_endpoint, render_notice, render_page, routes_for
from site_app.core.i18n import current, href, sentence_separator, split_language, t
from site_app.forms.form import view_of
from site_app.forms.views import View
from site_app.serving.plain_form import (
    REFERENCE_PATTERN,
    PlainField,
    TypedValues,
    attribution_of,
    field_names,
    form_values,
    fresh_key_and_token,
    new_key,
    press_again,
    refusal_errors,
    refusal_status,
    typed_values,
)

_HIDDEN_FIELDS = ("key", "token", "attribution")
_LISTS_BY_CONTROL: Mapping[str, ListName] = {"country": "countries", "currency": "currencies"}


@cache
def posted_kinds() -> dict[str, LeadKind]:
    """Returns, by page path, each kind whose form can be posted there; a form with files cannot."""
    return {page: kind for kind in LEAD_KINDS if (page := view_of(kind).page) and not kind.takes_files}


def is_plain_lead(path: str, method: str) -> bool:
    """Returns True if the request posts a lead's form or shows its confirmation."""
    page = split_language(path)[1]
    if page.endswith("/sent"):
        return page.removesuffix("/sent") in posted_kinds()
    return method == "POST" and page in posted_kinds()


def plain_lead_routes() -> list[Route]:
    """Returns the routes of each form and its confirmation in every language; they reach the provider only through the client."""
    return [
        route for page in posted_kinds() for route in (*routes_for(page, send, "POST"), *routes_for(f"{page}/sent", show_sent))
    ]


async def _show_form_again(context: AppContext, request: Request) -> Response:
    """Shows the form as filled in, in the language of this address, without validating it."""
    form = _PlainLead(context, request)
    return await form.form_again(await form.typed(), {}, status=200)


@plain_endpoint(show_again=_show_form_again)
async def send(context: AppContext, request: Request) -> Response:
    form = _PlainLead(context, request)
    return await form.send(await form.typed())


@plain_endpoint()
async def show_sent(context: AppContext, request: Request) -> Response:
    """Confirms that the form was sent, and says what the visitor must do or can expect next."""
    query = request.query_params
    page = split_language(request.url.path)[1].removesuffix("/sent")
    reference = query.get("reference", "")
    if not REFERENCE_PATTERN.fullmatch(reference) and "done" not in query:
        return RedirectResponse(href(page), 303)
    text = (
        t("Your reference is {reference}.", reference=reference) + sentence_separator()
        if REFERENCE_PATTERN.fullmatch(reference)
        else ""
    )
    if query.get("check") == "unasked":
        text += no_mail_message()
    elif "check" in query:
        text += t(
            "Before we reply, please open the email we’ve just sent you, follow the link and press the button on the page."
        )
    else:
        text += t("A real person will read it and reply within one working day.")
    if "unmailed" in query:
        text += sentence_separator() + unmailed_message()
    partner_query = partner_query_of(request.url.query)
    back = t("Back to the form"), href(page) + partner_query
    kind = posted_kinds()[page]
    title = sent_message() if kind is MESSAGE else view_of(kind).result.title
    return render_notice(context, request, title, text, back, partner_query=partner_query)


@dataclass(frozen=True)
class _PlainLead:
    """A form posted to the page of its kind."""

    context: AppContext
    request: Request

    @property
    def kind(self) -> LeadKind:
        return posted_kinds()[split_language(self.request.url.path)[1]]

    @property
    def view(self) -> View:
        return view_of(self.kind)

    @property
    def client_ip(self) -> str:
        return client_ip(self.request, self.context.settings)

    async def typed(self) -> TypedValues:
        return await typed_values(self.request, self.kind, {*self.kind.contract.model_fields, *_HIDDEN_FIELDS})

    async def send(self, typed: TypedValues, *, is_renewed: bool = False) -> Response:
        submission = {name: text for name, text in typed.items() if text and name in self.kind.contract.model_fields}
        attribution = submission.pop("attribution", "") or attribution_of(self.request)
        key = submission.get("key", "")
        submission |= {"key": key if is_key(key) else _key_of(submission)}
        submission |= {"language": current().id, "page": href(self.view.page)}
        submission |= {"attribution": attribution} if attribution else {}
        try:
            reply = await provider().submit(self.kind.call, submission, client_ip=self.client_ip)
        except ProviderError:
            return await self.form_again(typed, {"": press_again()}, status=503)
        if isinstance(reply, Accepted):
            result_query = {"reference": reply.reference} if reply.reference else {"done": 1}
            result_query |= {"check": "1" if reply.mailed else "unasked"} if reply.quarantined else {}
            query = urlencode(result_query | ({} if reply.mailed else {"unmailed": 1}))
            query += partner_query_of(attribution).replace("?", "&")
            return RedirectResponse(f"{href(self.view.page)}/sent?{query}", 303)
        if reply.error.code == "key_reused":
            # computed from the text the first time, so that a corrected text sent twice is one lead
            typed = {**typed, "key": new_key() if is_renewed else ""}
            if not is_renewed:
                return await self.send(typed, is_renewed=True)
        return await self.form_again(typed, refusal_errors(reply, field_names(self.view)), status=refusal_status(reply))

    async def form_again(self, typed: TypedValues, errors: Mapping[str, str], *, status: int) -> Response:
        """Returns the form with the typed values, and the errors beside the fields."""
        # keep the first key and token: the same text is one lead, and the token's age counts from its creation
        hidden = {name: typed[name] for name in ("key", "token") if typed.get(name)}
        hidden = hidden or await fresh_key_and_token(self.client_ip)
        attribution = str(typed.get("attribution") or attribution_of(self.request))
        hidden |= {"attribution": attribution} if attribution else {}
        hidden["phone_country"] = typed.get("phone_country") or current().country
        template_values = form_values(self.kind, self.view, self.view.fields, typed, errors, attribution)
        template_values |= {
            "fields": [await self._with_names(field) for field in template_values["fields"]],
            "check": t("Please check the marked fields") if "" not in errors else network_error(),
            "hidden": hidden,
        }
        return render_page(
            self.context,
            self.request,
            "form.html",
            self.view.title,
            package="site_app.serving",
            form=self.kind.name,
            status=status,
            **template_values,
        )

    async def _with_names(self, field: PlainField) -> PlainField:
        """Adds country or currency options to the field, with the provider's names, or with codes only if it does not reply."""
        list_name = _LISTS_BY_CONTROL.get(control(self.kind.contract, field.view.name))
        if list_name is None:
            return field
        try:
            return replace(field, options=await named_codes(provider(), list_name))
        except ProviderError:
            codes = country_codes() if list_name == "countries" else currency_codes()
            return replace(field, options=[(code, code) for code in sorted(codes)])


def _key_of(submission: Mapping[str, Any]) -> str:
    """Returns a key that the same text has for the whole day, so that sending it twice makes one lead."""
    content = json.dumps([datetime.now(UTC).date().isoformat(), sorted(submission.items())])
    return hashlib.sha256(content.encode()).hexdigest()[:32]
