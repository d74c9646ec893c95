"""Sign-in, sessions, and the refusals of everybody else."""

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product

import httpx
import pytest
from sqlmodel import Session
from starlette.applications import Starlette
from starlette.types import Message

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.api.mails import compose
from site_app.provider.api.sweep import sweep_batch, sweep_once
from site_app.provider.http.call import ApiContext
from site_app.provider.leads.erasing import delete_entries
from site_app.provider.office import sessions
from site_app.provider.office.pages import office_routes
from site_app.provider.store.tables import AuditEntry, Lead, Note, OfficeSession, Outbox, SignInLink
from tests.support.clients import client_of
from tests.support.clock import Clock
from tests.support.office_browser import ADA, BO, CY, ORIGIN, Browser, link_for, text_of
from tests.support.records import a_quote
from tests.support.stored_rows import add_rows, logged_actions, rows_in

pytestmark = pytest.mark.anyio
QUOTE = "Q-7F3K-29"
PAGES = ("", "/leads/Q-7F3K-29", "/leads.csv", "/leads.json", "/calls", "/views", "/mail", "/state", "/log", "/people")


async def ask(browser: Browser, address: str) -> httpx.Response:
    return await browser.post("/sign-in", address=address)


async def mailed_link(context: ApiContext) -> str:
    """Returns the link of the last sign-in mail in the outbox."""
    [row] = [mail for mail in await rows_in(context.store, Outbox) if mail.template == "office-sign-in"][-1:]
    return row.payload["url"].rpartition("/office")[2]


async def test_a_mailed_link_signs_in_once(context: ApiContext, stranger: Browser, capfd: pytest.CaptureFixture[str]) -> None:
    await ask(stranger, " Ada@Example.com ")
    link = await mailed_link(context)

    assert link in capfd.readouterr().err
    assert (await stranger.get(link)).status_code == 200
    assert await rows_in(context.store, OfficeSession) == []
    assert (await stranger.post(link)).headers["Location"] == "/office"
    assert (await stranger.get()).status_code == 200
    stranger.client.cookies.clear()
    assert (await stranger.post(link)).status_code == 403
    assert len(await rows_in(context.store, OfficeSession)) == 1


async def test_a_link_of_a_removed_person_is_invalid(context: ApiContext, stranger: Browser) -> None:
    assert (await stranger.post(await link_for(context, "gone@example.com"))).status_code == 403


async def test_the_response_does_not_reveal_who_is_a_member(context: ApiContext, stranger: Browser) -> None:
    answers = [await ask(stranger, address) for address in (ADA, CY, "stranger@example.com", "", "<b>@x", "x" * 900)]

    assert len({(answer.status_code, answer.text, tuple(answer.headers.items())) for answer in answers}) == 1
    assert len(await rows_in(context.store, SignInLink)) == 2


