"""The calls of API v1.0: the table its routes and its description are made from."""

from site_app.api.attachments import attach, detach, show_rules
from site_app.api.call import Call
from site_app.api.lists import countries, currencies
from site_app.api.meetings import MEETING_CALLS
from site_app.api.submissions import call_of
from site_app.api.visitors import form_token, visitor_country
from site_app.contracts.answer import Done, FormToken
from site_app.contracts.attachment import Attached, FileRules
from site_app.contracts.reference import Countries, Currencies, ListRequest
from site_app.leads.kinds import KINDS

CALLS = (
    *map(call_of, KINDS),
    Call("GET", "/v1.0/attachments", "fileRules", "Which files are accepted", show_rules, FileRules),
    Call(
        "POST",
        "/v1.0/attachments",
        "attachments",
        "Send a file ahead of the quote request that names its id",
        attach,
        Attached,
        limit="uploads",
        success=201,
        refuses=(400, 413, 415, 422, 503),
        streams=True,
    ),
    Call(
        "DELETE",
        "/v1.0/attachments/{id}",
        "removeAttachment",
        "Take back a file that no quote request has named yet",
        detach,
        Done,
        refuses=(404, 503),
    ),
    Call(
        "GET",
        "/v1.0/countries",
        "countries",
        "Countries with dial codes, named and ordered in a language",
        countries,
        Countries,
        takes=ListRequest,
        refuses=(422,),
    ),
    Call(
        "GET",
        "/v1.0/currencies",
        "currencies",
        "Currencies that are legal tender now",
        currencies,
        Currencies,
        takes=ListRequest,
        refuses=(422,),
    ),
    Call("GET", "/v1.0/formToken", "formToken", "A token for a form that is being opened", form_token, FormToken),
    Call(
        "GET",
        "/v1.0/visitorCountry",
        "visitorCountry",
        "The caller's country: 1;GB, or 0 if it cannot be told",
        visitor_country,
        None,
        keyed=False,
    ),
    *MEETING_CALLS,
)
