"""The API's documentation as a plain page: made from its document, without a script and without a foreign host."""

import base64
import hashlib
import json
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

_PAGES = Environment(loader=PackageLoader("site_app.api"), autoescape=True, undefined=StrictUndefined)
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


async def show_document(request: Request) -> Response:
    return JSONResponse(request.app.state.document, headers={"Cache-Control": "public, max-age=300"})


async def show_docs(request: Request) -> Response:
    page = _PAGES.get_template("docs.html").render(document=request.app.state.document, style=_STYLE, written=_written)
    return HTMLResponse(page, headers={"Content-Security-Policy": _POLICY, "Cache-Control": "public, max-age=300"})


def _written(schema: Any) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False)
