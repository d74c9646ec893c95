"""The calls countries and currencies: the lists that selects offer."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.fields import LanguageId
from site_app.contracts.reply import Reply
from site_app.contracts.submission import Contract


class ListRequest(Contract):
    language: LanguageId = "en"


class ListRow(Reply):
    """The fields of a row that the site uses; it ignores other fields in a provider's lists."""

    code: str
    name: str


class CountryRows(Reply):
    countries: list[ListRow] = Field(default_factory=list)


class CurrencyRows(Reply):
    currencies: list[ListRow] = Field(default_factory=list)


class CountryEntry(ListRow):
    dial_code: Annotated[str, Field(description="With a plus; empty for a country without phone numbers", examples=["+44"])]
    flag: Annotated[str, Field(examples=["/flags/GB.svg"])]


class Countries(Reply):
    countries: list[CountryEntry] = Field(default_factory=list)


class CurrencyEntry(ListRow):
    symbol: str


class Currencies(Reply):
    currencies: list[CurrencyEntry] = Field(default_factory=list)
