"""countries and currencies: made once per language, and not sent again to whoever has them."""

import hashlib
from collections.abc import Callable
from functools import cache

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from site_app.api.context import ApiContext
from site_app.contracts.lists import ListRequest
from site_app.services import lists

_FRESH = "public, max-age=3600"


async def countries(context: ApiContext, request: Request, wanted: ListRequest) -> Response:
    return _listed(request, lists.countries, wanted.language)


async def currencies(context: ApiContext, request: Request, wanted: ListRequest) -> Response:
    return _listed(request, lists.currencies, wanted.language)


def _listed(request: Request, make: Callable[[str], BaseModel], language: str) -> Response:
    body, tag = _written(make, language)
    headers = {"ETag": tag, "Cache-Control": _FRESH}
    known = {one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@cache
def _written(make: Callable[[str], BaseModel], language: str) -> tuple[bytes, str]:
    body = make(language).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
