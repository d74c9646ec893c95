"""The provider's texts for Thai and Chinese visitors contain no English."""

import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from site_app.client import embedded
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings
from tests.support.booking_pages import ELEVEN, NINE, book_in_browser, hold_time, inputs
from tests.support.builders import affiliate, meeting, message, quote
from tests.support.clients import client_of, plain_site
from tests.support.clock import Clock
from tests.support.latin import latin_words, visible_texts
from tests.support.uploads import PDF, archive, picture

pytestmark = pytest.mark.anyio
languages = pytest.mark.parametrize("language", ["th", "cn"])
ADA = {"full_name": "艾达", "email": "ada@example.com", "phone": "", "company": "公司", "do": "book"}
WRONG_FIELDS = {"email": "ada@nowhere", "phone": "12", "company": "公" * 200, "project_information": "公" * 6000}
# Messages to programmers, and names of fields that only programs send.
PROTOCOL = {"application", "json", "JSON", "multipart", "form-data", "API-Key"}


@languages
async def test_no_page_on_the_way_to_a_meeting_keeps_english(browser: httpx.AsyncClient, clock: Clock, language: str) -> None:
    prefix = f"/{language}"
    times = await browser.get(f"{prefix}/book?zone=America/New_York")
    no_choice = await browser.post(f"{prefix}/book", data={"zone": "UTC"})
    address = await hold_time(browser, prefix=prefix, zone="Pacific/Kiritimati")
    times_page_taken = await browser.post(f"{prefix}/book", data={"slot": NINE, "zone": "Asia/Bangkok"})
    form = await browser.get(address)
    refused = await browser.post(address, data=inputs(form.text) | {"slot": NINE} | ADA | WRONG_FIELDS)
    hasty = await browser.post(
        address, data=inputs(form.text) | {"slot": NINE} | ADA | {"website_url": "https://x.example.com"}
    )
    with_kept_words = await browser.post(address, data=inputs(form.text) | {"slot": NINE} | ADA | {"do": "keep"})
    clock.advance(timedelta(minutes=30))
    lapsed = await browser.get(address, follow_redirects=True)

    for page in (times, no_choice, times_page_taken, form, refused, hasty, with_kept_words, lapsed):
        assert latin_words(visible_texts(page.text), language) == set(), page.url


@languages
async def test_no_page_of_a_meeting_keeps_english(browser: httpx.AsyncClient, clock: Clock, language: str) -> None:
    path = await book_in_browser(browser, clock, f"/{language}", **ADA)
    pages = [await browser.get(f"{path}?done=booked"), await browser.get(f"{path}/move")]
    pages.append(await browser.post(f"{path}/move", data={}))
    await browser.post(f"{path}/move", data={"slot": ELEVEN})
    pages.append(await browser.get(f"{path}?done=moved"))
    await browser.post(path, data={"do": "cancel"})
    pages += [await browser.get(f"{path}?done=cancelled"), await browser.get(f"{path}/move")]
    pages.append(await browser.get(f"/{language}/meetings/{'x' * 43}"))

    for page in pages:
        assert latin_words(visible_texts(page.text), language) == set(), page.url


@languages
@pytest.mark.usefixtures("context")
async def test_no_answer_to_a_plain_form_keeps_english(
    monkeypatch: pytest.MonkeyPatch, api: Starlette, settings: Settings, language: str
) -> None:
    provider, failing_provider = embedded(api, settings), embedded(Starlette(), settings)
    forms = plain_site(settings)
    async with client_of(forms) as visitor:
        monkeypatch.setattr("site_app.client.calls._installed", [provider])
        refused = await visitor.post(f"/{language}/contact-us", data={"email": "ada@nowhere", "full_name": "艾"})
        monkeypatch.setattr("site_app.client.calls._installed", [failing_provider])
        failed = await visitor.post(
            f"/{language}/contact-us", data=message(full_name="艾达", subject="问题问题", message="问" * 20)
        )
        unread = await visitor.post(f"/{language}/contact-us", content=b"\xff" * 10)
        sent = await visitor.get(f"/{language}/contact-us/sent?reference=M-2345-67")
        doubted = await visitor.get(f"/{language}/contact-us/sent?reference=M-2345-67&check=1")

    await provider.close()
    await failing_provider.close()
    assert [page.status_code for page in (refused, failed, unread, sent, doubted)] == [422, 503, 400, 200, 200]
    for page in (refused, failed, unread, sent, doubted):
        assert latin_words(visible_texts(page.text), language) == set(), page.text


@languages
async def test_no_message_of_the_api_keeps_english(client: httpx.AsyncClient, token: str, clock: Clock, language: str) -> None:
    client.headers["Accept-Language"] = BY_ID[language].tag

    async def post(call: str, payload: Any, **options: Any) -> httpx.Response:
        return await client.post(f"/v1.0/{call}", json=payload, **options)

    calls = {"requestQuote": quote, "sendMessage": message, "submitAffiliateRequest": affiliate, "bookMeeting": meeting}
    wrong_fields = {"email": "x", "phone": "1", "full_name": "", "subject": "x", "company": "x" * 200, "company_website": "x"}
    responses = [
        await post(call, fields) for call, of in calls.items() for fields in ({}, of(**wrong_fields), of(email="a@b.invalid"))
    ]
    message_payload = message(token=token)
    responses += [
        await post("sendMessage", message_payload),
        await post("sendMessage", message_payload | {"message": "Other words than before."}),
    ]
    responses += [
        await post("requestQuote", quote(services=[], project_description="x", currency="XXX", attachments=["x" * 22])),
        await post("requestQuote", quote(services=["x"], attachments=[f"{count:022}" for count in range(9)])),
        await post("bookMeeting", meeting(slot="20010101T0900Z", token=token)),
        await client.post("/v1.0/sendMessage", content=b"{"),
        await client.post("/v1.0/sendMessage", content=b"{", headers={"Content-Type": "application/json"}),
        await client.post("/v1.0/sendMessage", content=b"x" * 200_000, headers={"Content-Type": "application/json"}),
        await client.delete("/v1.0/attachments/x"),
        await post("sendMessage", {}, headers={"X-API-Key": "nobody"}),
    ]

    assert {response.status_code for response in responses} >= {200, 400, 401, 404, 409, 413, 415, 422}
    for response in responses:
        assert _english(response, language) == set(), response.text


@languages
async def test_a_file_is_refused_in_the_visitors_words(client: httpx.AsyncClient, language: str) -> None:
    client.headers["Accept-Language"] = BY_ID[language].tag
    files = {
        "x.exe": b"MZ",
        "x.pdf": picture(),
        "empty.txt": b"",
        "x.png": picture()[:60],
        "x.zip": archive({"../x": b"x"}),
        "x.docx": archive({"[Content_Types].xml": b"x", "word/document.xml": b"x", "word/vbaProject.bin": b"x"}),
        "large.pdf": PDF + b"\0" * 11_000_000,
    }

    messages = {}
    for name, content in files.items():
        response = await client.post("/v1.0/attachments", files={"file": (name, content)})
        assert response.status_code in (413, 415)
        assert _english(response, language) == set()
        messages[name] = response.json()["error"]["message"]

    assert len(set(messages.values())) == len(files), "each reason has words of its own"


def _english(response: httpx.Response, language: str) -> set[str]:
    error = json.loads(response.text).get("error", {})
    fields = error.get("fields", {})
    return latin_words([error.get("message", ""), *fields.values()], language) - PROTOCOL - fields.keys()
