"""The office with two owners, a reader and an editor, each with their own browser."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.pages.drafts import DraftPages
from site_app.provider.api.app import make_api
from site_app.provider.http.call import ApiContext
from site_app.provider.office.pages import office_routes
from tests.support.clients import client_of
from tests.support.office_browser import ADA, BO, CY, DI, ORIGIN, Browser, link_for
from tests.support.office_texts import ENGLISH


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    people = (f"{ADA}:owner", f"{BO}:owner", f"{CY}:reader", f"{DI}:editor")
    return replace(settings, office=people, limit_sign_in="1000/minute", content=tmp_path / "content", publish="build")


@pytest.fixture(autouse=True)
def builds_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves builds in their table, where the tests read them."""

    async def begin_nothing(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("site_app.provider.publishing.builder.Builder.build_forever", begin_nothing)


@pytest.fixture
def api(settings: Settings) -> Starlette:
    return make_api(settings, extra_routes=office_routes(settings, DraftPages()))


@pytest.fixture
async def stranger(api: Starlette, context: ApiContext) -> AsyncIterator[Browser]:
    """A browser without a session."""
    async with client_of(api, at=ORIGIN) as client:
        yield Browser(client)


@pytest.fixture
async def sign_in(api: Starlette, context: ApiContext) -> AsyncIterator[Callable[[str], Awaitable[Browser]]]:
    clients: list[httpx.AsyncClient] = []

    async def enter(address: str) -> Browser:
        clients.append(client_of(api, at=ORIGIN))
        browser = Browser(clients[-1], address)
        response = await browser.post(await link_for(context, address))
        assert response.status_code == 303, response.text
        return browser

    yield enter
    for client in clients:
        await client.aclose()


@pytest.fixture
async def ada(sign_in: Callable[[str], Awaitable[Browser]]) -> Browser:
    return await sign_in(ADA)


@pytest.fixture
async def bo(sign_in: Callable[[str], Awaitable[Browser]]) -> Browser:
    return await sign_in(BO)


@pytest.fixture
async def cy(sign_in: Callable[[str], Awaitable[Browser]]) -> Browser:
    """The reader's browser."""
    return await sign_in(CY)


@pytest.fixture
async def di(sign_in: Callable[[str], Awaitable[Browser]]) -> Browser:
    """The editor's browser."""
    return await sign_in(DI)


@pytest.fixture
def folder(settings: Settings) -> Path:
    """The folder of published articles, with one in it."""
    folder = settings.content_folder / "articles"
    folder.mkdir(parents=True)
    (folder / "estimates.md").write_text(ENGLISH, encoding="utf-8")
    return folder
