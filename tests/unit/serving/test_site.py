"""Routing: the part of the site that answers each address, and its headers."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from site_app.core.http.paths import is_api
from site_app.core.settings import Settings
from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.serving.site import NON_PAGE_PATH, RESERVED_PARTS
from tests.unit.serving.small_site import PAGE, PAGES, api_addresses, client_of, write_page

Ask = Callable[..., httpx.Response]

pytestmark = pytest.mark.anyio


@pytest.fixture
def client(static: Path) -> httpx.AsyncClient:
    return client_of(static, Settings())


LANG = {"cookie": "lang=th"}
MOVED = {
    "/services": "/services/it-services-and-branding/web-development",
    "/services/?a=1": "/services/it-services-and-branding/web-development?a=1",
    "/legals?utm=x&y=%2F": "/legals/terms-of-service?utm=x&y=%2F",
    "/company": "/company/about-us",
    "/th/company": "/th/company/about-us",
    "/faq/": "/faq",
    "/th/": "/th",
    "/th/faq/?open=quote": "/th/faq?open=quote",
    "/book/": "/book",
    "/th/book/?zone=UTC": "/th/book?zone=UTC",
}
NOWHERE = {
    "/nope": "/#page-not-found",
    "/th/nope": "/th#page-not-found",
    "/thx": "/#page-not-found",
    # only looks like a page of the API
    "/bookkeeping": "/#page-not-found",
    "/book/details/more": "/#page-not-found",
    "/confirm": "/#page-not-found",
    "/meetings": "/#page-not-found",
    "/meetings/token/other": "/#page-not-found",
    "/xx/book": "/#page-not-found",
    "/insights": "/#page-not-found",  # only the script below it is accepted
}
NO_FILES = (
    *("/assets/gone.js", "/_upload/x", "/_upload", "/x.png", "/flags/ZZ.svg", "/wp-login.php", "/.env", "/gone.xml"),
    *("/v2.0/countries", "/v1", "/calendar"),
)
API_PAGES = [
    prefix + page
    for prefix in ("", "/th", "/cn")
    for page in (
        "/book",
        "/book/details",
        "/confirm/token-1",
        "/meetings/token-1",
        "/meetings/token-1/move",
        "/meetings/token-1/call.ics",
    )
]
ENGLISH = "lang=en; Path=/; SameSite=Lax; Max-Age=0"
LANGUAGE_CHOICES = {
    "/th/book?zone=UTC&language=th&day=2030-01-04": ("/th/book?zone=UTC&day=2030-01-04", "lang=th; Path=/; SameSite=Lax"),
    "/cn/meetings/token-1?language=cn": ("/cn/meetings/token-1", "lang=cn; Path=/; SameSite=Lax"),
    "/confirm/token-1?language=en": ("/confirm/token-1", ENGLISH),
    "/contact-us/sent?reference=M-2345-67&language=en": ("/contact-us/sent?reference=M-2345-67", ENGLISH),
    "/faq?language=en": ("/faq", ENGLISH),
    "/confirm/%5Cevil.example%0A?language=en": ("/confirm/%5Cevil.example%0A", ENGLISH),
}
NOT_CHOSEN = (
    *("/book?language=xx", "/th/book?language=cn", "/th/book?language=en", "/book?language=", "/book?languages=en"),
    *("/v1.0/countries?language=en", "/plain/0123456789ab.css?language=en", "/picture.png?language=en", "/?x=language=en"),
)
NO_CHOICE = (
    *("", "/", "\xff", "http://", "http://localhost:3000", "http://localhost:3000/faq", "http://localhost:3000/th"),
    *("http://elsewhere.example/th/faq", "http://[/th/faq", "http://localhost@elsewhere.example/th/faq"),
)


async def response_to(client: httpx.AsyncClient, path: str, **headers: str) -> tuple[int, str]:
    response = await client.get(path, headers=headers)
    return response.status_code, response.headers.get("location", "")


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_sent_as_html_that_is_revalidated(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)

    assert (response.status_code, path in response.text) == (200, True)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(("path", "target"), MOVED.items())
async def test_a_moved_address_is_redirected_for_good(client: httpx.AsyncClient, path: str, target: str) -> None:
    assert await response_to(client, path) == (308, target)


@pytest.mark.parametrize(("path", "target"), NOWHERE.items())
async def test_an_unknown_address_is_redirected_to_the_home_page(client: httpx.AsyncClient, path: str, target: str) -> None:
    assert await response_to(client, path) == (302, target)
    assert (await client.get(path)).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", NO_FILES)
async def test_a_missing_file_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)

    assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (404, "text/plain")


async def test_the_copy_of_the_home_page_for_other_hosts_is_not_served(static: Path) -> None:
    write_page(static / "404.html", PAGE)
    (static / "google1234.html").write_text("google-site-verification")

    async with client_of(static, Settings()) as client:
        copy, own_file = await client.get("/404.html"), await client.get("/google1234.html")

    assert (copy.status_code, own_file.status_code) == (404, 200)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_api_answers_its_calls_and_its_plain_pages(client: httpx.AsyncClient, method: str) -> None:
    for path in (*API_PAGES, "/plain/0123456789ab.css", "/calendar/key.ics", "/v1.0/bookMeeting", "/readyz"):
        assert (await client.request(method, path)).text == "api", path


async def test_pages_are_only_read_and_nothing_is_uploaded_to_reflex(client: httpx.AsyncClient) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        response = await client.request(method, "/faq")
        assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
    for method in ("GET", "POST", "PUT", "OPTIONS"):
        assert (await client.request(method, "/_upload", files={"files": ("a.txt", b"x")})).status_code == 404


async def test_the_language_cookie_redirects_only_addresses_without_a_language(client: httpx.AsyncClient) -> None:
    response = await client.get("/faq?x=1", headers=LANG)

    assert (response.status_code, response.headers["location"]) == (302, "/th/faq?x=1")
    assert response.headers["cache-control"] == "no-store"
    assert "cookie" in response.headers["vary"]
    assert await response_to(client, "/th/faq", cookie="lang=cn") == (200, "")


async def test_accept_language_never_redirects(client: httpx.AsyncClient) -> None:
    assert await response_to(client, "/faq", **{"accept-language": "th"}) == (200, "")


async def test_only_choosing_english_without_scripts_removes_the_cookie(client: httpx.AsyncClient) -> None:
    for previous_page in ("/th/faq", "/cn/faq?x=1", "/th/faq?y=/#z"):
        response = await client.get("/faq", headers=LANG | {"referer": f"http://localhost:3000{previous_page}"})

        assert (response.status_code, response.text) == (200, PAGE.replace("{words}", "/faq"))
        assert response.headers["set-cookie"] == ENGLISH
        assert "no-store" in response.headers["cache-control"]
    for previous_page in NO_CHOICE:
        response = await client.get("/faq", headers={b"cookie": b"lang=th", b"referer": previous_page.encode("latin-1")})

        assert (response.status_code, response.headers["location"]) == (302, "/th/faq")
        assert "set-cookie" not in response.headers


async def test_a_requested_language_is_remembered_and_removed_from_the_address(client: httpx.AsyncClient) -> None:
    for address, (location, cookie) in LANGUAGE_CHOICES.items():
        response = await client.get(address)

        assert (response.status_code, response.headers["location"]) == (303, location)
        assert response.headers.get_list("set-cookie") == [cookie]
        assert response.headers["cache-control"] == "no-store"
    for address in NOT_CHOSEN:
        response = await client.get(address)

        assert (response.status_code, "set-cookie" in response.headers) == (200, False), address
    posted = await client.post("/th/book/details?zone=UTC&language=th")
    assert (posted.status_code, posted.text) == (200, "api")
    assert posted.headers.get_list("set-cookie") == ["lang=th; Path=/; SameSite=Lax"]


async def test_the_best_encoding_is_sent_each_with_its_own_etag(client: httpx.AsyncClient) -> None:
    tags = set()
    for accepted, encoding in {
        "br, gzip": "br",
        "gzip": "gzip",
        "br;q=0, gzip": "gzip",
        "br; q=0.000, gzip": "gzip",
        "identity": None,
    }.items():
        response = await client.get("/faq", headers={"accept-encoding": accepted})

        assert response.headers.get("content-encoding") == encoding
        assert "/faq" in response.text
        assert "accept-encoding" in response.headers["vary"]
        tags.add(response.headers["etag"])
    assert len(tags) == 3


async def test_an_unchanged_page_is_not_sent_again_and_head_has_no_body(client: httpx.AsyncClient) -> None:
    head = await client.head("/faq")

    response = await client.get("/faq", headers={"if-none-match": head.headers["etag"]})

    assert (head.status_code, head.content, int(head.headers["content-length"]) > 0) == (200, b"", True)
    assert (response.status_code, response.content) == (304, b"")


async def test_hashed_files_are_cached_forever_without_the_headers_of_pages(client: httpx.AsyncClient) -> None:
    headers = (await client.get("/assets/boot-1234.js")).headers

    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" not in headers


@pytest.mark.parametrize(
    "path", ["assets/pictures/desk-1234-480.webp", "assets/pictures/desk-1234-480.avif", "cards/home.en.png"]
)
async def test_other_sites_may_show_the_pictures_of_feeds_and_cards(static: Path, path: str) -> None:
    """Web pages of feed readers, chats and search engines load them from here."""
    picture = static / path
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"pixels")

    headers = (await client_of(static, Settings()).get(f"/{path}")).headers

    assert headers["cross-origin-resource-policy"] == "cross-origin"


async def test_a_sharing_card_is_read_from_the_disk_with_the_headers_of_other_pictures(static: Path) -> None:
    card = static / "cards/home.en.png"
    card.parent.mkdir()
    card.write_bytes(b"first")
    client = client_of(static, Settings())
    first = await client.get("/cards/home.en.png")

    card.write_bytes(b"second")
    second = await client.get("/cards/home.en.png")
    unchanged = await client.get("/cards/home.en.png", headers={"if-none-match": second.headers["etag"]})
    card.unlink()
    removed = await client.get("/cards/home.en.png")

    assert (first.content, second.content, unchanged.status_code) == (b"first", b"second", 304)
    assert first.headers.keys() == (await client.get("/picture.png")).headers.keys()
    assert first.headers["cache-control"] == "public, max-age=86400"
    assert (removed.status_code, removed.headers["cache-control"]) == (404, "no-store")
    assert removed.headers["x-content-type-options"] == "nosniff"


async def test_manifests_are_revalidated_as_they_change_under_one_address(
    client: httpx.AsyncClient,
) -> None:
    headers = (await client.get("/manifests/1234.js")).headers

    assert headers["cache-control"] == "no-cache"
    assert headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize(
    "path", ["/feed.atom", "/th/feed.json", "/sitemap.xml", "/robots.txt", "/llms.txt", "/.well-known/security.txt"]
)
async def test_feeds_and_lists_of_pages_are_revalidated_like_pages(static: Path, path: str) -> None:
    file = static / path.lstrip("/")
    file.parent.mkdir(exist_ok=True)
    file.write_text("withdrawn tomorrow")
    client = client_of(static, Settings())

    listing = await client.get(path)
    unchanged = await client.get(path, headers={"if-none-match": listing.headers["etag"]})

    assert listing.headers["cache-control"] == "no-cache"
    assert (unchanged.status_code, unchanged.content, unchanged.headers["cache-control"]) == (304, b"", "no-cache")


def test_every_route_of_the_api_reaches_it() -> None:
    assert [path for path in api_addresses() if not is_api(path)] == []


async def test_a_plain_page_keeps_its_own_policies(static: Path) -> None:
    policies = {"content-security-policy": "default-src 'none'", "Referrer-Policy": "same-origin"}

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("page", headers=policies)(scope, receive, send)

    headers = (await client_of(static, Settings(), page).get("/meetings/token-1")).headers

    assert headers.get_list("content-security-policy") == ["default-src 'none'"]
    assert headers.get_list("referrer-policy") == ["same-origin"]
    assert headers.get_list("x-content-type-options") == ["nosniff"]


async def test_another_host_is_refused_except_for_health_checks(client: httpx.AsyncClient) -> None:
    for host in ("evil.example", "localhost.evil.example", "", "127.0.0.2"):
        assert (await client.get("/", headers={"host": host})).status_code == 421
    for path in ("/healthz", "/readyz"):
        assert (await client.get(path, headers={"host": "10.0.0.7:3000"})).status_code == 200


async def test_a_page_forbids_what_it_does_not_need(client: httpx.AsyncClient) -> None:
    policy = (await client.get("/")).headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == 2


async def test_every_answer_carries_the_common_headers(client: httpx.AsyncClient) -> None:
    for path in ("/", "/nope", "/assets/gone.js", "/services", "/v1.0/countries", "/ping", "/healthz"):
        headers = (await client.get(path)).headers

        assert headers["x-content-type-options"] == "nosniff", path
        assert headers.get_list("x-frame-options") == ["DENY"], path


async def test_a_secure_site_has_hsts_secure_cookies_and_a_secure_socket(static: Path) -> None:
    secure = client_of(static, Settings(url="https://www.example.com"))

    home = await secure.get("/")
    switched = await secure.get("/th/book?language=th")

    assert home.headers["strict-transport-security"].startswith("max-age=63072000")
    assert switched.headers["set-cookie"] == "lang=th; Path=/; SameSite=Lax; Secure"
    assert "wss://www.example.com" in home.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/v1.0/countries", "/healthz", "/readyz", "/nowhere"])
@pytest.mark.parametrize("hosts", [("localhost", "localhost"), ("localhost", "evil.example"), ("evil.example", "localhost")])
async def test_a_request_with_two_host_headers_is_refused(client: httpx.AsyncClient, path: str, hosts: tuple[str, ...]) -> None:
    response = await client.get(path, headers=[("Host", host) for host in hosts])

    assert response.status_code == 400


async def test_pages_of_another_host_may_read_what_the_api_answers(static: Path) -> None:
    settings = Settings(backend_url="http://api.localhost:4000")
    client = client_of(static, settings, base_url=settings.backend_url)

    headers = (await client.get("/v1.0/formToken")).headers
    page = (await client.get("/")).headers

    assert headers["access-control-expose-headers"] == "date, retry-after"
    assert headers.get_list("cross-origin-resource-policy") == ["cross-origin"]
    assert "access-control-expose-headers" not in page
    assert page["cross-origin-resource-policy"] == "same-origin"


def test_no_page_may_be_at_a_folder_that_the_build_writes() -> None:
    assert {ASSETS, MANIFESTS} <= {*RESERVED_PARTS}
    assert all(NON_PAGE_PATH.search(f"/{folder}/x") for folder in (ASSETS, MANIFESTS))
