"""Forged, replayed, foreign and stale requests and those of a reader change nothing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import httpx
import pytest
from sqlmodel import Session, select

from site_app.core.i18n.catalogs import catalog_texts
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.payments import PaymentEntry
from site_app.provider.http.call import ApiContext
from site_app.provider.office import sessions
from site_app.provider.publishing import builds, drafts
from site_app.provider.publishing.drafts import TextKey, summary_of
from site_app.provider.publishing.translations import Wording, text_id
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import (
    AffiliateEntry,
    Build,
    BusyTime,
    CustomerPayment,
    DraftPicture,
    Lead,
    Meeting,
    Note,
    OfficeSession,
    Outbox,
    Partner,
    PartnerLink,
    Payout,
    Referral,
    Revision,
    Row,
    SignInLink,
)
from tests.support.clock import Clock
from tests.support.office_browser import ADA, BO, DI, ORIGIN, Browser, link_for
from tests.support.records import a_meeting, a_quote, an_application
from tests.support.stored_rows import abandoned_mail, add_rows, logged_actions

pytestmark = pytest.mark.anyio
QUOTE, CALL, TEXT = "/leads/Q-7F3K-29", "/leads/C-7F3K-29", "/content/article/estimates/en"
WATCHED: tuple[type[Row], ...] = (
    *(Lead, Meeting, Note, BusyTime, Outbox, OfficeSession, SignInLink),
    *(Partner, PartnerLink, Referral, CustomerPayment, Payout, AffiliateEntry, Revision, DraftPicture, Build),
)
WORDS = "/translations/th"
_INVITATION = next(text for text in catalog_texts("th") if text.english == ("Start with a call",))
TRANSLATION = {
    "bases": f"{text_id(_INVITATION.key)}:{Wording(_INVITATION.forms).digest}",
    f"t.{text_id(_INVITATION.key)}.0": "Forged",
}
PAYMENT = {
    "reference": "INV-2",
    "lead": "Q-7F3K-29",
    "net": "1000",
    "currency": "GBP",
    "billing": "monthly",
    "due_on": "2029-12-01",
    "contract_on": "2029-12-01",
    "term_months": "",
    "received_on": "2029-12-10",
    "reversed_on": "",
    "repaid_on": "",
    "repaid": "",
}
# Every possible change, as its own form sends it.
CHANGES: tuple[tuple[str, dict[str, str]], ...] = (
    (QUOTE, {"do": "handle", "status": "won", "owner": BO, "version": "0"}),
    (QUOTE, {"do": "note", "text": "Forged."}),
    (QUOTE, {"do": "release"}),
    (QUOTE, {"do": "undo", "line": "1"}),
    (QUOTE, {"do": "erase", "sure": "Q-7F3K-29"}),
    (CALL, {"do": "handle", "status": "won", "version": "0"}),
    (f"{CALL}/move", {"slot": "20300104T0930Z"}),
    (CALL, {"do": "cancel"}),
    (CALL, {"do": "erase", "sure": "C-7F3K-29"}),
    ("/calls", {"do": "block", "from": "2030-01-04"}),
    ("/calls", {"do": "unblock", "number": "1"}),
    ("/mail", {"do": "retry"}),
    ("/mail", {"do": "test"}),
    ("/leads/A-7F3K-24", {"do": "decline"}),
    ("/leads/A-7F3K-22", {"do": "approve"}),
    ("/affiliates?month=2029-12", {"do": "pay", "partner": "1", "currency": "GBP", "amount": "200"}),
    ("/affiliates?month=2029-12", {"do": "payment", **PAYMENT}),
    (
        "/affiliates?month=2029-12",
        {"do": "import", "file": ",".join(PAYMENT) + "\n" + ",".join(PAYMENT.values()).replace("INV-2", "INV-3")},
    ),
    *(("/affiliates/1", {"do": do, "lead": "Q-7F3K-29"}) for do in ("decline", "count", "suspend", "resume", "notice", "link")),
    *(("/affiliates/1", {"do": do, do: "forged@evil.example"}) for do in ("email", "paypal")),
    ("/content", {"do": "new", "kind": "article", "title": "A new one"}),
    ("/content", {"do": "cancel-build", "number": "1"}),
    *((TEXT, {"do": do, "f.title": "Forged", "text": "Forged", "languages": "en"}) for do in ("save", "withdraw")),
    (f"{TEXT}/history", {"number": "1"}),
    (WORDS, {"do": "save", **TRANSLATION}),
    ("/translations", {"do": "publish", "language": "th"}),
    ("/people", {"do": "everywhere"}),
    ("/people", {"do": "one", "number": "0"}),
)
ARTICLE = "---\ntitle: Estimates\ndate: 2029-01-01\n---\nText.\n"
FOREIGN = (
    None,
    "null",
    "",
    "https://evil.example",
    "http://localhost",
    "http://localhost:3001",
    "https://localhost:3000",
    "http://localhost:3000.evil.example",
    "http://localhost:3000/",
    "HTTP://LOCALHOST:3000",
    "http://127.0.0.1:3000",
    "http://localhost:3000, https://evil.example",
)
TOKENS = (None, "", "forged", "0" * 64, "é", "x" * 5000)
COOKIES = ("", "forged", "x" * 43, "' OR 1=1 --", "%00", "x" * 5000)
Sign = Callable[[str], Awaitable[Browser]]
Attempt = Awaitable[httpx.Response]


async def state(context: ApiContext) -> list[str]:
    """Returns everything that a change could alter, and the log."""
    rows = await context.store.read(lambda session: [repr(row) for table in WATCHED for row in session.exec(select(table))])
    return rows + list(map(str, await logged_actions(context)))


async def send(
    browser: Browser, path: str, form: dict[str, str], *, origin: str | None = ORIGIN, cookie: str, token: str | None
):
    headers = {b"Cookie": f"office={cookie}".encode()} | ({} if origin is None else {b"Origin": origin.encode()})
    sent = form if token is None else form | {"form_token": token}
    browser.client.cookies.clear()
    return await browser.client.post(f"/office{path}", data=sent, headers=headers)


@pytest.fixture
async def site(context: ApiContext, clock: Clock) -> ApiContext:
    """Stores a lead to release, a meeting to move, a mail to retry, a blocked time to open, and a partner to pay."""
    dead = abandoned_mail("Q-7F3K-29", clock() + timedelta(days=9))
    begin = clock() + timedelta(days=1, hours=-2)
    meeting = a_meeting(created_at=clock(), starts_at=begin, ends_at=begin + timedelta(minutes=30))
    blocked = BusyTime(source="blocked", starts_at=begin + timedelta(days=9), ends_at=begin + timedelta(days=10))
    applications = [an_application(reference=f"A-7F3K-2{number}", created_at=clock()) for number in (2, 3, 4)]
    await add_rows(context.store, a_quote(status="quarantined", created_at=clock()), meeting, dead, blocked, *applications)
    await context.store.write(partial(_with_partner, context=context))
    folder = context.settings.content_folder / "articles"
    folder.mkdir(parents=True)
    (folder / "estimates.md").write_text(ARTICLE, encoding="utf-8")
    await context.store.write(_with_drafts)
    return context


def _with_drafts(session: Session) -> None:
    actor = Actor(ADA, datetime(2029, 11, 1, tzinfo=UTC))
    drafts.save(session, TextKey("article", "estimates"), ARTICLE, actor, base="", published_text=None)
    drafts.save(
        session,
        TextKey("article", "estimates"),
        f"{ARTICLE}More.\n",
        actor,
        base=summary_of(ARTICLE).digest,
        published_text=None,
    )
    new_year = datetime(2031, 1, 1, tzinfo=UTC)
    changes = {"articles/estimates.md": b"x"}
    builds.request(session, changes, actor, not_before=new_year)


def _with_partner(session: Session, context: ApiContext) -> None:
    joined_at = datetime(2029, 11, 1, tzinfo=UTC)
    actor = Actor(ADA, joined_at)
    partner = program.approve(session, "A-7F3K-23", actor, name="Pat", settings=context.settings)
    session.add(Referral(lead="Q-7F3K-29", partner_id=partner.id or 0, first_submission_on=joined_at.date()))
    session.flush()
    payments.add_payment(session, PaymentEntry.model_validate(PAYMENT | {"reference": "INV-1"}), actor)


@dataclass(frozen=True)
class Cookies:
    """The cookies of people who are signed in, and of somebody who has signed out."""

    owner: str
    other_owner: str
    reader: str
    editor: str
    ended: str


@pytest.fixture
async def cookies(site: ApiContext, sign_in: Sign) -> Cookies:
    browsers = [await sign_in(person) for person in (ADA, BO, "cy@example.com", DI, ADA)]
    cookies = Cookies(*(browser.client.cookies["office"] for browser in browsers))
    await browsers[-1].post("/people", do="here")
    return cookies


def attacks(browser: Browser, path: str, form: dict[str, str], *, cookies: Cookies, selection: slice) -> list[Attempt]:
    """Returns attempts to make a change from elsewhere, without its form's token, or as somebody who may not."""
    attempt = partial(send, browser, path, form)
    token = sessions.form_token(cookies.owner)
    signed = form | {"form_token": token}
    cookie = {"Cookie": f"office={cookies.owner}"}
    attempts: list[Attempt] = [
        *(attempt(origin=origin, cookie=cookies.owner, token=token) for origin in FOREIGN[selection]),
        *(attempt(cookie=cookies.owner, token=forged) for forged in TOKENS[selection]),
        attempt(cookie=cookies.owner, token=sessions.form_token(cookies.other_owner)),
        attempt(cookie=cookies.other_owner, token=token),
        *(attempt(cookie=forged, token=sessions.form_token(forged)) for forged in COOKIES[selection]),
        attempt(cookie=cookies.ended, token=sessions.form_token(cookies.ended)),
        *(send(browser, path, bad_form, cookie=cookies.owner, token="") for bad_form in ({}, {"do": "nonsense"}, {"do": ""})),
        browser.client.get(f"/office{path}", params=signed, headers=cookie),
        browser.client.put(f"/office{path}", data=signed, headers=cookie | {"Origin": ORIGIN}),
    ]
    if path != "/people":  # a reader may end their own sessions
        attempts.append(attempt(cookie=cookies.reader, token=sessions.form_token(cookies.reader)))
    if not path.startswith(("/people", "/content", "/translations")):
        attempts.append(attempt(cookie=cookies.editor, token=sessions.form_token(cookies.editor)))
    return attempts


