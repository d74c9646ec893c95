"""The inbox's list and counts, each person's read leads, and the way back to the list."""

import re
from datetime import timedelta
from html import unescape

import pytest

from site_app.provider.http.call import ApiContext
from site_app.provider.leads import queries
from site_app.provider.office.frame import DONE_MESSAGES
from site_app.provider.store.tables import Lead, OpenedLead, Outbox
from tests.support.clock import Clock
from tests.support.office_browser import ADA, Browser, all_pages, link_for, references_in, text_of
from tests.support.records import a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE, MESSAGE, CALL = "Q-7F3K-29", "M-7F3K-29", "C-7F3K-29"


def unread(page: str) -> set[str]:
    return {
        reference for row in re.findall(r'<li class="[^"]*\bunread\b.*?</li>', page, re.S) for reference in references_in(row)
    }


def way_back(page: str) -> str:
    address = re.search(r'class="back"><a href="/office([^"]*)"', page)
    assert address
    return unescape(address[1])


def link(page: str, text: str) -> str:
    """Returns the target of the link with this text."""
    address = re.search(rf'<a [^>]*href="([^"]*)"[^>]*>(?:<[^>]+>)*{re.escape(text)}', page)
    assert address, text
    return unescape(address[1]).removeprefix("/office")


async def test_the_inbox_lists_every_kind_the_newest_first(context: ApiContext, ada: Browser) -> None:
    await add_rows(
        context.store,
        a_quote(created_at=NOW - timedelta(hours=1)),
        a_message(created_at=NOW - timedelta(hours=3)),
        an_application(created_at=NOW - timedelta(hours=2)),
        a_meeting(created_at=NOW),
    )

    response = await ada.get()

    assert references_in(response.text) == ["C-7F3K-29", QUOTE, "A-7F3K-29", "M-7F3K-29"]


async def test_older_leads_are_on_the_next_page_and_none_is_left_out(context: ApiContext, ada: Browser) -> None:
    leads = [a_message(reference=f"M-{number:04}-22", created_at=NOW - timedelta(minutes=number // 3)) for number in range(60)]
    await add_rows(context.store, *leads)

    pages = await all_pages(ada)

    assert len(pages) > 1
    assert sorted(references_in("".join(pages))) == sorted(lead.reference for lead in leads)


async def test_new_and_released_leads_are_one_list_read_from_the_index(
    context: ApiContext, ada: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.inbox.PAGE_SIZE", 4)
    statuses = ("new", "released", "won")
    leads = [
        a_message(reference=f"M-AAAA-{n:02}", created_at=NOW - timedelta(hours=n), status=statuses[n % 3]) for n in range(15)
    ]
    await add_rows(context.store, *leads)

    pages = await all_pages(ada, "?status=new")
    conditions = [
        str(condition.compile(compile_kwargs={"literal_binds": True})) for condition in queries._status_conditions(Lead, "new")
    ]

    assert references_in("".join(pages)) == [lead.reference for lead in leads if lead.status != "won"]
    assert conditions == ["lead.status = 'new'", "lead.status = 'released'"]


async def test_a_released_lead_is_among_the_new_ones(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW, status="quarantined"), a_message(created_at=NOW, status="read"))

    inbox_before = text_of(await ada.get())
    await ada.do(QUOTE, "release")

    assert "0 new 1 in quarantine" in inbox_before
    assert "1 new 0 in quarantine" in text_of(await ada.get())
    assert set(references_in((await ada.get("?status=new")).text)) == {QUOTE}


async def test_a_meeting_that_was_cancelled_is_not_new(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_meeting(created_at=NOW, state="cancelled"), a_quote(created_at=NOW))

    assert "1 new" in text_of(await ada.get())
    assert set(references_in((await ada.get("?status=new")).text)) == {QUOTE}
    assert set(references_in((await ada.get()).text)) == {QUOTE, CALL}


async def test_opening_a_lead_marks_it_read_for_whoever_opened_it(context: ApiContext, ada: Browser, cy: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW), a_message(created_at=NOW))

    await cy.get(f"/leads/{QUOTE}")
    await cy.get(f"/leads/{QUOTE}")

    assert unread((await cy.get()).text) == {MESSAGE}
    assert unread((await ada.get()).text) == {MESSAGE, QUOTE}


async def test_the_read_marks_of_a_lead_are_erased_with_it(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW))
    await ada.get(f"/leads/{QUOTE}")

    await ada.do(QUOTE, "erase", sure=QUOTE)

    assert await rows_in(context.store, OpenedLead) == []


async def test_the_way_back_leads_to_the_previous_list(context: ApiContext, ada: Browser) -> None:
    older = [a_message(reference=f"M-{number:04}-22", created_at=NOW - timedelta(minutes=number)) for number in range(40)]
    await add_rows(context.store, *older)
    list_page = link((await ada.get("?words=question&status=new")).text, "Older")
    lead_page = link((await ada.get(list_page)).text, "Ada Lovelace")
    changed = await ada.post(lead_page, do="note", text="Called.")

    for page in (await ada.get(lead_page), await ada.client.get(changed.headers["Location"])):
        back = way_back(page.text)
        assert references_in((await ada.get(back)).text) == references_in((await ada.get(list_page)).text)
    assert DONE_MESSAGES["note"] in page.text


async def test_erasing_leads_back_to_the_list_as_well(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW))
    lead_page = link((await ada.get("?kind=quote")).text, "Ada Lovelace")

    question = await ada.post(lead_page, do="erase")
    action = re.search(r'action="/office([^"]*)"', question.text)
    assert action
    erased = await ada.post(unescape(action[1]), do="erase", sure=QUOTE)

    assert "kind=quote" in erased.headers["Location"]


async def test_a_meeting_opened_from_its_week_leads_back_to_that_week(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_meeting(created_at=NOW))
    week = await ada.get("/calls?week=2026-08-04")

    back = way_back((await ada.get(link(week.text, "Ada Lovelace"))).text)

    assert CALL in (await ada.get(back)).text


@pytest.mark.parametrize("hostile", ["https://example.com/", "//example.com", "javascript:alert(1)", '"><script>', "a=1&b=2"])
async def test_a_way_back_to_another_site_is_ignored(context: ApiContext, ada: Browser, hostile: str) -> None:
    await add_rows(context.store, a_quote(created_at=NOW))

    page = await ada.get(f"/leads/{QUOTE}", params={"list": hostile})

    assert way_back(page.text) == ""


async def test_a_link_of_a_mail_leads_to_its_page_after_signing_in(context: ApiContext, stranger: Browser) -> None:
    await add_rows(context.store, a_quote(created_at=NOW))

    redirect = await stranger.get(f"/leads/{QUOTE}?done=x")
    form = await stranger.client.get(redirect.headers["Location"])
    action = re.search(r'<form[^>]*action="/office([^"]*)"', form.text)
    assert action
    await stranger.post(unescape(action[1]), address=ADA)
    [mail] = await rows_in(context.store, Outbox)
    entered = await stranger.post(mail.payload["url"].partition("/office")[2])

    assert entered.headers["Location"].startswith(f"/office/leads/{QUOTE}")


@pytest.mark.parametrize("to", ["//example.com", "https://example.com", "\\example.com", "/a\r\nb", "@example.com", "/../x"])
async def test_signing_in_redirects_only_within_the_office(context: ApiContext, stranger: Browser, to: str) -> None:
    path = await link_for(context, ADA)

    entered = await stranger.client.post(f"/office{path}", params={"to": to}, headers={"Origin": stranger.origin})

    assert entered.headers["Location"] == "/office"
