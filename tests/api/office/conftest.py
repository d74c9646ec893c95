"""The office with two owners, a reader and an editor, each with their own browser."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.pages.drafts import DraftPages
from site_app.provider.api.app import make_api
from site_app.provider.http.call import ApiContext
from site_app.provider.office import people
from site_app.provider.office.pages import office_routes
from site_app.provider.office.people import Member
from site_app.provider.store.columns import Row
from site_app.provider.store.tables import Attachment, AuditEntry, Outbox
from tests.api.conftest import calling, rows
from tests.support.clock import Clock
from tests.support.outbox import a_row

ADA, BO, CY, DI = "ada@example.com", "bo@example.com", "cy@example.com", "di@example.com"
ORIGIN = "http://localhost:3000"


@dataclass
class Browser:
    """A person's browser at the office: sends forms from the page's own origin with its token."""

    client: httpx.AsyncClient
    address: str = ""
    origin: str = ORIGIN

    async def get(self, path: str = "", **options: Any) -> httpx.Response:
        return await self.client.get(f"/office{path}", **options)

    async def post(self, path: str, **form: str) -> httpx.Response:
        cookie = self.client.cookies.get("office") or ""
        form = {"form_token": people.form_token(cookie)} | form
        return await self.client.post(f"/office{path}", data=form, headers={"Origin": self.origin})

    async def send(self, path: str, files: dict[str, Any] | None = None, /, **form: Any) -> httpx.Response:
        """Posts a multipart form, as the editor of texts does."""
        cookie = self.client.cookies.get("office") or ""
        fields = {"form_token": people.form_token(cookie)} | form
        parts = [
            (name, (None, value))
            for name, values in fields.items()
            for value in (values if isinstance(values, list) else [values])
        ]
        return await self.client.post(f"/office{path}", files=[*parts, *(files or {}).items()], headers={"Origin": self.origin})

    async def do(self, reference: str, do: str, **form: str) -> httpx.Response:
        return await self.post(f"/leads/{reference}", do=do, **form)


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    people = (f"{ADA}:owner", f"{BO}:owner", f"{CY}:reader", f"{DI}:editor")
    return replace(settings, office=people, limit_sign_in="1000/minute", content=tmp_path / "content", publish="build")


@pytest.fixture(autouse=True)
def mails_stay_in_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps mails in the outbox, where the tests read them."""

    async def begin_nothing(*_: object) -> float:
        return 60.0

    monkeypatch.setattr("site_app.provider.outbox.courier.Courier._begin_due", begin_nothing)


@pytest.fixture(autouse=True)
def builds_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves builds in their table, where the tests read them."""

    async def begin_nothing(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("site_app.provider.publishing.builder.Builder.run", begin_nothing)


@pytest.fixture
def api(settings: Settings) -> Starlette:
    return make_api(settings, extra_routes=office_routes(settings, DraftPages()))


@pytest.fixture
async def stranger(api: Starlette, context: ApiContext) -> AsyncIterator[Browser]:
    """A browser without a session."""
    async with calling(api, at=ORIGIN) as client:
        yield Browser(client)


@pytest.fixture
async def sign_in(api: Starlette, context: ApiContext) -> AsyncIterator[Callable[[str], Awaitable[Browser]]]:
    clients: list[httpx.AsyncClient] = []

    async def enter(address: str) -> Browser:
        clients.append(calling(api, at=ORIGIN))
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


async def link_for(context: ApiContext, address: str) -> str:
    """Returns the path of a fresh sign-in link, below /office."""
    link = partial(people.new_link, person=Member(address, ""), settings=context.settings, now=context.clock())
    return (await context.store.write(link)).rpartition("/office")[2]


async def keep(context: ApiContext, *rows: Row) -> None:
    await context.store.write(lambda session: session.add_all(rows))


async def logged_actions(context: ApiContext) -> list[tuple[str, str, str]]:
    """Returns the log without sign-ins: person, action and reference."""
    return [(row.person, row.action, row.reference) for row in await rows(context, AuditEntry) if row.action != "sign in"]


def attached(to: str, name: str = "brief.pdf") -> Attachment:
    return Attachment(
        id="a", claimed_by=to, stored_name="ab12", original_name=name, kind="txt", size=1, sha256="", created_at=Clock().now
    )


def abandoned_mail(reference: str, next_attempt_at: datetime) -> Outbox:
    """Returns an abandoned mail."""
    row = a_row()
    row.reference, row.status, row.last_error, row.next_attempt_at = reference, "dead", "550", next_attempt_at
    return row


def text_of(response: httpx.Response) -> str:
    """Returns the words of a page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.text).split())
