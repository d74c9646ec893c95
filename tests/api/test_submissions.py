"""A lead is accepted once, stored with its mails, and never dropped."""

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlmodel import Session

from site_app.contracts.input import SPOKEN_ALPHABET
from site_app.provider.http.call import ApiContext
from site_app.provider.leads import pages
from site_app.provider.leads.erasing import delete_entries
from site_app.provider.leads.quarantine import release
from site_app.provider.outbox.mailboxes import MAILS_A_DAY
from site_app.provider.store.tables import Lead, Outbox
from tests.support.builders import affiliate, message, quote
from tests.support.clock import Clock
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio


async def test_a_quote_request_is_stored_as_it_was_sent(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    response = await client.post("/v1.0/requestQuote", json=quote(token=token, language="th", page="/th/faq"))

    assert response.status_code == 200, response.text
    [lead] = await rows_in(context.store, Lead)
    assert response.json() == {"ok": True, "reference": lead.reference, "quarantined": False, "mailed": True}
    assert (lead.kind, lead.status, lead.language, lead.source_page) == ("quote", "new", "th", "/th/faq")
    assert (lead.phone_e164, lead.own_fields["services"]) == ("+442079460958", ["web-development", "brand-creation"])


@pytest.mark.parametrize(("path", "letter"), [("requestQuote", "Q"), ("sendMessage", "M"), ("submitAffiliateRequest", "A")])
async def test_a_reference_has_no_ambiguous_characters(client: httpx.AsyncClient, path: str, letter: str) -> None:
    payload = {"requestQuote": quote, "sendMessage": message, "submitAffiliateRequest": affiliate}[path]()

    reference = (await client.post(f"/v1.0/{path}", json=payload)).json()["reference"]

    first, signs, last = reference.split("-")
    assert (first, len(signs), len(last)) == (letter, 4, 2)
    assert set(signs + last) <= set(SPOKEN_ALPHABET)
    assert not set("01OILSZB") & set(SPOKEN_ALPHABET)


async def test_the_same_key_a_hundred_times_at_once_makes_one_lead(
    client: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    payload = message(token=token)

    responses = await asyncio.gather(*(client.post("/v1.0/sendMessage", json=payload) for _ in range(100)))

    assert {response.status_code for response in responses} == {200}
    assert len({response.text for response in responses}) == 1
    assert len(await rows_in(context.store, Lead)) == 1
    assert len(await rows_in(context.store, Outbox)) == 2


async def test_an_old_key_with_new_words_is_refused(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    payload = message(token=token)
    await client.post("/v1.0/sendMessage", json=payload)

    response = await client.post("/v1.0/sendMessage", json=payload | {"subject": "Something else"})

    assert (response.status_code, response.json()["error"]["code"]) == (422, "key_reused")
    assert len(await rows_in(context.store, Lead)) == 1


async def test_trying_again_with_a_fresh_token_is_no_new_lead(
    client: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    payload = message(token=token)
    first = await client.post("/v1.0/sendMessage", json=payload)

    second = await client.post("/v1.0/sendMessage", json=payload | {"token": context.tokens.form_token()})

    assert second.json() == first.json()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"website_url": "https://spam.example"}, "honeypot"),
        ({"token": ""}, "no-token"),
        ({"token": "abc.def.ghi"}, "forged-token"),
    ],
)
async def test_submissions_that_look_automatic_are_quarantined(
    client: httpx.AsyncClient, context: ApiContext, token: str, change: dict[str, str], reason: str
) -> None:
    response = await client.post("/v1.0/sendMessage", json=message(token=token) | change)

    [lead] = await rows_in(context.store, Lead)
    assert response.json()["quarantined"] is True
    assert (lead.status, lead.status_reason) == ("quarantined", reason)
    assert [mail.template for mail in await rows_in(context.store, Outbox)] == ["confirmation"]


@pytest.mark.parametrize(("open_for", "reason"), [(timedelta(seconds=1), "too-fast"), (timedelta(days=8), "old-token")])
async def test_a_form_sent_too_soon_or_too_late_is_quarantined(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, open_for: timedelta, reason: str
) -> None:
    token = (await client.get("/v1.0/formToken")).json()["token"]
    clock.advance(open_for)

    await client.post("/v1.0/sendMessage", json=message(token=token))

    assert [lead.status_reason for lead in await rows_in(context.store, Lead)] == [reason]


async def test_a_quarantined_lead_is_released_by_the_button_and_not_by_a_get_request(
    client: httpx.AsyncClient, context: ApiContext
) -> None:
    reference = (await client.post("/v1.0/sendMessage", json=message())).json()["reference"]
    link = f"/confirm/{context.tokens.confirmation_token(reference)}"

    looked = await client.get(link)
    assert [lead.status for lead in await rows_in(context.store, Lead)] == ["quarantined"]
    pressed = await client.post(link)
    second_press = await client.post(link)

    assert [lead.status for lead in await rows_in(context.store, Lead)] == ["released"]
    assert [looked.status_code, pressed.status_code, second_press.status_code] == [200, 200, 200]
    assert "<button " in looked.text
    assert reference in pressed.text
    assert len(await rows_in(context.store, Outbox)) == 3


