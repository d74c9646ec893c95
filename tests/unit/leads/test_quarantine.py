"""The team gets one mail a day about leads in quarantine."""

import tracemalloc
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.api.sweep import sweep_once
from site_app.provider.api.tasks import write_due_mails
from site_app.provider.leads.mails import DIGEST
from site_app.provider.leads.quarantine import write_digest
from site_app.provider.outbox.mail import read_mail
from site_app.provider.store import Store
from site_app.provider.store.tables import Outbox
from tests.support.records import a_message, a_quote, an_application, text_of

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path, mail_team="team@example.org")


async def doubtful(store: Store) -> None:
    rows = [
        a_message(reference="M-DOUBT-22", status="quarantined", created_at=NOW - timedelta(days=3), message="buy my pills"),
        a_quote(reference="Q-DOUBT-33", status="quarantined", created_at=NOW - timedelta(hours=2)),
        an_application(reference="A-DOUBT-44", status="quarantined", created_at=NOW - timedelta(hours=1)),
        a_quote(reference="Q-NEW-44", created_at=NOW),
    ]
    await store.write(lambda session: session.add_all(rows))


async def write(store: Store, settings: Settings, now: datetime = NOW) -> bool:
    return await store.write(lambda session: write_digest(session, settings=settings, now=now))


async def digests(store: Store) -> list[Outbox]:
    return await store.read(lambda session: list(session.exec(select(Outbox).where(Outbox.template == DIGEST))))


async def the_mail(store: Store, settings: Settings) -> tuple[EmailMessage, str]:
    (row,) = await digests(store)
    mail = read_mail(compose(row, settings))
    return mail, " ".join(text_of(mail).split())


async def test_the_team_gets_the_waiting_leads_their_dates_and_advice(store: Store, settings: Settings) -> None:
    await doubtful(store)

    assert await write(store, settings)

    mail, text = await the_mail(store, settings)
    assert mail["To"].addresses[0].addr_spec == "team@example.org"
    assert "3" in mail["Subject"]
    for word in (
        "M-DOUBT-22",
        "Message, 3 days old, will be deleted on 20 December 2026",
        "Q-DOUBT-33",
        "Quote request, 2 hours old",
        "A-DOUBT-44",
        "Affiliate application, 1 hour old",
        "leads release M-DOUBT-22",
    ):
        assert word in text
    assert "Q-NEW-44" not in text
    assert "pills" not in text


async def test_there_is_one_mail_a_day_however_many_rounds_and_starts(store: Store, url: str, settings: Settings) -> None:
    await doubtful(store)
    second_store = Store(url)

    for hours in range(0, 48, 4):
        for process in (store, second_store):
            await write_due_mails(process, settings, NOW.replace(hour=0) + timedelta(hours=hours))
    second_store.close()

    assert len(await digests(store)) == 2


async def test_without_waiting_leads_no_mail_is_written(store: Store, settings: Settings) -> None:
    await store.write(lambda session: session.add(a_quote(created_at=NOW)))

    assert not await write(store, settings)


async def test_a_flood_makes_a_short_mail(store: Store, settings: Settings) -> None:
    rows = [a_message(reference=f"M-{number:04}", status="quarantined", created_at=NOW) for number in range(300)]
    await store.write(lambda session: session.add_all(rows))

    await write(store, settings)

    mail, text = await the_mail(store, settings)
    assert "300" in mail["Subject"]
    assert "M-0099" in text
    assert "M-0100" not in text
    assert "200 more" in text


async def test_a_flood_is_counted_without_being_read(store: Store, settings: Settings) -> None:
    await store.write(
        lambda session: session.add_all(
            a_message(reference=f"M-{number:05}", status="quarantined", created_at=NOW, message="pills " * 500)
            for number in range(5_000)
        )
    )
    await write(store, settings)  # data read once, such as a catalog, is not counted below

    tracemalloc.start()
    try:
        await write(store, settings, NOW + timedelta(days=1))
        _now, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak_bytes < 3_000_000  # bytes; the messages alone have 15,000,000


async def test_the_mail_in_the_folder_stays_with_its_row_and_goes_with_it(store: Store, settings: Settings) -> None:
    await doubtful(store)
    await write(store, settings)
    (row,) = await digests(store)
    file = settings.var / "mail" / f"{row.message_id.strip('<>')}.eml"
    file.parent.mkdir()
    file.touch()

    await sweep_once(store, settings, NOW)
    assert file.exists()
    await sweep_once(store, settings, NOW + timedelta(days=31), confirmed=True)

    assert not file.exists()
