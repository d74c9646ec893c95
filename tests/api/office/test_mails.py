"""The page of mails: sent, withheld and abandoned ones."""

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import (
    Outbox,
)
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser, text_of
from tests.support.outbox import a_row
from tests.support.stored_rows import abandoned_mail, add_rows, rows_in

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE = "Q-7F3K-29"


async def test_sent_mails_are_counted_up_to_a_limit(context: ApiContext, ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.office.pages._MAX_COUNTED", 3)
    sent = [a_row(number) for number in range(5)]
    for row in sent:
        row.status = "sent"
    await add_rows(context.store, *sent)

    page = text_of(await ada.get("/mail"))

    assert "over 3 sent" in page
    assert "0 given up" in page


async def test_abandoned_mails_are_shown_and_retried(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, abandoned_mail(QUOTE, NOW))

    assert "550" in (await ada.get("/mail")).text
    await ada.post("/mail", do="retry", reference=QUOTE)

    assert [(row.status in ("waiting", "sending", "sent"), row.last_error) for row in await rows_in(context.store, Outbox)] == [
        (True, "")
    ]


async def test_a_test_mail_goes_to_oneself(context: ApiContext, ada: Browser) -> None:
    await ada.post("/mail", do="test", address="stranger@example.com")

    assert [row.recipient for row in await rows_in(context.store, Outbox) if row.template == "office-test"] == [ADA]
