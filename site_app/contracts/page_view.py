"""A page view, without any data about the visitor."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.submission import Contract


class PageViewed(Contract):
    path: Annotated[str, Field(min_length=1, max_length=200, description="Path of the page, with its language")]
    route: Annotated[str, Field(max_length=200, description="Pattern of the route, without the language")] = ""
    referrer: Annotated[str, Field(max_length=2000)] = ""
