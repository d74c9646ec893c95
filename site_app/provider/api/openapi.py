"""The OpenAPI 3.1 document, generated from the table of calls and their contracts so that it always matches them, and its HTML page."""

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from site_app.contracts.fields import EXTENSIONS, MAX_FILE_BYTES
from site_app.contracts.meeting import SlotRefused
from site_app.contracts.reply import Refused
from site_app.core.http.pages import PAGE_HEADERS, STYLESHEET
from site_app.core.http.paths import API
from site_app.core.templates import templates
from site_app.provider.http.call import KEY_HEADER, Call

_REFS = "#/components/schemas/{model}"
_STATUS_DESCRIPTIONS = {
    400: "The body is not valid for its content type, or is incomplete",
    401: "Missing or wrong API key",
    404: "Not found",
    409: "The slot has been taken, or the change is too late; `results` are the free slots closest to the requested one",
    413: "The body is too large",
    415: "Unsupported content type",
    422: "Some fields are invalid; `fields` maps each to its message",
    429: "Too many requests from one address; try again after Retry-After seconds",
    503: "Unavailable: nothing was stored; try again after Retry-After seconds",
}


def docs_routes(document: dict[str, Any]) -> list[Route]:
    """Returns the routes of the document and its page, both rendered once."""
    page = (
        templates("site_app.provider.api")
        .get_template("docs.html")
        .render(document=document, stylesheet=STYLESHEET, written=_type_words)
    )
    return [
        Route(f"{API}/openapi.json", JSONResponse(document), methods=["GET"]),
        Route(f"{API}/docs", HTMLResponse(page, headers=PAGE_HEADERS), methods=["GET"]),
    ]


def _type_words(schema: Any) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False)


def document(calls: Iterable[Call], *, title: str, url: str) -> dict[str, Any]:
    calls = tuple(calls)
    paths: dict[str, Any] = {}
    for call in calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"{title} API", "version": "1.0", "description": "Leads, bookings and reference data."},
        "servers": [{"url": url}],
        "paths": paths,
        "components": {
            "schemas": _schemas(calls),
            "securitySchemes": {
                "caller": {
                    "type": "apiKey",
                    "in": "header",
                    "name": KEY_HEADER,
                    "description": "Identifies the caller. The key is public and protects nothing.",
                }
            },
        },
    }


@cache
def _schemas(calls: tuple[Call, ...]) -> dict[str, Any]:
    models = {model for call in calls for model in (call.takes, call.reply) if model} | {Refused}
    modes = [(model, "validation" if _is_taken(model, calls) else "serialization") for model in models]
    modes.append((SlotRefused, "validation"))  # in this mode `results` is optional: not every refusal offers slots
    _, definitions = models_json_schema(sorted(modes, key=lambda model: model[0].__name__), ref_template=_REFS)  # pyright: ignore
    return definitions["$defs"]


def _is_taken(model: type[BaseModel], calls: tuple[Call, ...]) -> bool:
    return any(call.takes is model for call in calls)


def _operation(call: Call) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": call.name, "summary": call.summary, "responses": _responses(call)}
    parameters = [_path_parameter(name) for name in re.findall(r"\{(\w+)\}", call.path)]
    if call.keyed:
        operation["security"] = [{"caller": []}]
    if call.takes and call.method == "GET":
        parameters += _query(call.takes)
    elif call.takes:
        operation["requestBody"] = _body("application/json", _ref(call.takes))
    elif call.streams:
        file = {
            "type": "string",
            "format": "binary",
            "description": f"At most {MAX_FILE_BYTES} bytes; one of {', '.join(EXTENSIONS)}",
        }
        form = {"type": "object", "properties": {"file": file}, "required": ["file"], "additionalProperties": False}
        operation["requestBody"] = _body("multipart/form-data", form)
    return operation | ({"parameters": parameters} if parameters else {})


def _responses(call: Call) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref(call.reply)}} if call.reply else {"text/plain": {}}
    responses: dict[str, Any] = {str(call.success): {"description": call.summary, "content": content}}
    for status in sorted({*call.refuses, 429, *((401,) if call.keyed else ())}):
        headers = {"Retry-After": {"schema": {"type": "integer"}}} if status in (429, 503) else {}
        responses[str(status)] = {
            "description": _STATUS_DESCRIPTIONS[status],
            "content": {"application/json": {"schema": _ref(SlotRefused if status == 409 else Refused)}},
            **({"headers": headers} if headers else {}),
        }
    return responses


def _query(model: type[BaseModel]) -> list[dict[str, Any]]:
    schema = model.model_json_schema()
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": rules}
        for name, rules in schema["properties"].items()
    ]


def _path_parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _body(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {kind: {"schema": schema}}}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REFS.format(model=model.__name__)}