async def test_a_change_is_made_only_by_its_own_form(site: ApiContext, stranger: Browser, cookies: Cookies) -> None:
    """Tries every attack on the first change, and one attack of each kind on the others."""
    state_before = await state(site)

    for number, (path, form) in enumerate(CHANGES):
        selection = slice(None) if number == 0 else slice(1, 4)
        responses = [await attempt for attempt in attacks(stranger, path, form, cookies=cookies, selection=selection)]

        assert await state(site) == state_before, (path, form)
        assert {response.status_code for response in responses} <= {200, 303, 401, 403, 404, 405}, (path, form)


async def test_an_expired_session_changes_nothing(site: ApiContext, stranger: Browser, cookies: Cookies, clock: Clock) -> None:
    state_before, token = await state(site), sessions.form_token(cookies.owner)

    clock.advance(timedelta(hours=13))
    for path, form in CHANGES:
        if form.get("do") != "note" and not path.startswith((TEXT, WORDS)):  # these are kept for their writer
            await send(stranger, path, form, cookie=cookies.owner, token=token)
            assert await state(site) == state_before, (path, form)


@pytest.mark.parametrize(("way", "count"), [("forged", 40), ("replayed", 40), ("foreign", 12), ("expired", 20)])
async def test_invalid_links_begin_no_session(site: ApiContext, stranger: Browser, clock: Clock, way: str, count: int) -> None:
    link = await link_for(site, ADA)
    if way == "replayed":
        await stranger.post(link)
    if way == "expired":
        clock.advance(timedelta(minutes=11))
    stranger.client.cookies.clear()
    begun = len(await site.store.read(lambda session: session.exec(select(OfficeSession)).all()))

    for number in range(count):
        path = f"/enter/{'x' * number}-" if way == "forged" else link
        origin = FOREIGN[number] if way == "foreign" else ORIGIN
        headers = {} if origin is None else {b"Origin": origin.encode()}
        response = await stranger.client.post(f"/office{path}", headers=headers)
        assert response.status_code == 403
        assert "Set-Cookie" not in response.headers

    assert len(await site.store.read(lambda session: session.exec(select(OfficeSession)).all())) == begun


