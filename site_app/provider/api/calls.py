"""The calls of API v1.0: the table its routes and its description are made from."""

from site_app.contracts.answer import FormToken
from site_app.contracts.lists import Countries, Currencies, ListRequest
from site_app.provider.api.visitors import countries, currencies, form_token, visitor_country
from site_app.provider.booking.endpoints import MEETING_CALLS
from site_app.provider.endpoints.call import get
from site_app.provider.leads.endpoints import LEAD_CALLS

_COUNTRIES = "Countries with dial codes, named and ordered in a language"
_CURRENCIES = "Currencies that are legal tender now"
_COUNTRY = "The caller's country: 1;GB, or 0 if it cannot be told"
CALLS = (
    *LEAD_CALLS,
    get("countries", _COUNTRIES, countries, Countries, takes=ListRequest, refuses=(422,)),
    get("currencies", _CURRENCIES, currencies, Currencies, takes=ListRequest, refuses=(422,)),
    get("formToken", "A token for a form that is being opened", form_token, FormToken),
    get("visitorCountry", _COUNTRY, visitor_country, None, keyed=False),
    *MEETING_CALLS,
)
