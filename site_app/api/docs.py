"""The API's documentation as a plain page: made from its document, without a script and without a foreign host."""

import base64
import hashlib
import json
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from site_app.templates import templates

_STYLE = """
:root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow:auto;padding:1rem;border:1px solid;border-radius:.5rem}
table{border-collapse:collapse}td,th{text-align:start;padding:.25rem 1rem .25rem 0;vertical-align:top}
summary{cursor:pointer}section{border-top:1px solid;margin-top:2rem}
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_KEPT = {"Cache-Control": "public, max-age=300"}


def docs_routes(document: dict[str, Any]) -> list[Route]:
    """The document and its page, both written once."""
    page = templates("site_app.api").get_template("docs.html").render(document=document, style=_STYLE, written=_written)
    answers: dict[str, Response] = {
        "/v1.0/openapi.json": JSONResponse(document, headers=_KEPT),
        "/v1.0/docs": HTMLResponse(page, headers=_KEPT | {"Content-Security-Policy": _POLICY}),
    }
    return [Route(path, answer, methods=["GET"]) for path, answer in answers.items()]


def _written(schema: Any) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False)
