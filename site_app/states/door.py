"""What the states ask of the provider, as plain rows."""

from typing import Any, Literal

from site_app.client import ProviderError, provider
from site_app.contracts.lists import Countries, Currencies
from site_app.i18n import BY_ID, use

Row = dict[str, Any]
Named = tuple[str, str]  # a code and its name
ListName = Literal["countries", "currencies"]


async def fetch_list(name: ListName, language: str) -> list[Named]:
    """Countries or currencies, named in that language; raises ProviderError where there is no answer or a refusal.

    Of each only what a select shows: every visitor gets them, and a socket keeps room for the longest it has sent.
    """
    with use(BY_ID[language]):
        answer = await (provider().countries() if name == "countries" else provider().currencies())
    match answer:
        case Countries(countries=records) | Currencies(currencies=records):
            return [(record.code, record.name) for record in records]
        case _:
            raise ProviderError
