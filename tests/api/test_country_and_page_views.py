"""Requests that browsers send by themselves: the country of an address, and page views."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest
from sqlmodel import Session, select
from starlette.applications import Starlette

from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.http.call import ApiContext
from site_app.provider.insights import page_views, visitor_country
from site_app.provider.insights.visitor_country import CountryLookup, country_in_table
from site_app.provider.store import Store, StoreUnavailable
from site_app.provider.store.tables import PageView
from tests.support.clients import client_of

pytestmark = pytest.mark.anyio

Respond = Callable[[httpx.Request], httpx.Response]


def looking_up(respond: Respond) -> CountryLookup:
    return CountryLookup("https://ip.example/{address}", httpx.MockTransport(respond))


async def test_the_country_is_parsed_from_the_services_text(client: httpx.AsyncClient) -> None:
    lookup = looking_up(lambda request: httpx.Response(200, text="1;TH;THA;Thailand"))

    assert await lookup.country("8.8.8.8") == "TH"
    await lookup.close()


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="0;;;"),
        httpx.Response(200, text="1;ZZ;ZZZ;Reserved"),
        httpx.Response(200, text="1"),
        httpx.Response(200, content=b"\xff" * 100),
        httpx.Response(200, text="1;GB;" + "x" * 10_000_000),
        httpx.Response(302, headers={"Location": "http://169.254.169.254/"}),
        httpx.Response(500, text="1;GB"),
        httpx.ConnectTimeout("down"),
    ],
)
async def test_any_other_response_is_a_failure(response: httpx.Response | Exception) -> None:
    def respond(_: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        return response

    lookup = looking_up(respond)

    assert await lookup.country("8.8.8.8") == ""
    await lookup.close()


async def test_a_network_is_looked_up_once_and_never_by_its_full_address() -> None:
    paths: list[str] = []

    def respond(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(200, text="1;GB;GBR;United Kingdom")

    lookup = looking_up(respond)
    for address in ("8.8.8.8", "8.8.8.9", "2606:4700:1:2::1", "2606:4700:1:3::1", "192.168.1.4", "nonsense"):
        await lookup.country(address)
    await lookup.close()

    assert paths == ["/8.8.8.0", "/2606:4700:1::"]


@pytest.mark.parametrize(
    ("address", "country"),
    [
        ("8.8.8.8", "US"),
        ("::ffff:8.8.8.8", "US"),
        ("2001:4860:4860::8888", "US"),
        ("192.168.1.4", ""),
        ("2001:db8::1", ""),
        ("fe80::1%eth0", ""),
        ("nonsense", ""),
        ("", ""),
    ],
)
async def test_without_a_service_the_country_comes_from_a_local_table(address: str, country: str) -> None:
    lookup = CountryLookup("", httpx.MockTransport(lambda request: pytest.fail("a service was asked")))

    assert await lookup.country(address) == country
    await lookup.close()


def test_an_unregistered_range_has_no_country(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor_country, "country_code", lambda address: "EU")

    assert country_in_table("192.0.2.1") == ""


@pytest.mark.parametrize(("address", "text"), [("8.8.8.8", "1;US"), ("10.0.0.1", "0")])
async def test_the_visitors_country_is_answered_by_the_address_of_the_request(
    api: Starlette, context: ApiContext, address: str, text: str
) -> None:
    async with client_of(api, address) as client:
        response = await client.get("/v1.0/visitorCountry")

    assert (response.status_code, response.text) == (200, text)


async def views(context: ApiContext) -> list[tuple[Any, ...]]:
    def counted(session: Any) -> list[tuple[Any, ...]]:
        rows = session.exec(select(PageView).order_by(PageView.path, PageView.referrer))
        return [(row.day, row.route, row.path, row.tag, row.language, row.referrer, row.count) for row in rows]

    await context.views.write(context.store)
    return await context.store.read(counted)


async def test_views_are_counted_by_day_page_and_referring_host(client: httpx.AsyncClient, context: ApiContext) -> None:
    view = {"path": "/th/faq", "route": "/faq", "referrer": "https://www.search.example/?q=private"}
    responses = [await client.post("/v1.0/pageView", json=view) for _ in range(3)]
    await client.post("/v1.0/pageView", json={"path": "/", "referrer": "http://localhost:3000/faq"})

    assert {response.status_code for response in responses} == {202}
    today = context.clock().date()
    assert await views(context) == [
        (today, "", "", "", "", "search.example", 3),
        (today, "/", "/", "home", "en", "", 1),
        (today, "/faq", "/th/faq", "faq", "th", "", 3),
    ]


@pytest.mark.parametrize("url", ["https://www.example.com", "https://example.com"])
@pytest.mark.parametrize("referrer", ["https://www.example.com/faq", "https://example.com/", "https://www.example.org/"])
async def test_the_site_is_no_referring_site_with_or_without_www(settings: Settings, url: str, referrer: str) -> None:
    settings = replace(settings, url=url, hosts=("www.example.org",))
    api = make_api(settings, {"/faq": "faq"})
    async with open_provider(api, settings) as context, client_of(api) as client:
        await client.post("/v1.0/pageView", json={"path": "/faq", "referrer": referrer})

        assert [row[5] for row in await views(context)] == [""]


@pytest.mark.parametrize("host", ["api.example.net", "team.example.org"])
async def test_backend_and_office_are_no_referring_sites(settings: Settings, host: str) -> None:
    settings = replace(
        settings,
        url="https://www.example.com",
        backend_url="https://api.example.net",
        office=("ada@example.com:owner",),
        office_host="team.example.org",
    )
    api = make_api(settings, {"/faq": "faq"})
    async with open_provider(api, settings) as context, client_of(api) as client:
        await client.post("/v1.0/pageView", json={"path": "/faq", "referrer": f"https://{host}/faq"})

        assert [row[5] for row in await views(context)] == [""]


async def test_views_with_and_without_a_host_add_up_to_those_of_the_pages(
    client: httpx.AsyncClient, context: ApiContext
) -> None:
    today = context.clock().date()
    pair = PageView(day=today, path="/faq", referrer="old.example", route="/faq", tag="faq", language="en", count=4)
    await context.store.write(lambda session: session.add(pair))  # as releases before 0014 wrote them
    for referrer in ("https://search.example/", "https://search.example/", ""):
        await client.post("/v1.0/pageView", json={"path": "/", "referrer": referrer})
    await context.views.write(context.store)

    by_referrer, by_page, by_day = [
        await context.store.read(partial(page_views.views, by=by, first=today)) for by in ("referrer", "page", "day")
    ]

    assert list(by_referrer.items()) == [("old.example", 4), ("search.example", 2), ("", 1)]
    assert by_page == {"/faq": 4, "/": 3}
    assert by_day == {str(today): 7}


async def test_pages_and_hosts_of_a_day_take_a_row_each(client: httpx.AsyncClient, context: ApiContext) -> None:
    for path in ("/", "/faq", "/th/faq"):
        for host in ("a", "b", "c", "d"):
            await client.post("/v1.0/pageView", json={"path": path, "referrer": f"https://{host}.example/"})

    assert len(await views(context)) == 3 + 4


@pytest.mark.parametrize(
    "content",
    [
        b'{"path": "/wp-login.php"}',
        b'{"path": "/faq", "route": "/"}',
        b'{"path": "/faq", "visitor": "me"}',
        b"{",
        b'{"path": "/faq", "referrer": "' + b"x" * 5000 + b'"}',
    ],
)
async def test_an_invalid_page_view_is_not_counted_and_gets_an_empty_response(
    client: httpx.AsyncClient, context: ApiContext, content: bytes
) -> None:
    response = await client.post("/v1.0/pageView", content=content)

    assert (response.status_code, response.content) == (202, b"")
    assert await views(context) == []


async def test_forged_referrers_cannot_fill_the_table(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.insights.page_views.MAX_REFERRERS", 3)

    for n in range(10):
        await client.post("/v1.0/pageView", json={"path": "/", "referrer": f"https://spam{n}.example/"})

    assert [(row[5], row[6]) for row in await views(context)] == [
        ("other", 7),
        ("spam0.example", 1),
        ("spam1.example", 1),
        ("spam2.example", 1),
        ("", 10),
    ]


async def test_a_page_view_during_an_outage_is_counted_afterwards(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(context.store, "write", unavailable)
        responses = [await client.post("/v1.0/pageView", json={"path": "/faq"}) for _ in range(2)]
        with pytest.raises(StoreUnavailable):
            await context.views.write(context.store)
        responses.append(await client.post("/v1.0/pageView", json={"path": "/faq"}))

    assert {response.status_code for response in responses} == {202}
    assert [row[6] for row in await views(context)] == [3]


async def test_views_of_one_page_add_up_in_one_row(client: httpx.AsyncClient, context: ApiContext) -> None:
    for expected in (1, 2, 3):
        await client.post("/v1.0/pageView", json={"path": "/faq"})

        assert [row[6] for row in await views(context)] == [expected]


async def test_counted_page_views_are_written_before_a_process_ends(settings: Settings) -> None:
    api = make_api(settings, {"/faq": "faq"})
    async with open_provider(api, settings) as context, httpx.AsyncClient(transport=httpx.ASGITransport(api)) as client:
        await client.post("http://api.test/v1.0/pageView", json={"path": "/faq"})
        assert await context.store.read(rows) == []

    store = Store(settings.database_url)
    assert [row.count for row in await store.read(rows)] == [1]
    store.close()


def rows(session: Session) -> list[PageView]:
    return list(session.exec(select(PageView)))