async def test_each_change_is_made_by_its_own_form(site: ApiContext, sign_in: Sign) -> None:
    """Prove that the changes work; otherwise the attacks above would prove nothing."""
    for path, form in CHANGES:
        if form.get("do") in ("undo", "erase", "one"):
            continue
        owner = await sign_in(ADA)
        state_before = await state(site)
        await owner.post(path, **(form | ({"status": "quarantined"} if "status" in form and path == QUOTE else {})))
        assert await state(site) != state_before, form


@pytest.mark.parametrize(
    "path",
    [
        *("?words=%00", "?kind=%00", "?status=%00", "?language=%00", "?after=2030-01-01T00:00:00_%00", "/leads.csv?words=a%00"),
        *(
            "/leads/%00",
            "/leads/%00/files/a",
            "/leads/Q-7F3K-29/files/%00",
            "/leads/%00/move",
            "/person.json?email=%00",
            "/enter/%00",
        ),
    ],
)
async def test_an_address_with_a_nul_character_is_refused(ada: Browser, path: str) -> None:
    """PostgreSQL rejects NUL in a text, which would be an internal error."""
    assert (await ada.get(path)).status_code == 400


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/calls", {"do": "block", "from": "2030-01-04", "why": "a\0b"}),
        ("/mail", {"do": "retry", "reference": "\0"}),
        ("/people", {"do": "one", "number": "\0"}),
        (QUOTE, {"do": "note", "text": "a\0b"}),
        (QUOTE, {"do": "handle", "status": "won\0", "owner": "\0", "version": "0\0"}),
    ],
)
async def test_a_form_with_a_nul_character_is_read_without_it(
    site: ApiContext, ada: Browser, path: str, form: dict[str, str]
) -> None:
    await add_rows(site.store, a_quote(reference="Q-2222-22"))

    response = await ada.post(path.replace("Q-7F3K-29", "Q-2222-22"), **form)

    assert response.status_code == 303
    assert "\0" not in "".join(await state(site))
