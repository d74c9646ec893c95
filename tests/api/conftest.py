"""Each test has its own API, in its own directory, with a clock that the test sets."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from site_app.content.routes import ROUTES
from site_app.core.settings import Settings
from site_app.provider.api import app
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.api.calls import CALLS
from site_app.provider.api.openapi import docs_routes, document
from site_app.provider.http.call import ApiContext
from tests.support.affiliate_terms import example_terms
from tests.support.clients import client_of, with_plain_pages
from tests.support.clock import Clock
from tests.support.databases import migrated_database


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True, scope="module")
def terms_of_the_examples() -> Iterator[None]:
    with example_terms():
        yield


@pytest.fixture(autouse=True, scope="session")
def documents_written_once() -> Iterator[None]:
    """Writes the API's documents once instead of at each start, which takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        # make_api calls docs_routes(document(CALLS, title=…, url=…)); this `document` only returns its options, by which routes are cached
        patch.setattr(app, "document", lambda _, **options: options)
        patch.setattr(app, "docs_routes", lambda options: _cached_docs_routes(**options))
        yield


@cache
def _cached_docs_routes(title: str, url: str) -> list[Route]:
    return docs_routes(document(CALLS, title=title, url=url))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    """Returns the URL of an empty database, as a setting has it."""
    with migrated_database(tmp_path) as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path, database: str) -> Settings:
    free = "100000/minute"
    return Settings(
        var=tmp_path,
        database_url=database,
        secret="s" * 32,
        limit_submissions=free,
        limit_reads=free,
        limit_uploads=free,
        limit_holds=free,
        limit_open_holds=1000,
        limit_calls=1000,
        booking_length=timedelta(minutes=30),
        booking_buffer=timedelta(minutes=15),
    )


@pytest.fixture
def api(settings: Settings) -> Starlette:
    return make_api(settings, {route.path: route.tag for route in ROUTES})


@pytest.fixture(autouse=True)
def mails_stay_in_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the courier from sending mails, because a sent mail has lost what the tests read of it."""

    async def begin_nothing(*_: object) -> float:
        return 60.0

    monkeypatch.setattr("site_app.provider.outbox.courier.Courier._begin_due", begin_nothing)


@pytest.fixture
async def context(
    api: Starlette, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ApiContext]:
    """Disables the background sweep: by the tests' clock a file being written would be years old."""
    monkeypatch.setattr(app, "maintain_forever", _no_maintenance)
    async with open_provider(api, settings, clock) as context:
        yield context


@pytest.fixture
def change_settings(api: Starlette, context: ApiContext) -> Callable[..., None]:
    """Changes settings of the running API: change_settings(publish="")."""

    def change(**changes: Any) -> None:
        api.state.context = replace(context, settings=replace(context.settings, **changes))

    return change


async def _no_maintenance(*_: object) -> None:
    await asyncio.Event().wait()


@pytest.fixture
async def client(api: Starlette, context: ApiContext, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(api, X_API_Key=settings.api_key) as client:
        yield client


@pytest.fixture
async def browser(api: Starlette, context: ApiContext, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor without scripts: the client sends no key and gets the plain pages as well."""
    async with client_of(with_plain_pages(api, settings)) as client:
        yield client


@pytest.fixture
def token(context: ApiContext, clock: Clock) -> str:
    """The token of a form opened a minute ago."""
    new_token = context.tokens.form_token()
    clock.advance(timedelta(minutes=1))
    return new_token
