"""A lead or meeting that brings a partner's code is a referral of that partner; no code ever stops a lead."""

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from sqlmodel import Session

from site_app.provider.affiliates import program
from site_app.provider.http.call import ApiContext
from site_app.provider.leads import quarantine
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Lead, Meeting, Partner, Referral
from tests.support.builders import affiliate, meeting, message, quote
from tests.support.clock import Clock
from tests.support.records import an_application
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
Join = Callable[[int], Awaitable[Partner]]
SENDER = message()["email"]
FIELDS = {
    "full_name": "Ada Lovelace",
    "email": "ada@example.com",
    "subject": "A question",
    "message": "Do you write programs for machines?",
}


@pytest.fixture
def join(context: ApiContext, clock: Clock) -> Join:
    async def approved(number: int = 1) -> Partner:
        reference, joined_at = f"A-7F3K-2{number}", clock() - timedelta(days=9)

        def approve(session: Session) -> Partner:
            session.add(an_application(reference=reference, email=f"p@partner{number}.example", created_at=joined_at))
            session.flush()
            actor = Actor("o@agency.example", joined_at)
            return program.approve(session, reference, actor, name="Pat", settings=context.settings)

        return await context.store.write(approve)

    return approved


async def credited(context: ApiContext) -> list[tuple[str, int]]:
    return [(row.lead, row.partner_id) for row in await rows_in(context.store, Referral)]


@pytest.mark.parametrize(("call", "build"), [("sendMessage", message), ("requestQuote", quote)])
@pytest.mark.parametrize("as_query", [True, False])
async def test_a_lead_with_a_code_is_a_referral(
    client: httpx.AsyncClient,
    context: ApiContext,
    clock: Clock,
    token: str,
    join: Join,
    call: str,
    build: Callable[..., dict[str, Any]],
    as_query: bool,
) -> None:
    partner = await join(1)
    attribution = f"utm_source=news&ref={partner.code.lower()}" if as_query else {"ref": partner.code}

    response = await client.post(f"/v1.0/{call}", json=build(token=token, attribution=attribution))

    [referral] = await rows_in(context.store, Referral)
    assert (referral.lead, referral.partner_id) == (response.json()["reference"], partner.id)
    assert (referral.first_submission_on, referral.prior_contact_on, referral.resemblance) == (clock().date(), None, "")


async def test_a_meeting_with_a_code_is_a_referral(
    client: httpx.AsyncClient, context: ApiContext, token: str, join: Join
) -> None:
    partner = await join(1)
    request = meeting(token=token, slot="20300103T0930Z", attribution={"ref": partner.code})

    responses = [await client.post("/v1.0/bookMeeting", json=request) for _ in range(2)]

    [booked] = await rows_in(context.store, Meeting)
    assert [response.status_code for response in responses] == [200, 200]
    assert await credited(context) == [(booked.reference, partner.id)]


@pytest.mark.parametrize("code", ["A2C3D4E5", "A" * 5000, "' OR 1=1", "\0" * 8, "ﬁﬁﬁﬁﬁﬁﬁﬁ", 7, None, ["A2C3D4E5"], {"$ne": ""}])
async def test_a_lead_with_a_code_that_nobody_has_arrives_all_the_same(
    client: httpx.AsyncClient, context: ApiContext, token: str, join: Join, code: object
) -> None:
    await join(1)
    responses = [
        await client.post("/v1.0/sendMessage", json=message(token=token, attribution={"ref": code})),
        await client.post("/v1.0/bookMeeting", json=meeting(token=token, slot="20300103T0930Z", attribution={"ref": code})),
    ]

    assert [response.status_code for response in responses] == [200, 200]
    assert {row.kind for row in await rows_in(context.store, Lead)} == {"affiliate", "message"}
    assert await rows_in(context.store, Meeting)
    assert await credited(context) == []


