"""The inbox's search: finds every word of a lead, also typed without accents."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from site_app.provider.http.call import ApiContext
from site_app.provider.leads.word_index import index_words
from site_app.provider.store.tables import Lead, Note
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser, all_pages, references_in
from tests.support.records import a_meeting, a_message, a_quote
from tests.support.stored_rows import add_rows, attached

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE, MESSAGE, CALL = "Q-7F3K-29", "M-7F3K-29", "C-7F3K-29"


async def matches(browser: Browser, words: str) -> set[str]:
    page = await browser.get("", params={"words": words})
    return set(references_in(page.text))


@pytest.mark.parametrize(
    ("query", "references"),
    [
        ("kind=quote", {QUOTE}),
        ("kind=meeting", {"C-7F3K-29"}),
        ("status=won", {"M-7F3K-29"}),
        ("language=th", {"M-7F3K-29"}),
        ("since=2029-12-31", {QUOTE}),
        ("until=2029-12-30", {"M-7F3K-29", "C-7F3K-29"}),
        ("since=nonsense", {QUOTE, "M-7F3K-29", "C-7F3K-29"}),
        ("words=ALGEBRAIC+looms", set()),
        ("words=algebraic+Lovelace", {QUOTE}),
        ("words=q-7f3k", {QUOTE}),
        ("words=ada%40example", {QUOTE, "M-7F3K-29", "C-7F3K-29"}),
        ("words=engines", {QUOTE}),
        ("words=สวัสดี", {"M-7F3K-29"}),
        ("words=élan", {"M-7F3K-29"}),
        ("words=100%25", set()),
        ("words=%22Élan%22", {"M-7F3K-29"}),
        ("words=subject", set()),
        ("words=looms", {"C-7F3K-29"}),
    ],
)
async def test_the_inbox_is_filtered_and_searched(context: ApiContext, ada: Browser, query: str, references: set[str]) -> None:
    await add_rows(
        context.store,
        a_quote(created_at=NOW - timedelta(hours=20), company="Analytical Engines"),
        a_message(created_at=datetime.fromisoformat("2029-12-01T00:00Z"), language="th", status="won", message='สวัสดี "Élan"'),
        a_meeting(created_at=datetime.fromisoformat("2029-12-02T00:00Z")),
    )

    response = await ada.get(f"?{query}")

    assert set(references_in(response.text)) == references


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
    await add_rows(
        context.store, a_message(full_name=stored, created_at=NOW), a_quote(full_name="Somebody else", created_at=NOW)
    )

    assert await matches(ada, words) == {MESSAGE}


@pytest.mark.parametrize(
    "typed",
    [
        "02079460958",
        "(020) 7946-0958",
        "+44 (0)20 7946 0958",
        "0044 20 79460958",
        "+442079460958",
        "020.7946.0958",
        "7946 0958",
        "tel:+442079460958",
        "\u202d020 7946 0958\u202c",
        "+44\u200b20\u200b7946\u200b0958\ufeff",
        "\u200e \u2066tel:+442079460958\u2069",
    ],
)
async def test_a_phone_number_is_found_in_any_notation(context: ApiContext, ada: Browser, typed: str) -> None:
    await add_rows(
        context.store,
        a_quote(created_at=NOW, phone="+44 20 7946 0958", phone_e164="+442079460958"),
        a_message(created_at=NOW, phone="020 7946 0959", phone_e164="+442079460959"),
    )

    assert await matches(ada, typed) == {QUOTE}


async def test_digits_of_another_text_are_searched_as_typed(context: ApiContext, ada: Browser) -> None:
    await add_rows(
        context.store, a_quote(created_at=NOW, company="Order 2029-11-30"), a_message(created_at=NOW, company="Order 20291130")
    )

    assert await matches(ada, "2029-11-30") == {QUOTE}
    assert await matches(ada, "30 2029") == {QUOTE, MESSAGE}


async def test_notes_file_names_and_every_field_are_searched(context: ApiContext, ada: Browser) -> None:
    await add_rows(
        context.store,
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
    await add_rows(context.store, *leads, note, attached("M-AAAA-10", "brief.pdf"))

    pages = await all_pages(ada, "?words=looms")

    assert sorted(references_in("".join(pages))) == [lead.reference for lead in leads]
    assert len(pages) > 2
    assert "Search further back" in (await ada.get("?words=tuesdays")).text


async def test_a_note_is_searched_from_the_moment_it_is_written(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW))

    await ada.do(QUOTE, "note", text="Zażółć gęślą jaźń")

    assert await matches(ada, "zazolc") == {QUOTE}


async def test_rows_of_the_release_before_are_searched_once_they_are_indexed(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW, full_name="Józef"))
    await context.store.write(lambda session: session.connection().execute(update(Lead).values(folded="")) and None)
    assert await matches(ada, "jozef") == set()

    while await context.store.write(index_words):
        pass

    assert await matches(ada, "jozef") == {QUOTE}
