"""The report of page views."""

import asyncio
from datetime import timedelta

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import (
    PageView,
)
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser, link_for, text_of
from tests.support.records import a_message, a_quote
from tests.support.stored_rows import add_rows

pytestmark = pytest.mark.anyio
NOW = Clock().now


@pytest.mark.parametrize("days", ["7", "30", "90", "nonsense", "12"])
async def test_page_views_are_compared_with_the_period_before(context: ApiContext, ada: Browser, days: str) -> None:
    def view(ago: int, count: int, path: str = "/faq", referrer: str = "") -> PageView:
        day = NOW.date() - timedelta(days=ago)
        return PageView(day=day, path=path, referrer=referrer, route=path, tag="", language="en", count=count)

    spam = a_message(created_at=NOW, status="quarantined", source_page="/faq")
    await add_rows(
        context.store, view(0, 40), view(100, 7), view(3, 2, "/contact-us", "example.com"), a_quote(created_at=NOW), spam
    )

    page = text_of(await ada.get(f"/views?days={days}"))

    assert "42 views" in page
    assert "example.com" in page
    assert "/faq 40 1 2.5%" in page
    assert "message" not in page


async def test_a_page_with_leads_is_listed_however_many_pages_have_more_views(context: ApiContext, ada: Browser) -> None:
    def view(path: str, count: int) -> PageView:
        return PageView(day=NOW.date(), path=path, referrer="", route=path, tag="", language="en", count=count)

    await add_rows(
        context.store,
        *(view(f"/articles/{n}", 1000 + n) for n in range(20)),
        view("/contact-us", 900),
        view("/faq", 940),
        view("/get-a-quote", 950),
        *(a_message(created_at=NOW, source_page="/contact-us", reference=f"M-AAAA-{n:02}") for n in range(9)),
        a_message(created_at=NOW, source_page="/faq"),
        a_quote(created_at=NOW, source_page="/get-a-quote"),
    )

    page = text_of(await ada.get("/views?days=7"))

    assert "/contact-us 900 9 1.0% /get-a-quote 950 1 0.1% /faq 940 1 0.1%" in page


async def test_a_report_that_takes_long_is_shown_again_and_counted_anew(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.report._QUICK_SECONDS", 0.0)
    view = PageView(day=NOW.date(), path="/", referrer="", route="/", tag="", language="en", count=5)
    first = text_of(await ada.get("/views"))
    await add_rows(context.store, view)

    clock.advance(timedelta(minutes=10))
    shown_again = text_of(await ada.get("/views"))
    async with asyncio.timeout(10):  # an answer that never comes fails instead of stopping all tests
        while "5 views" not in (counted_anew := text_of(await ada.get("/views"))):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    assert ("0 views" in first, "Counted at" in first) == (True, False)
    assert ("0 views" in shown_again, "Counted at" in shown_again) == (True, True)
    assert "5 views" in counted_anew


async def test_a_shared_report_ends_with_its_day(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.report._QUICK_SECONDS", 0.0)
    await ada.get("/views?days=7")
    tomorrow = NOW.date() + timedelta(days=1)
    await add_rows(context.store, PageView(day=tomorrow, path="/", referrer="", route="/", tag="", language="en", count=5))

    clock.advance(timedelta(days=1))
    await ada.post(await link_for(context, ADA))

    assert "5 views" in text_of(await ada.get("/views?days=7"))