async def test_the_address_is_checked_after_the_response(context: ApiContext, api: Starlette) -> None:
    sent: list[tuple[str, int]] = []

    async def send(message: Message) -> None:
        sent.append((message["type"], len(await rows_in(context.store, SignInLink))))

    body = f"address={ADA.replace('@', '%40')}".encode()
    headers = [(b"origin", ORIGIN.encode()), (b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/office/sign-in",
        "query_string": b"",
        "headers": headers,
        "client": ("1.2.3.4", 1),
    }
    messages = [{"type": "http.request", "body": body}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    await api(scope, receive, send)

    assert [count for _, count in sent] == [0, 0]
    assert len(await rows_in(context.store, SignInLink)) == 1


async def test_the_work_after_the_response_does_not_reveal_who_is_a_member(
    api: Starlette, context: ApiContext, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second request, at once or from another address, would reveal the longer wait."""
    work: list[str] = []
    write = context.store.write

    async def counted(job: Callable[[Session], object]) -> object:
        work.append("write")
        return await write(job)

    monkeypatch.setattr(context.store, "write", counted)
    api.state.context = replace(context, wake=lambda: work.append("wake"))

    amounts = []
    for address in (ADA, "stranger@example.com", CY, ""):
        await ask(stranger, address)
        amounts.append([*work])
        work.clear()

    assert amounts == [["write", "wake"]] * 4
    assert len(await rows_in(context.store, SignInLink)) == len(await rows_in(context.store, Outbox)) == 2


async def test_a_sign_in_mail_is_sent_at_a_random_moment(context: ApiContext, stranger: Browser) -> None:
    for _ in range(20):
        await ask(stranger, ADA)

    delays = {row.next_attempt_at - context.clock() for row in await rows_in(context.store, Outbox)}

    assert len(delays) > 1
    assert max(delays) < timedelta(seconds=10)


async def test_links_are_limited_by_address_and_network_for_everybody(settings: Settings, api: Starlette, clock: Clock) -> None:
    strict = replace(settings, limit_sign_in="2/hour")
    api = make_api(strict, extra_routes=office_routes(strict))
    async with open_provider(api, strict, clock), client_of(api, at=ORIGIN) as client:
        browser = Browser(client)
        for address in (ADA, "stranger@example.com"):
            assert [(await ask(browser, address)).status_code for _ in range(3)] == [200, 200, 429]
        assert [(await ask(browser, f"{n}@example.com")).status_code for n in range(9)][-1] == 429


@pytest.mark.parametrize("networks", [1, 100])
async def test_requests_by_others_neither_lock_an_owner_out_nor_flood_their_mailbox(
    settings: Settings, clock: Clock, networks: int
) -> None:
    strict = replace(settings, limit_sign_in="5/10minute;20/day")
    api = make_api(strict, extra_routes=office_routes(strict))
    async with open_provider(api, strict, clock) as context, client_of(api, "198.51.100.9", at=ORIGIN) as client:
        owner, used = Browser(client), set()
        for hour in range(24):
            for number in range(50):
                async with client_of(api, f"203.0.113.{number % networks}", at=ORIGIN) as foe:
                    await ask(Browser(foe), ADA)
                clock.advance(timedelta(minutes=1))
            if hour % 6 == 5:
                answer = await ask(owner, ADA)
                newest = await mailed_link(context)

                assert answer.status_code == 200
                assert (await owner.post(newest)).status_code == 303
                assert newest not in used
                used.add(newest)
            clock.advance(timedelta(minutes=10))

        assert len(await rows_in(context.store, Outbox)) <= 20 + 2 * 24


async def test_the_mail_says_how_long_its_link_works(settings: Settings, clock: Clock) -> None:
    strict = replace(settings, limit_sign_in="1/day")
    api = make_api(strict, extra_routes=office_routes(strict))
    async with open_provider(api, strict, clock) as context:
        for number in range(2):
            async with client_of(api, f"203.0.113.{number}", at=ORIGIN) as client:
                await ask(Browser(client), ADA)
        mails = [compose(row, strict).decode() for row in await rows_in(context.store, Outbox)]

    assert " 10 minutes" in mails[0]
    assert " 120 minutes" in mails[1]


async def test_without_a_session_only_the_sign_in_page_is_shown(context: ApiContext, stranger: Browser) -> None:
    await add_rows(context.store, a_quote())

    for path, cookie in product(PAGES, ("", "forged", "x" * 5000)):
        stranger.client.cookies.set("office", cookie)
        answer = await stranger.get(path)

        assert (answer.status_code, answer.headers["Location"].partition("?")[0]) == (303, "/office/sign-in"), path
        assert "Lovelace" not in answer.text


@pytest.mark.parametrize("pattern", ["\\073", '\\"', ";", "office=", " "])
async def test_a_long_cookie_costs_no_time(context: ApiContext, stranger: Browser, pattern: str) -> None:
    """The work must not block the event loop's thread."""
    cookie = 'office="' + pattern * (15_000 // len(pattern)) + '"'
    costs = []
    for _ in range(3):
        began = time.thread_time()
        answer = await stranger.get(headers={"Cookie": cookie})
        costs.append(time.thread_time() - began)

        assert answer.status_code == 303

    assert min(costs) < 0.05


async def test_a_link_from_a_webmail_is_reloaded_from_the_site(ada: Browser, stranger: Browser) -> None:
    """A browser sends no SameSite=Strict cookie with it."""
    reloaded = await stranger.get("/log", headers={"Sec-Fetch-Site": "cross-site"})

    assert 'http-equiv="refresh"' in reloaded.text
    assert (await stranger.get("/log", headers={"Sec-Fetch-Site": "same-origin"})).status_code == 303


@pytest.mark.parametrize(("steps", "is_in"), [([11, 11, 11], True), ([13], False), ([11] * 66, False)])
async def test_a_session_ends_when_idle_and_after_its_maximum_age(
    ada: Browser, clock: Clock, steps: list[int], is_in: bool
) -> None:
    answers = []
    for hours in steps:
        clock.advance(timedelta(hours=hours))
        answers.append(await ada.get())

    assert (answers[-1].status_code == 200) == is_in


async def test_a_removed_person_is_signed_out_at_once(ada: Browser, change_settings: Callable[..., None]) -> None:
    change_settings(office=(f"{CY}:reader",))

    assert (await ada.get()).status_code == 303


async def test_sessions_are_listed_and_ended_one_by_one_and_everywhere(
    context: ApiContext, ada: Browser, sign_in: Callable[[str], Awaitable[Browser]], cy: Browser
) -> None:
    elsewhere = await sign_in(ADA)
    numbers = {sessions.number_of(row): row.person for row in await rows_in(context.store, OfficeSession)}
    assert set(re.findall(r'name="number" value="(\w+)"', (await ada.get("/people")).text)) == set(numbers)
    assert [numbers[row] for row in re.findall(r'name="number" value="(\w+)"', (await cy.get("/people")).text)] == [CY]

    await ada.post("/people", do="one", number=next(row for row, person in numbers.items() if person == CY))
    assert [(await row.get()).status_code for row in (ada, elsewhere, cy)] == [200, 200, 303]
    await ada.post("/people", do="everywhere")
    assert [(await row.get()).status_code for row in (ada, elsewhere)] == [303, 303]
    assert ada.client.cookies.get("office") is None


async def test_a_reader_ends_only_sessions_of_their_own(context: ApiContext, ada: Browser, cy: Browser) -> None:
    session_number = next(sessions.number_of(row) for row in await rows_in(context.store, OfficeSession) if row.person == ADA)

    for number in (session_number, "", "%", session_number[:1]):
        await cy.post("/people", do="one", number=number)

    assert (await ada.get()).status_code == 200


async def test_a_reader_sees_no_button_and_changes_nothing(context: ApiContext, cy: Browser) -> None:
    await add_rows(context.store, a_quote(status="quarantined"))

    page = await cy.get(f"/leads/{QUOTE}")
    answer = await cy.do(QUOTE, "release")

    assert "<form" not in page.text
    assert "Lovelace" in page.text
    assert answer.status_code == 403
    assert [row.status for row in await rows_in(context.store, Lead)] == ["quarantined"]


async def test_a_note_of_an_ended_session_is_kept_and_saved_after_signing_in(
    context: ApiContext, ada: Browser, bo: Browser, clock: Clock
) -> None:
    await add_rows(context.store, a_quote(created_at=clock()))
    clock.advance(timedelta(hours=13))

    answer = await ada.do(QUOTE, "note", text="Called, wants a shop.")

    assert answer.status_code == 401
    assert "Your note has been kept" in answer.text
    await bo.post(await link_for(context, bo.address))
    assert "wants a shop" not in (await bo.get(f"/leads/{QUOTE}")).text
    await ada.post(await link_for(context, ADA))
    assert "wants a shop" in (await ada.get(f"/leads/{QUOTE}")).text
    assert (ADA, "note", QUOTE) in await logged_actions(context)


@pytest.mark.parametrize("ended", ["signed out", "forged token", "reader"])
async def test_a_note_that_cannot_be_kept_is_shown_again(
    context: ApiContext, ada: Browser, cy: Browser, clock: Clock, ended: str
) -> None:
    browser, cookie = (cy if ended == "reader" else ada), (cy if ended == "reader" else ada).client.cookies["office"]
    if ended == "signed out":
        await browser.post("/people", do="everywhere")
        browser.client.cookies.set("office", cookie)
    clock.advance(timedelta(hours=13))

    extra = {"form_token": "forged"} if ended == "forged token" else {}
    answer = await browser.do(QUOTE, "note", text="Called, wants a <b>shop.", **extra)

    assert "Called, wants a &lt;b&gt;shop." in answer.text
    assert await rows_in(context.store, Note) == []


@pytest.mark.parametrize("path", [QUOTE, QUOTE.lower(), f"{QUOTE.lower()}/move"])
async def test_a_note_that_waits_is_erased_with_its_lead(context: ApiContext, ada: Browser, clock: Clock, path: str) -> None:
    await add_rows(context.store, a_quote(created_at=clock()))
    clock.advance(timedelta(hours=13))
    await ada.do(path, "note", text="Called, wants a shop.")
    assert len(await rows_in(context.store, Note)) == 1

    await context.store.write(lambda session: delete_entries(session, QUOTE))

    assert await rows_in(context.store, Note) == []


@pytest.mark.parametrize("path", ["/leads/Q-NONE-99", "/leads/..", f"/leads/{QUOTE}x", "/calls", "/people", "/mail"])
async def test_a_note_for_a_missing_lead_is_shown_again(context: ApiContext, ada: Browser, clock: Clock, path: str) -> None:
    await add_rows(context.store, a_quote(created_at=clock()))
    clock.advance(timedelta(hours=13))

    answer = await ada.post(path, do="note", text="Called, wants a shop.")

    assert await rows_in(context.store, Note) == []
    if answer.status_code == 401:
        assert "Called, wants a shop." in answer.text


async def test_a_note_whose_lead_is_gone_is_swept(context: ApiContext, clock: Clock) -> None:
    await add_rows(context.store, a_quote(created_at=clock()))
    await add_rows(
        context.store, *(Note(reference=about, person=ADA, written_at=clock(), text="Yes.") for about in (QUOTE, "Q-NONE-99"))
    )

    await sweep_once(context.store, context.settings, clock())

    assert [note.reference for note in await rows_in(context.store, Note)] == [QUOTE]


async def test_waiting_notes_are_limited_to_twenty(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await add_rows(context.store, a_quote(created_at=clock()))
    clock.advance(timedelta(hours=13))

    for number in range(25):
        await ada.do(QUOTE, "note", text=f"Note {number}")

    assert len(await rows_in(context.store, Note)) == 20


async def test_no_response_is_cached_or_runs_scripts(context: ApiContext, ada: Browser) -> None:
    await add_rows(context.store, a_quote())

    for path in PAGES:
        answer = await ada.get(path)

        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "no-store", path
        assert "noindex" in answer.headers["X-Robots-Tag"], path
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, path
        assert "unsafe" not in policy, path
        assert not re.search(r"<style|<script>| style=| on\w+=", answer.text), path


async def test_over_https_the_cookie_belongs_to_the_host_alone(settings: Settings, clock: Clock) -> None:
    public = replace(settings, url="https://www.example.com", office_host="office.example.com")
    api = make_api(public, extra_routes=office_routes(public))
    async with open_provider(api, public, clock) as context, client_of(api, at="https://office.example.com") as client:
        link = await link_for(context, ADA)
        foreign = await client.post(f"/office{link}", headers={"Origin": "https://www.example.com"})
        answer = await client.post(f"/office{link}", headers={"Origin": "https://office.example.com"})

    assert foreign.status_code == 403
    cookie_header = answer.headers["Set-Cookie"].lower()
    assert cookie_header.startswith("__host-office=")
    for part in ("secure", "httponly", "samesite=strict", "path=/"):
        assert part in cookie_header.split("; ")
    assert "domain" not in cookie_header


async def test_without_people_there_is_no_office(settings: Settings) -> None:
    assert office_routes(replace(settings, office=())) == []


async def test_expired_links_and_sessions_are_swept(context: ApiContext, ada: Browser, clock: Clock) -> None:
    await link_for(context, ADA)
    clock.advance(timedelta(days=61))

    await context.store.write(lambda session: sweep_batch(session, now=clock(), settings=context.settings))

    assert await rows_in(context.store, OfficeSession) == []
    assert await rows_in(context.store, SignInLink) == []


async def test_the_log_holds_signing_in_and_out(ada: Browser, bo: Browser) -> None:
    await bo.post("/people", do="everywhere")

    page = text_of(await ada.get("/log"))

    assert f"{ADA} sign in" in page
    assert "bo@example.com sign out" in page


async def test_the_log_names_the_person_whose_session_was_ended(context: ApiContext, ada: Browser, bo: Browser) -> None:
    numbers = {row.person: sessions.number_of(row) for row in await rows_in(context.store, OfficeSession)}

    await ada.post("/people", do="one", number=numbers[BO])
    await ada.post("/people", do="here")

    ended = [row.after for row in await rows_in(context.store, AuditEntry) if row.action == "sign out"]
    assert ended == [f"sessions of {BO}: 1", f"sessions of {ADA}: 1"]