async def test_a_query_with_a_code_of_5000_characters_stops_no_lead(
    client: httpx.AsyncClient, context: ApiContext, token: str, join: Join
) -> None:
    partner = await join(1)
    attribution = f"ref={partner.code}{'A' * 5000}"

    response = await client.post("/v1.0/sendMessage", json=message(token=token, attribution=attribution))

    assert response.status_code == 200
    assert await credited(context) == []


async def test_the_first_of_two_partners_keeps_the_customer_and_both_codes_are_seen(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, token: str, join: Join
) -> None:
    first, second = await join(1), await join(2)
    references = []
    for build, call, partner in ((message, "sendMessage", first), (quote, "requestQuote", second)):
        email, attribution = "Ada@Example.com", {"ref": partner.code}
        response = await client.post(f"/v1.0/{call}", json=build(token=token, email=email, attribution=attribution))
        references.append(response.json()["reference"])
        clock.advance(timedelta(days=1))

    codes = {row.reference: row.attribution.get("ref") for row in await rows_in(context.store, Lead)}
    assert await credited(context) == [(references[0], first.id)]
    assert [codes[reference] for reference in references] == [first.code, second.code]


async def test_a_repeated_submission_is_one_referral(
    client: httpx.AsyncClient, context: ApiContext, token: str, join: Join
) -> None:
    partner = await join(1)
    body = message(token=token, attribution={"ref": partner.code})

    responses = [await client.post("/v1.0/sendMessage", json=body) for _ in range(3)]

    assert {response.status_code for response in responses} == {200}
    assert len(await credited(context)) == 1


async def test_a_lead_in_quarantine_is_credited_when_it_is_released(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, join: Join
) -> None:
    partner = await join(1)
    response = await client.post("/v1.0/sendMessage", json=message(token="", attribution={"ref": partner.code}))
    reference, sent_on = response.json()["reference"], clock().date()
    credits_before = await credited(context)
    clock.advance(timedelta(days=2))

    release = partial(quarantine.release, settings=context.settings, tokens=context.tokens, now=clock())
    await context.store.write(lambda session: release(session, reference))

    [referral] = await rows_in(context.store, Referral)
    assert credits_before == []
    assert (referral.lead, referral.partner_id, referral.first_submission_on) == (reference, partner.id, sent_on)


@pytest.fixture
def release(context: ApiContext, clock: Clock) -> Callable[[str], Awaitable[bool]]:
    async def release_lead(reference: str) -> bool:
        options: dict[str, Any] = {"settings": context.settings, "tokens": context.tokens, "now": clock()}
        return await context.store.write(lambda session: quarantine.release(session, reference, **options))

    return release_lead


async def test_a_released_lead_and_a_later_one_of_the_same_partner_are_one_referral(
    client: httpx.AsyncClient,
    context: ApiContext,
    clock: Clock,
    token: str,
    join: Join,
    release: Callable[[str], Awaitable[bool]],
) -> None:
    partner = await join(1)
    attribution = {"ref": partner.code}
    waiting = await client.post("/v1.0/sendMessage", json=message(token="", attribution=attribution))
    clock.advance(timedelta(hours=1))
    later = await client.post("/v1.0/requestQuote", json=quote(token=token, attribution=attribution, email=SENDER))

    assert await release(waiting.json()["reference"])

    [referral] = await rows_in(context.store, Referral)
    assert (referral.lead, referral.prior_contact_on) == (later.json()["reference"], None)


@pytest.mark.parametrize("has_code", [True, False])
async def test_a_released_lead_is_an_earlier_contact_of_a_later_referral_of_another_partner(
    client: httpx.AsyncClient,
    context: ApiContext,
    clock: Clock,
    token: str,
    join: Join,
    release: Callable[[str], Awaitable[bool]],
    has_code: bool,
) -> None:
    first, second = await join(1), await join(2)
    attribution = {"ref": first.code} if has_code else {}
    waiting = await client.post("/v1.0/sendMessage", json=message(token="", attribution=attribution))
    sent_on = clock().date()
    clock.advance(timedelta(days=1))
    await client.post("/v1.0/requestQuote", json=quote(token=token, attribution={"ref": second.code}, email=SENDER))

    assert await release(waiting.json()["reference"])

    contacts = {row.partner_id: row.prior_contact_on for row in await rows_in(context.store, Referral)}
    assert contacts == ({first.id: None} if has_code else {}) | {second.id: sent_on}


