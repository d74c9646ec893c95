"""The table of all calls of API v1.0, from which routes and OpenAPI document are built, and the calls that pages make by themselves."""

from contextlib import suppress
from functools import cache

import phonenumbers
from babel.numbers import get_currency_symbol
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from site_app.contracts.fields import country_codes, currency_codes
from site_app.contracts.lists import Countries, CountryEntry, Currencies, CurrencyEntry, ListRequest
from site_app.contracts.reply import FormToken
from site_app.core.http.bodies import whole_body
from site_app.core.http.client_ip import client_ip
from site_app.core.http.limits import Admission
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import use
from site_app.core.i18n.names import cldr, country_name, currency_name, sort_key
from site_app.core.locales import BY_ID
from site_app.provider.booking.endpoints import MEETING_CALLS
from site_app.provider.http.call import ApiContext, api_context_of, get
from site_app.provider.insights.page_views import PageTags, PageViewed, is_known_page
from site_app.provider.leads.endpoints import LEAD_CALLS

_MAX_VIEW_BYTES = 4096


async def form_token(context: ApiContext, request: Request, _: None) -> FormToken:
    return FormToken(token=context.tokens.form_token(), attribution=True)


async def visitor_country(context: ApiContext, request: Request, _: None) -> Response:
    """Answers in the format of country lookup services: 1;GB if the country is known, else 0."""
    country = await context.lookup.country(client_ip(request, context.settings))
    return PlainTextResponse(f"1;{country}" if country else "0", headers={"Cache-Control": "private, max-age=3600"})


async def countries(context: ApiContext, request: Request, payload: ListRequest) -> Countries:
    return countries_in(payload.language)


async def currencies(context: ApiContext, request: Request, payload: ListRequest) -> Currencies:
    return currencies_in(payload.language)


async def count_page_view(request: Request, page_tags: PageTags) -> Response:
    """Counts a view of one of these pages. Always answers 202, because the browser could not react to an error."""
    context = api_context_of(request)
    with suppress(CallRefused, ValidationError):
        await Admission(context.limits, context.settings, request).count_network("reads", "view")
        view = PageViewed.model_validate_json(await whole_body(request, _MAX_VIEW_BYTES))
        if is_known_page(view, page_tags):
            own_hosts = context.settings.host_names | context.settings.office_hosts
            context.views.add(view, page_tags=page_tags, today=context.clock().date(), own_hosts=own_hosts)
    return Response(status_code=202)


@cache
def countries_in(language: str) -> Countries:
    """Returns every country of ISO 3166 and Kosovo, with its dial code and flag."""
    with use(BY_ID[language]):
        listed = [
            CountryEntry(code=code, name=country_name(code), dial_code=_dial_code(code), flag=f"/flags/{code}.svg")
            for code in country_codes()
        ]
    return Countries(countries=sorted(listed, key=lambda country: sort_key(language, country.name)))


@cache
def currencies_in(language: str) -> Currencies:
    """Returns every currency that is legal tender now."""
    with use(BY_ID[language]):
        listed = [
            CurrencyEntry(code=code, name=currency_name(code), symbol=get_currency_symbol(code, locale=cldr()))
            for code in currency_codes()
        ]
    return Currencies(currencies=sorted(listed, key=lambda currency: sort_key(language, currency.name)))


def _dial_code(country: str) -> str:
    number = phonenumbers.country_code_for_region(country)
    return f"+{number}" if number else ""


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
