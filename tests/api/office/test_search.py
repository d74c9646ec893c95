"""The inbox's search: finds every word of a lead, also typed without accents."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import update

from site_app.provider.http.call import ApiContext
from site_app.provider.leads.word_index import index_words
from site_app.provider.store.tables import Lead, Note
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser
from tests.support.records import a_meeting, a_message, a_quote
from tests.support.stored_rows import attached, keep

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE, MESSAGE, CALL = "Q-7F3K-29", "M-7F3K-29", "C-7F3K-29"


async def matches(browser: Browser, words: str) -> set[str]:
    page = await browser.get("", params={"words": words})
    return set(re.findall(r'href="/office/leads/(\w-[\w-]+)', page.text))


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ("Józef Wójcik", "Wojcik"),
        ("Wojcik", "WÓJCIK"),
        ("Michał Łuczak", "luczak michal"),
        ("Luczak", "Łuczak"),
        ("Sinéad O’Connor", "o'connor"),
        ("O'Connor", "O’CONNOR"),
        ("Straße 9", "strasse"),
        ("Bjørn Sørensen", "bjorn sorensen"),
        ("Wo\u0301jcik", "Wójcik"),
        ("สมชาย ใจดี", "สมชาย"),
        ("王小明", "小明"),
        ("50_% off", "50_%"),
    ],
)
async def test_accents_capitals_and_quotation_marks_make_no_difference(
    context: ApiContext, ada: Browser, stored: str, words: str
) -> None:
    await keep(context, a_message(full_name=stored, created_at=NOW), a_quote(full_name="Somebody else", created_at=NOW))

    assert await matches(ada, words) == {MESSAGE}


async def test_notes_file_names_and_every_field_are_searched(context: ApiContext, ada: Browser) -> None:
    await keep(
        context,
        a_quote(created_at=NOW),
        a_message(created_at=NOW),
        a_meeting(created_at=NOW, additional_notes="Ring the bell twice"),
        attached(QUOTE, "Lastenheft_Größe.pdf"),
        Note(reference=MESSAGE, person=ADA, written_at=NOW, text="Prefers Tuesdays"),
        Note(reference=QUOTE, person=ADA, written_at=NOW, text="Thursdays", held=True),
    )

    assert await matches(ada, "lastenheft grosse") == {QUOTE}
    assert await matches(ada, "tuesdays") == {MESSAGE}
    assert await matches(ada, "tuesdays question") == {MESSAGE}
    assert await matches(ada, "thursdays") == set()
    assert await matches(ada, "bell") == {CALL}


async def test_a_search_looks_at_some_leads_at_a_time_and_further_back_on_demand(
    context: ApiContext, ada: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.inbox._SEARCHED_AT_ONCE", 3)
    leads = [
        a_message(reference=f"M-AAAA-{n:02}", created_at=NOW - timedelta(hours=n // 2), subject="Looms") for n in range(12)
    ]
    note = Note(reference="M-AAAA-11", person=ADA, written_at=NOW, text="Tuesdays")
    await keep(context, *leads, note, attached("M-AAAA-10", "brief.pdf"))

    seen, pages, address = list[str](), 0, "?words=looms"
    while address:
        page = (await ada.get(address)).text
        seen += re.findall(r'href="/office/leads/(\w-[\w-]+)', page)
        following = re.search(r'href="(\?[^"]*after=[^"]*)" rel="next"', page)
        address, pages = following[1].replace("&amp;", "&") if following else "", pages + 1

    assert sorted(seen) == [lead.reference for lead in leads]
    assert pages > 2
    assert "Search further back" in (await ada.get("?words=tuesdays")).text


async def test_a_note_is_searched_from_the_moment_it_is_written(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(created_at=NOW))

    await ada.do(QUOTE, "note", text="Zażółć gęślą jaźń")

    assert await matches(ada, "zazolc") == {QUOTE}


async def test_rows_of_the_release_before_are_searched_once_they_are_indexed(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(created_at=NOW, full_name="Józef"))
    await context.store.write(lambda session: session.connection().execute(update(Lead).values(folded="")) and None)
    assert await matches(ada, "jozef") == set()

    while await context.store.write(index_words):
        pass

    assert await matches(ada, "jozef") == {QUOTE}
