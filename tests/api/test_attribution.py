"""A lead's attribution is stored and shown to the team, and never sent to a provider without that field."""

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from site_app.client import ProviderClient
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import Lead, Meeting, Outbox
from tests.support.booking_pages import inputs
from tests.support.builders import meeting, message
from tests.support.clock import Clock
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
QUERY = "utm_source=news&ref=ADA&landing_page=%2Ffaq&gclid=1"
ATTRIBUTION = {"utm_source": "news", "ref": "ADA", "landing_page": "/faq"}
FIELDS = {
    "full_name": "Ada Lovelace",
    "email": "ada@example.com",
    "subject": "A question",
    "message": "Do you write programs for machines?",
}


async def test_attribution_is_stored_on_lead_and_meeting(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    await client.post("/v1.0/sendMessage", json=message(token=token, attribution=QUERY))
    booked = await client.post("/v1.0/bookMeeting", json=meeting(token=token, slot="20300103T0930Z", attribution=ATTRIBUTION))

    assert booked.status_code == 200, booked.text
    assert [row.attribution for table in (Lead, Meeting) for row in await rows_in(context.store, table)] == [
        ATTRIBUTION,
        ATTRIBUTION,
    ]


async def test_only_the_teams_mail_contains_the_attribution(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    await client.post("/v1.0/sendMessage", json=message(token=token, attribution=QUERY))

    payloads = {row.template: row.payload for row in await rows_in(context.store, Outbox)}
    assert payloads["news"]["attribution"] == ATTRIBUTION
    assert "attribution" not in payloads["answer"]


async def test_no_lead_is_refused_for_its_attribution(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    response = await client.post("/v1.0/sendMessage", json=message(token=token, attribution=[{"utm_source": 1}]))

    assert response.status_code == 200
    [lead] = await rows_in(context.store, Lead)
    assert lead.attribution == {}


async def test_the_query_of_a_page_without_javascript_counts(browser: httpx.AsyncClient, context: ApiContext) -> None:
    referer = f"http://{browser.base_url.netloc.decode()}/contact-us?utm_source=news&gclid=1"

    await browser.post("/contact-us", data=FIELDS, headers={"Referer": referer})

    [lead] = await rows_in(context.store, Lead)
    assert lead.attribution == {"utm_source": "news", "landing_page": "/contact-us"}


async def test_a_form_shown_again_with_errors_keeps_the_attribution(browser: httpx.AsyncClient, context: ApiContext) -> None:
    referer = f"http://{browser.base_url.netloc.decode()}/contact-us?utm_source=news&ref=A2C3D4E5"
    refused = await browser.post("/contact-us", data=FIELDS | {"email": ""}, headers={"Referer": referer, "DNT": "1"})
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', refused.text))

    await browser.post("/contact-us", data=FIELDS | hidden)

    [lead] = await rows_in(context.store, Lead)
    assert lead.attribution == {"ref": "A2C3D4E5"}


async def test_the_plain_booking_passes_on_the_attribution(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    times = await browser.get("/book?utm_source=news")
    hidden = inputs(times.text)
    details_page = await browser.post("/book", data=hidden | {"slot": "20300103T0930Z"})
    details = details_page.headers["location"]

    assert parse_qs(parse_qs(urlsplit(details).query)["attribution"][0])["utm_source"] == ["news"]
    await browser.post(details, data={"full_name": "Ada Lovelace", "email": "ada@example.com"})
    [meeting] = await rows_in(context.store, Meeting)
    assert meeting.attribution == {"utm_source": "news", "landing_page": "/book"}


async def test_a_script_of_the_times_can_fill_in_the_attribution(browser: httpx.AsyncClient) -> None:
    page = (await browser.get("/book")).text
    zone_form, times_form = page.split('<form class="times"')

    assert ('name="attribution"' in zone_form, inputs(times_form)["attribution"]) == (False, "")


async def test_the_plain_booking_sends_what_the_form_says(browser: httpx.AsyncClient, context: ApiContext) -> None:
    """The booking dialog posts the attribution of its tab, which no address of the plain pages has."""
    typed = {"full_name": "Ada Lovelace", "email": "ada@example.com", "slot": "20300103T0930Z", "key": "0123456789abcdef"}
    address = "/book/details?zone=UTC&hold=a-name-of-our-own"
    handed_over = await browser.post(address, data=typed | {"attribution": QUERY, "do": "keep"})
    hidden = inputs(handed_over.text)
    refused = await browser.post(address, data=hidden | typed | {"email": "ada@"})
    thai_page = await browser.post(f"/th{address}&language=th", data=hidden | typed)
    for page in (refused, thai_page):
        assert inputs(page.text) == hidden | {"token": ""}

    await browser.post(address, data=hidden | typed)

    [meeting] = await rows_in(context.store, Meeting)
    assert meeting.attribution == ATTRIBUTION


async def test_long_marks_of_a_page_stay_below_the_limit_of_addresses(browser: httpx.AsyncClient, context: ApiContext) -> None:
    marks = urlencode(dict.fromkeys(("utm_source", "utm_medium", "utm_campaign"), "ก" * 100) | {"ref": "A2C3D4E5"})
    referer = f"http://{browser.base_url.netloc.decode()}/faq?{marks}"

    times = await browser.get("/book?zone=America/Argentina/ComodRivadavia", headers={"Referer": referer})
    hidden = inputs(times.text)
    details = await browser.post("/book", data=hidden | {"slot": "20300103T0930Z"})

    linked = [unescape(url) for url in re.findall(r'href="(/book\?[^"]+)"', times.text)]
    assert len(linked) > 5
    assert max(len(urlsplit(url).query) for url in (*linked, details.headers["Location"])) <= 4096
    await browser.post(details.headers["Location"], data={"full_name": "Ada Lovelace", "email": "ada@example.com"})
    [meeting] = await rows_in(context.store, Meeting)
    assert meeting.attribution == {
        "ref": "A2C3D4E5", "utm_source": "ก" * 100, "utm_medium": "ก" * 100, "landing_page": "/faq"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("form_token", "is_sent"),
    [((404, {}), False), ((200, {"token": "x"}), False), ((200, {"token": "x", "attribution": True}), True)],
)
async def test_attribution_is_not_sent_to_a_provider_without_it(
    form_token: tuple[int, dict[str, object]], is_sent: bool
) -> None:
    leads: list[dict[str, object]] = []

    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("formToken"):
            return httpx.Response(form_token[0], json=form_token[1])
        leads.append(json.loads(request.content))
        return httpx.Response(200, json={})

    provider = ProviderClient("http://provider.example", "", httpx.MockTransport(respond))
    await provider.submit("sendMessage", {"email": "a@b.example", "attribution": QUERY})

    assert [("attribution" in lead, lead["email"]) for lead in leads] == [(is_sent, "a@b.example")]