async def test_a_quarantined_sender_is_mailed_in_the_language_of_the_form(
    client: httpx.AsyncClient, context: ApiContext
) -> None:
    await client.post("/v1.0/sendMessage", json=message(language="th"))

    [mail] = await rows_in(context.store, Outbox)
    link = mail.payload["confirm_url"].removeprefix(context.settings.url)
    page = await client.get(link)

    assert link.startswith("/th/confirm/")
    assert 'lang="th"' in page.text


async def test_a_lead_erased_while_its_sender_confirms_it_is_reported_as_deleted(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = (await client.post("/v1.0/sendMessage", json=message())).json()["reference"]
    link = f"/confirm/{context.tokens.confirmation_token(reference)}"

    def erase_and_release(session: Session, *arguments: Any, **options: Any) -> bool:
        delete_entries(session, reference)
        return release(session, *arguments, **options)

    monkeypatch.setattr(pages, "release", erase_and_release)
    response = await client.post(link)

    assert response.status_code == 404
    assert "has been deleted" in response.text


async def test_a_forged_confirmation_releases_nothing(client: httpx.AsyncClient, context: ApiContext) -> None:
    await client.post("/v1.0/sendMessage", json=message())

    response = await client.post(f"/confirm/{context.tokens.form_token()}")

    assert response.status_code == 404
    assert 'href="/contact-us"' in response.text  # the page says to send us a new message
    assert [lead.status for lead in await rows_in(context.store, Lead)] == ["quarantined"]


async def test_faults_are_named_in_the_callers_language_and_shape(client: httpx.AsyncClient, context: ApiContext) -> None:
    payload = {"key": "k" * 16, "email": "ada@", "subject": "Hi"}
    response = await client.post("/v1.0/sendMessage", json=payload)
    in_thai = await client.post("/v1.0/sendMessage", json=payload, headers={"Accept-Language": "th"})

    assert response.status_code == 422
    error = response.json()["error"]
    assert set(error) == {"code", "message", "fields"}
    assert error["fields"].keys() >= {"email", "full_name"}
    assert error["fields"] != in_thai.json()["error"]["fields"]
    assert await rows_in(context.store, Lead) == []


async def test_a_domain_on_the_list_is_refused(client: httpx.AsyncClient, change_settings: Callable[..., None]) -> None:
    change_settings(refused_email_domains=("throwaway.example.com",))

    response = await client.post("/v1.0/sendMessage", json=message(email="ada@throwaway.example.com"))

    assert response.status_code == 422
    assert response.json()["error"]["fields"].keys() == {"email"}


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 422),
        (b"{}", "text/plain", 415),
        (b"a=1", "application/x-www-form-urlencoded", 415),
        (b'{"x":"' + b"a" * 200_000 + b'"}', "application/json", 413),
        (b"[" * 5000, "application/json", 400),
        (b'{"key": NaN}', "application/json", 422),
        (b"\xff\xfe", "application/json", 400),
    ],
)
async def test_an_invalid_body_is_refused(client: httpx.AsyncClient, content: bytes, kind: str, status: int) -> None:
    response = await client.post("/v1.0/sendMessage", content=content, headers={"Content-Type": kind})

    assert response.status_code == status, response.text
    assert response.json()["error"]["code"]


async def test_a_withheld_mail_is_reported_also_on_a_repeated_request(client: httpx.AsyncClient, token: str) -> None:
    payloads = [message(token=token, email="ada@example.com") for _ in range(MAILS_A_DAY + 1)]

    async def mailed() -> list[bool]:
        return [(await client.post("/v1.0/sendMessage", json=payload)).json()["mailed"] for payload in payloads]

    assert await mailed() == [True] * MAILS_A_DAY + [False]
    assert await mailed() == [True] * MAILS_A_DAY + [False]


async def test_a_page_without_javascript_does_not_claim_a_withheld_mail_was_sent(browser: httpx.AsyncClient) -> None:
    pages = []
    for number in range(MAILS_A_DAY + 1):
        words = message(email="ada@example.com", subject=f"Question {number}")
        sent = await browser.post(
            "/contact-us", data={name: text for name, text in words.items() if name not in ("key", "token")}
        )
        pages.append((await browser.get(sent.headers["Location"])).text)

    says_so = ["email we’ve just sent you" in page for page in pages]
    assert says_so == [True] * MAILS_A_DAY + [False]


async def test_a_corrected_text_sent_twice_without_javascript_makes_one_more_lead(
    browser: httpx.AsyncClient, context: ApiContext
) -> None:
    fields = {name: text for name, text in message().items() if name != "key"}
    refused = await browser.post("/contact-us", data=fields | {"email": ""})
    form = fields | dict(re.findall(r'type="hidden" name="(key|token)" value="([^"]*)"', refused.text))
    await browser.post("/contact-us", data=form)

    corrected = form | {"message": "Back in the browser, then some other words."}
    pages = [await browser.post("/contact-us", data=corrected) for _ in range(2)]

    assert len({page.headers["Location"].partition("&")[0] for page in pages}) == 1
    assert len(await rows_in(context.store, Lead)) == 2
