"""The office shows, filters, counts and exports the attribution of leads."""

import csv
import re
from io import StringIO
from typing import Any

import pytest

from site_app.provider.http.call import ApiContext
from tests.support.clock import Clock
from tests.support.office_browser import Browser, references_in
from tests.support.records import a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows

pytestmark = pytest.mark.anyio
NOW = Clock().now


async def store_leads(context: ApiContext) -> None:
    await add_rows(
        context.store,
        a_quote(
            created_at=NOW, status="won", attribution={"utm_source": "news", "utm_campaign": "spring", "landing_page": "/faq"}
        ),
        a_message(created_at=NOW, attribution={"referrer": "search.example", "landing_page": "/faq"}),
        an_application(created_at=NOW, attribution={"ref": "ADA"}),
        a_meeting(created_at=NOW, attribution={"utm_source": "news"}),
    )


@pytest.mark.parametrize(
    ("query", "letters"),
    [
        ({"source": "news"}, {"Q", "C"}),
        ({"source": "search.example"}, {"M"}),
        ({"source": "ADA"}, {"A"}),
        ({"campaign": "spring"}, {"Q"}),
        ({"source": "nowhere"}, set()),
    ],
)
async def test_the_list_is_filtered_by_source_and_campaign(
    context: ApiContext, ada: Browser, query: dict[str, str], letters: set[str]
) -> None:
    await store_leads(context)

    page = await ada.get("", params=query)

    assert {reference[0] for reference in references_in(page.text)} == letters


async def test_the_page_of_a_lead_shows_the_attribution(context: ApiContext, ada: Browser) -> None:
    await store_leads(context)

    assert "utm campaign: spring" in (await ada.get("/leads/Q-7F3K-29")).text
    assert "utm source: news" in (await ada.get("/leads/C-7F3K-29")).text


async def test_the_report_counts_leads_and_won_ones(context: ApiContext, ada: Browser) -> None:
    await store_leads(context)

    page = (await ada.get("/views")).text

    counted = {
        (name, leads, won) for name, leads, won in re.findall(r">([^<>]+)(?:</a>)?</th><td>(\d)</td><td>(\d)</td>", page)
    }
    assert {("news", "2", "1"), ("search.example", "1", "0"), ("spring", "1", "1"), ("/faq", "2", "1")} <= counted


async def test_the_export_has_a_column_for_each_thing_known(context: ApiContext, ada: Browser) -> None:
    await store_leads(context)

    table: list[dict[str, Any]] = [*csv.DictReader(StringIO((await ada.get("/leads.csv")).text.removeprefix("\ufeff")))]

    quote = next(row for row in table if row["reference"].startswith("Q"))
    assert (quote["utm_source"], quote["utm_campaign"], quote["landing_page"], quote["ref"]) == ("news", "spring", "/faq", "")
    assert "attribution" not in quote
