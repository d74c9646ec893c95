"""The OpenAPI document is true: every allowed request gets a documented response."""

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.schemas import BaseSchema

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.api.calls import CALLS
from site_app.provider.api.openapi import document
from site_app.provider.http.call import Call
from site_app.provider.store.migration import prepare_database

# The contracts are stricter than a schema can express (an existing country, a real phone number), so a request
# that the schema allows may be refused with 422; a request that it forbids must be.
CHECKED: list[Any] = [
    check
    for check in CHECKS.get_all()
    if check.__name__ not in ("positive_data_acceptance", "use_after_free", "ensure_resource_availability")
]
KEY = {"X-API-Key": "website"}
ALL_CHECKS: Any = list(HealthCheck)
SPOKEN_TO = [call for call in CALLS if call.takes or call.streams or "{" in call.path]

# The courier runs in the API's thread and uses `random` while hypothesis watches it.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    """The API's own document, with the API running in a thread."""
    free = "100000000/minute"
    var: Path = tmp_path_factory.mktemp("described")
    settings = Settings(var=var, limit_submissions=free, limit_reads=free, limit_uploads=free)
    prepare_database(settings)
    api = make_api(settings)
    ready, finished = threading.Event(), threading.Event()

    async def work() -> None:
        async with open_provider(api, settings):
            ready.set()
            await asyncio.to_thread(finished.wait)

    thread = threading.Thread(target=asyncio.run, args=(work(),))
    thread.start()
    ready.wait(10)
    yield schemathesis.openapi.from_asgi("/v1.0/openapi.json", api)
    finished.set()
    thread.join()


def try_out(described: BaseSchema, call: Call, mode: GenerationMode, examples: int) -> None:
    operation = described[call.path][call.method]

    @settings(max_examples=examples, deadline=None, suppress_health_check=ALL_CHECKS, database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers_as_described(case: Case) -> None:
        case.call_and_validate(headers=KEY if call.keyed else {}, checks=CHECKED)

    answers_as_described()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_requests_that_the_document_allows_get_documented_replies(described: BaseSchema, call: Call) -> None:
    try_out(described, call, GenerationMode.POSITIVE, 6)


@pytest.mark.parametrize("call", SPOKEN_TO, ids=lambda call: call.name)
def test_requests_that_the_document_forbids_are_refused(described: BaseSchema, call: Call) -> None:
    try_out(described, call, GenerationMode.NEGATIVE, 6)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("call", SPOKEN_TO, ids=lambda call: call.name)
def test_thousands_of_calls_get_documented_replies(described: BaseSchema, call: Call, mode: GenerationMode) -> None:
    try_out(described, call, mode, 350)


@pytest.mark.parametrize("name", ["bookMeeting", "holdSlot"])
def test_a_lost_slot_is_answered_with_other_free_slots(name: str) -> None:
    description = document(CALLS, title="", url="")

    reference = description["paths"][f"/v1.0/{name}"]["post"]["responses"]["409"]["content"]["application/json"]["schema"][
        "$ref"
    ]

    schema = description["components"]["schemas"][reference.rpartition("/")[2]]
    assert set(schema["properties"]) == {"error", "results"}
    assert schema["required"] == ["error"]


@pytest.mark.anyio
async def test_the_docs_page_loads_nothing_from_other_hosts(client: httpx.AsyncClient) -> None:
    page = await client.get("/v1.0/docs", headers={"X-API-Key": ""})

    assert page.status_code == 200
    assert all(call.name in page.text for call in CALLS)
    assert not re.search(r"(?:src|href)=.(?:https?:)?//", page.text)
    assert "<script" not in page.text
    assert "unsafe" not in page.headers["Content-Security-Policy"]
