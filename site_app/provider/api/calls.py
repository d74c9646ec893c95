"""The calls of API v1.0: the table its routes and its description are made from; one for each lead kind, made from it."""

from starlette.requests import Request

from site_app.contracts.answer import Accepted, Done, FormToken
from site_app.contracts.attachment import Attached, FileRules
from site_app.contracts.kind import LeadKind
from site_app.contracts.kinds import KINDS
from site_app.contracts.lists import Countries, Currencies, ListRequest
from site_app.contracts.submission import Reachable
from site_app.core.metrics import lead_acknowledged
from site_app.provider.api.visitors import countries, currencies, form_token, visitor_country
from site_app.provider.booking.endpoints import MEETING_CALLS
from site_app.provider.endpoints.call import Call, get, post
from site_app.provider.endpoints.context import ApiContext
from site_app.provider.leads.attachment_endpoints import attach, detach, show_rules
from site_app.provider.leads.keep import Submitted, keep


def call_of(kind: LeadKind) -> Call:
    """The call of that kind: what it takes is kept, and the courier woken for its mails."""

    async def take(context: ApiContext, _: Request, submission: Reachable) -> Accepted:
        known = await context.submission_context_of(submission)
        entry = await context.store.write_together(keep, Submitted(kind, submission, known))
        context.wake()
        lead_acknowledged(kind.name, quarantined=entry.quarantined)
        return Accepted(reference=entry.reference, quarantined=entry.quarantined, mailed=entry.mailed)

    return post(kind.call, kind.summary, take, Accepted, 415, takes=kind.contract, limit="submissions", label=kind.label)


_FILE_RULES = "Which files are accepted"
_ATTACH = "Send a file ahead of the quote request that names its id"
_DETACH = "Take back a file that no quote request has named yet"
_COUNTRIES = "Countries with dial codes, named and ordered in a language"
_CURRENCIES = "Currencies that are legal tender now"
_COUNTRY = "The caller's country: 1;GB, or 0 if it cannot be told"
CALLS = (
    *map(call_of, KINDS),
    Call("GET", "/v1.0/attachments", "fileRules", _FILE_RULES, show_rules, FileRules),
    post("attachments", _ATTACH, attach, Attached, 415, limit="uploads", success=201, streams=True),
    Call("DELETE", "/v1.0/attachments/{id}", "removeAttachment", _DETACH, detach, Done, refuses=(404, 503)),
    get("countries", _COUNTRIES, countries, Countries, takes=ListRequest, refuses=(422,)),
    get("currencies", _CURRENCIES, currencies, Currencies, takes=ListRequest, refuses=(422,)),
    get("formToken", "A token for a form that is being opened", form_token, FormToken),
    get("visitorCountry", _COUNTRY, visitor_country, None, keyed=False),
    *MEETING_CALLS,
)
