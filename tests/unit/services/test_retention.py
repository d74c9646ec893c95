"""What is past its time goes, with everything that hangs on it, and nothing else does."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select

from site_app.contracts.message import Message
from site_app.contracts.quote import QuoteRequest
from site_app.contracts.view import View
from site_app.services.insights import record_view
from site_app.services.leads import Desk
from site_app.services.messages import accept_message
from site_app.services.quotes import request_quote
from site_app.services.retention import erase, sweep
from site_app.services.tokens import Tokens
from site_app.settings import Settings
from site_app.store import Store
from site_app.store.tables import Attachment, IdempotencyKey, Inquiry, Outbox, PageView
from tests.builders import message, quote

pytestmark = pytest.mark.anyio
START = datetime(2030, 1, 2, 12, tzinfo=UTC)


def desk(settings: Settings, *signs: str, now: datetime = START) -> Desk:
    return Desk(settings, Tokens("s" * 32, lambda: now), now, signs)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path)


async def sweep_at(store: Store, settings: Settings, now: datetime) -> list[str]:
    return await store.write(lambda session: sweep(session, now=now, settings=settings))


async def left(store: Store, column: Any) -> list[Any]:
    return await store.read(lambda session: list(session.exec(select(column).order_by(column))))


@pytest.mark.parametrize(("signs", "days", "kept"), [((), 729, 1), ((), 731, 0), (("trap",), 29, 1), (("trap",), 31, 0)])
async def test_a_lead_goes_when_its_time_is_over(
    store: Store, settings: Settings, signs: tuple[str, ...], days: int, kept: int
) -> None:
    said = Message.model_validate(message())
    await store.write(lambda session: accept_message(session, said, desk(settings, *signs)))

    await sweep_at(store, settings, START + timedelta(days=days))

    assert len(await left(store, Inquiry.reference)) == kept
    assert bool(await left(store, Outbox.reference)) == bool(kept)


async def test_page_views_and_keys_go_when_their_time_is_over(store: Store, settings: Settings) -> None:
    said = Message.model_validate(message())
    view = View(path="/faq")

    def write(session: Session) -> None:
        accept_message(session, said, desk(settings))
        record_view(session, view, today=START.date(), own_hosts=frozenset())

    await store.write(write)
    await sweep_at(store, settings, START + timedelta(days=31))
    assert (await left(store, IdempotencyKey.key), len(await left(store, PageView.path))) == ([], 1)
    await sweep_at(store, settings, START + timedelta(days=762))
    assert await left(store, PageView.path) == []


async def test_erasing_a_lead_takes_its_files_and_mails_and_leaves_the_others(store: Store, settings: Settings) -> None:
    ids = ["A" * 22, "B" * 22]
    rows = [
        {
            "id": one,
            "stored_name": one[:3],
            "original_name": "a.txt",
            "kind": "txt",
            "size": 1,
            "sha256": "",
            "created_at": START,
        }
        for one in ids
    ]
    said = [QuoteRequest.model_validate(quote(attachments=[one])) for one in ids]

    def write(session: Session) -> list[str]:
        session.add_all([Attachment(**row) for row in rows])
        session.flush()
        return [request_quote(session, one, desk(settings))["reference"] for one in said]

    first, second = await store.write(write)
    files = await store.write(lambda session: erase(session, first))

    assert files == ["AAA"]
    assert await left(store, Inquiry.reference) == [second]
    assert set(await left(store, Outbox.reference)) == {second}
    assert await left(store, Attachment.claimed_by) == [second]
