"""What all pages of the office share: texts of visitors are escaped, actions are logged, missing pages are not found."""

from datetime import timedelta

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import (
    PageView,
)
from tests.support.clock import Clock
from tests.support.office_browser import ADA, BO, Browser, text_of
from tests.support.records import a_lead, a_meeting, a_quote
from tests.support.stored_rows import add_rows, attached

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE = "Q-7F3K-29"
HOSTILE = '<script>alert(1)</script><b>=1+1</b> \u202egpj.exe สวัสดีครับ 👩‍🚀 " onload="x'


@pytest.mark.parametrize("suffix", ["", "é" * 4900])
async def test_texts_of_visitors_are_escaped_everywhere(context: ApiContext, ada: Browser, suffix: str) -> None:
    words = HOSTILE + suffix
    hostile = {"full_name": words, "subject": words, "message": words}
    await add_rows(
        context.store,
        a_lead("message", "M", hostile, created_at=NOW, company=words, source_page=words, language=words[:40]),
        a_meeting(
            created_at=NOW, full_name=words, project_information=words, starts_at=NOW, ends_at=NOW + timedelta(minutes=30)
        ),
        a_lead("gone-kind", "G", {"odd": words}, reference="G-7F3K-29", created_at=NOW),
        attached("M-7F3K-29", words),
        PageView(day=NOW.date(), path="/faq", referrer="example.com", route="/faq", tag="", language="en", count=3),
    )

    for path in (
        "",
        f"?words={HOSTILE[:60].replace(' ', '+')}",
        "/leads/M-7F3K-29",
        "/leads/C-7F3K-29",
        "/leads/G-7F3K-29",
        "/calls",
        "/views",
    ):
        response = await ada.get(path)
        assert response.status_code == 200
        assert "<script>alert" not in response.text
        assert "<b>=1" not in response.text
        assert 'onload="x' not in response.text


async def test_the_log_has_person_and_action_without_texts(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await add_rows(context.store, a_quote())
    await ada.do(QUOTE, "note", text="A secret note")
    await bo.do(QUOTE, "handle", status="won", version="0")

    page = text_of(await ada.get("/log"))

    assert f"{BO} status {QUOTE} new → won" in page
    assert f"{ADA} note {QUOTE}" in page
    assert "secret" not in page
    assert "Lovelace" not in page


@pytest.mark.parametrize(
    "path", ["/nonsense", "/leads/Q-0000-00", "/leads/" + "x" * 500, "/leads.xml", "/leads/Q-0000-00/move"]
)
async def test_missing_pages_are_not_found(ada: Browser, path: str) -> None:
    assert (await ada.get(path)).status_code == 404
