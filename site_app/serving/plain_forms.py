"""Forms without JavaScript: posted to their own page and answered with a plain page.

The static page contains neither a key nor a token. So the key is computed from the text and the day, and the provider asks by mail for
a confirmation that a person sent the form. A form shown again with errors has its own key and token.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from site_app.client import ProviderError, provider
from site_app.content.form_words import network_error, privacy_note, unasked
from site_app.contracts.attribution import attribution_of_query, carried_code
from site_app.contracts.fields import country_codes, currency_codes
from site_app.contracts.input import attributes, choices, control
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.lists import CountryRows, CurrencyRows
from site_app.contracts.reply import Accepted, FormToken, Refused
from site_app.contracts.submission import LeadKind, SubmissionKind, is_key
from site_app.core.http.addresses import address_of
from site_app.core.http.limits import AppContext
from site_app.core.http.pages import pairs_of, plain_endpoint, render_notice, render_page, routes_for
from site_app.core.i18n import current, href, sentence_separator, split, t
from site_app.forms.views import Field, View, view_of

TypedValues = Mapping[str, Any]  # a str, or a list for fields with several choices


@dataclass(frozen=True)
class PlainField:
    """`control` is one of input, lines, choice, choices and tick; `options` are the slugs and labels of a choice."""

    view: Field
    label: str
    value: str | list[str]
    error: str
    control: str
    required: bool
    attributes: Mapping[str, Any]
    options: Sequence[tuple[str, str]] = ()


def plain_fields(
    kind: SubmissionKind, fields: Sequence[Field], typed: TypedValues, errors: Mapping[str, str]
) -> list[PlainField]:
    """Returns the fields in their order; the first one with an error gets the focus."""
    plain = [_plain_field(kind, field, typed.get(field.name, ""), errors.get(field.name, "")) for field in fields]
    faulty = next((field for field in plain if field.error), None)
    return [replace(field, attributes={**field.attributes, "autofocus": ""}) if field is faulty else field for field in plain]


def sorted_by_field(errors: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Returns the errors in the order of their fields; errors without such a field come first and are shown above the fields."""
    places = {name: place for place, name in enumerate(names)}
    return dict(sorted(errors.items(), key=lambda error: places.get(error[0], -1)))


def _plain_field(kind: SubmissionKind, field: Field, value: str | list[str], error: str) -> PlainField:
    rules = attributes(kind.contract, field.name)
    required = bool(rules.pop("required", False))
    control_name = control(kind.contract, field.name)
    plain_control = {"country": "choice", "currency": "choice"}.get(control_name, control_name)
    if plain_control not in ("lines", "choice", "choices", "tick"):
        plain_control = "input"
        rules.setdefault("type", "text")
    if field.autocomplete:
        rules["autocomplete"] = field.autocomplete
    options = tuple(choices(kind.contract, field.name).items())
    return PlainField(field, kind.label(field.name), value, error, plain_control, required, rules, options)


_HIDDEN = ("key", "token", "attribution")
REFERENCE_PATTERN = re.compile(r"[\w.:/#-]{1,60}")


@cache
def posted_kinds() -> dict[str, LeadKind]:
    """Returns, by page path, each kind whose form can be posted there; a form with files cannot."""
    return {page: kind for kind in LEAD_KINDS if (page := view_of(kind).page) and not kind.takes_files}


def is_plain_form(path: str, method: str) -> bool:
    """Returns True if the request posts a form or shows its confirmation."""
    page = split(path)[1]
    if page.endswith("/sent"):
        return page.removesuffix("/sent") in posted_kinds()
    return method == "POST" and page in posted_kinds()


def plain_form_routes() -> list[Route]:
    """Returns the routes of each form and its confirmation in every language; they reach the provider only through the client."""
    return [
        route for page in posted_kinds() for route in (*routes_for(page, send, "POST"), *routes_for(f"{page}/sent", show_sent))
    ]


async def _show_form_again(context: AppContext, request: Request) -> Response:
    """Shows the form as filled in, in the language of this address, without validating it."""
    form = _PlainForm(context, request)
    return await form.form_again(await form.typed(), {}, status=200)


@plain_endpoint(show_again=_show_form_again)
async def send(context: AppContext, request: Request) -> Response:
    form = _PlainForm(context, request)
    return await form.send(await form.typed())


@plain_endpoint()
async def show_sent(context: AppContext, request: Request) -> Response:
    """Confirms that the form was sent, and says what the visitor must do or can expect next."""
    query = request.query_params
    page = split(request.url.path)[1].removesuffix("/sent")
    reference = query.get("reference", "")
    if not REFERENCE_PATTERN.fullmatch(reference) and "done" not in query:
        return RedirectResponse(href(page), 303)
    text = (
        t("Your reference is {reference}.", reference=reference) + sentence_separator()
        if REFERENCE_PATTERN.fullmatch(reference)
        else ""
    )
    if query.get("check") == "unasked":
        text += unasked()
    elif "check" in query:
        text += t(
            "Before we read it, please open the email we’ve just sent you, follow the link and press the button on the page."
        )
    else:
        text += t("A real person will read it and reply within one working day.")
    carried = carried_code(request.url.query)
    back = t("Back to the form"), href(page) + carried
    return render_notice(context, request, t("Your message has been sent successfully"), text, back, carried=carried)


