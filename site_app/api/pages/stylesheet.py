"""The one stylesheet of all plain pages, under an address that changes with it."""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_STYLE = (Path(__file__).parent / "plain.css").read_bytes()
STYLESHEET = f"/plain/{hashlib.sha256(_STYLE).hexdigest()[:12]}.css"


async def _serve(request: Request) -> Response:
    return Response(_STYLE, media_type="text/css", headers={"Cache-Control": "public, max-age=31536000, immutable"})


STYLESHEET_ROUTE = Route(STYLESHEET, _serve)