async def test_an_application_to_the_program_is_no_referral(
    client: httpx.AsyncClient, context: ApiContext, token: str, join: Join
) -> None:
    partner = await join(1)

    response = await client.post("/v1.0/submitAffiliateRequest", json=affiliate(token=token, attribution={"ref": partner.code}))

    assert response.status_code == 200
    assert await credited(context) == []


@pytest.mark.parametrize("is_suspended", [True, False])
async def test_a_partner_who_is_suspended_or_has_left_gets_no_referral(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, token: str, join: Join, is_suspended: bool
) -> None:
    partner = await join(1)
    changes: dict[str, Any] = {"state": "suspended"} if is_suspended else {"ends_on": clock().date()}
    await context.store.write(lambda session: session.add(session.merge(Partner(**partner.model_dump() | changes))))

    response = await client.post("/v1.0/sendMessage", json=message(token=token, attribution={"ref": partner.code}))

    assert response.status_code == 200
    assert await credited(context) == []


@pytest.mark.parametrize("prefix", ["", "/th", "/cn"])
async def test_a_form_without_javascript_brings_the_code_of_its_page(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock, join: Join, prefix: str
) -> None:
    partner = await join(1)
    page = f"{prefix}/contact-us"
    referer = f"http://{browser.base_url.netloc.decode()}{page}?ref={partner.code}"
    refused = await browser.post(page, data=FIELDS | {"email": ""}, headers={"Referer": referer, "DNT": "1"})
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', refused.text))
    clock.advance(timedelta(minutes=1))

    await browser.post(page, data=FIELDS | hidden)

    [lead] = [row for row in await rows_in(context.store, Lead) if row.kind == "message"]
    assert await credited(context) == [(lead.reference, partner.id)]


async def test_a_plain_booking_from_the_page_of_a_partner_link_is_a_referral(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock, join: Join
) -> None:
    """The page of the link is static, so its link to /book carries no code: the browser names the page instead."""
    partner = await join(1)
    origin = f"http://{browser.base_url.netloc.decode()}"
    times = (await browser.get("/book", headers={"Referer": f"{origin}/?ref={partner.code}"})).text
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', times))
    details_page = await browser.post("/book", data=hidden | {"slot": "20300103T0900Z"})
    page = (await browser.get(details_page.headers["Location"])).text
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    clock.advance(timedelta(minutes=1))

    response = await browser.post(
        details_page.headers["Location"],
        data=hidden | {"slot": "20300103T0900Z", "full_name": "Ada", "email": "a@b.example.org"},
    )

    [row] = await rows_in(context.store, Meeting)
    assert response.status_code == 303
    assert await credited(context) == [(row.reference, partner.id)]
    for text in (times, page):
        assert f'class="brand" href="/?ref={partner.code}"' in text


@pytest.mark.parametrize("query", ["ref=%22%3E%3Cscript%3E", "ref=" + "K" * 5000, "utm_source=x", "ref=K7F3M29"])
async def test_links_of_plain_pages_carry_nothing_but_a_code(browser: httpx.AsyncClient, query: str) -> None:
    page = (await browser.get(f"/book?{query}")).text

    assert 'class="brand" href="/"' in page
    assert "<script>" not in page.replace('<script src="', "")


async def test_the_page_of_a_sent_form_leads_back_with_the_code(browser: httpx.AsyncClient, join: Join) -> None:
    partner = await join(1)

    response = await browser.post(f"/contact-us?ref={partner.code}", data=FIELDS)
    page = (await browser.get(response.headers["Location"])).text

    assert f'href="/contact-us?ref={partner.code}"' in page