@dataclass(frozen=True)
class _PlainForm:
    """A form posted to the page of its kind."""

    context: AppContext
    request: Request

    @property
    def kind(self) -> LeadKind:
        return posted_kinds()[split(self.request.url.path)[1]]

    @property
    def view(self) -> View:
        return view_of(self.kind)

    @property
    def address(self) -> str:
        return address_of(self.request, self.context.settings)

    @property
    def _names(self) -> list[str]:
        return [field.name for field in self.view.fields]

    async def typed(self) -> TypedValues:
        """Returns the sent values of known fields: the last value of a repeated name, or all values of a field with several choices."""
        pairs = await pairs_of(self.request)
        contract = self.kind.contract
        multiple_choice = [name for name in self._names if control(contract, name) == "choices"]
        typed: dict[str, Any] = {name: text for name, text in pairs if name in contract.model_fields or name in _HIDDEN}
        return typed | {name: choices for name in multiple_choice if (choices := [text for key, text in pairs if key == name])}

    async def send(self, typed: TypedValues, *, is_renewed: bool = False) -> Response:
        submission = {name: text for name, text in typed.items() if text and name in self.kind.contract.model_fields}
        attribution = submission.pop("attribution", "") or attribution_of(self.request)
        key = submission.get("key", "")
        submission |= {"key": key if is_key(key) else _key_of(submission)}
        submission |= {"language": current().id, "page": href(self.view.page)}
        submission |= {"attribution": attribution} if attribution else {}
        try:
            reply = await provider().submit(self.kind.call, submission, address=self.address)
        except ProviderError:
            return await self.form_again(typed, {"": press_again()}, status=503)
        if isinstance(reply, Accepted):
            result_query = {"reference": reply.reference} if reply.reference else {"done": 1}
            query = urlencode(result_query | ({"check": "1" if reply.mailed else "unasked"} if reply.quarantined else {}))
            query += carried_code(attribution).replace("?", "&")
            return RedirectResponse(f"{href(self.view.page)}/sent?{query}", 303)
        if reply.error.code == "key_reused":
            typed = {**typed, "key": secrets.token_hex(16)}
            if not is_renewed:
                return await self.send(typed, is_renewed=True)
        return await self._refused(typed, reply)

    async def _refused(self, typed: TypedValues, refusal: Refused) -> Response:
        visible_errors = {name: text for name, text in refusal.error.fields.items() if name in self._names}
        errors = visible_errors or {"": refusal.error.message or press_again()}
        return await self.form_again(typed, errors, status=429 if refusal.error.code == "too_many" else 422)

    async def form_again(self, typed: TypedValues, errors: Mapping[str, str], *, status: int) -> Response:
        """Returns the form with the typed values, and the errors beside the fields."""
        # keep the first key and token: the same text is one lead, and the token's age counts from its creation
        hidden = {name: typed[name] for name in ("key", "token") if typed.get(name)} or {
            "key": secrets.token_hex(16),
            "token": await form_token(self.address),
        }
        if attribution := typed.get("attribution") or attribution_of(self.request):
            hidden["attribution"] = str(attribution)
        hidden["phone_country"] = typed.get("phone_country") or current().country
        template_values = {
            "fields": [await self._with_names(field) for field in plain_fields(self.kind, self.view.fields, typed, errors)],
            "errors": sorted_by_field(errors, self._names),
            "check": t("Please check the marked fields") if "" not in errors else network_error(),
            "hidden": hidden,
            "consent": privacy_note(self.kind.name)[0] + sentence_separator(),
            "submit": self.view.send,
            "carried": carried_code(hidden.get("attribution", "")),
        }
        return render_page(
            self.context, self.request, "form.html", self.view.title, form=self.kind.name, status=status, **template_values
        )

    async def _with_names(self, field: PlainField) -> PlainField:
        """Adds country or currency options to the field, with the provider's names, or with codes only if it does not reply."""
        name = control(self.kind.contract, field.view.name)
        if name not in ("country", "currency"):
            return field
        try:
            reply = await (provider().countries() if name == "country" else provider().currencies())
        except ProviderError:
            reply = None
        match reply:
            case CountryRows(countries=rows) | CurrencyRows(currencies=rows):
                return replace(field, options=[(row.code, row.name) for row in rows])
        return replace(
            field, options=[(code, code) for code in sorted(country_codes() if name == "country" else currency_codes())]
        )


async def form_token(address: str) -> str:
    """Returns a form token from the provider, or "" if it has none."""
    reply = await provider().form_token(address=address)
    return reply.token if isinstance(reply, FormToken) else ""


def attribution_of(request: Request) -> str:
    """Returns where the visitor came from, as a query string, by the query of this page or of the page that led here.

    Of a visitor whose browser sends Do Not Track or Global Privacy Control only `ref` is taken.
    """
    is_private = "1" in (request.headers.get("DNT"), request.headers.get("Sec-GPC"))
    of_page = attribution_of_query(request.url.query, path=request.url.path, is_private=is_private)
    return of_page or _attribution_of_referer(request, is_private=is_private)


def _attribution_of_referer(request: Request, *, is_private: bool) -> str:
    try:
        referer = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    is_own_page = referer.netloc == request.headers.get("Host")
    return attribution_of_query(referer.query, path=referer.path, is_private=is_private) if is_own_page else ""


def press_again() -> str:
    return t("{error}. Nothing you typed is lost: please press the button again.", error=network_error())


def _key_of(submission: Mapping[str, Any]) -> str:
    """Returns a key that the same text has for the whole day, so that sending it twice makes one lead."""
    content = json.dumps([datetime.now(UTC).date().isoformat(), sorted(submission.items())])
    return hashlib.sha256(content.encode()).hexdigest()[:32]
