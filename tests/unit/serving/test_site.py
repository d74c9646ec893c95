"""Who answers what, and with which headers."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import brotli
import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from site_app.api.app import make_api
from site_app.http.paths import is_api
from site_app.serving.site import Site
from site_app.settings import Settings

PAGE = "<html><head><script>t()</script><style>a{}</style></head><body>{words}</body></html>"
PAGES = ("/", "/faq", "/th", "/th/faq", "/services/it-services-and-branding/web-development")
Ask = Callable[..., httpx.Response]

pytestmark = pytest.mark.anyio


async def _api(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("api", headers={"x-frame-options": "theirs"})(scope, receive, send)


async def _backend(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("backend")(scope, receive, send)


@pytest.fixture
def static(tmp_path: Path) -> Path:
    for path in PAGES:
        file = tmp_path / path.lstrip("/") / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, PAGE.replace("{words}", path))
    (tmp_path / "assets").mkdir()
    _write(tmp_path / "assets" / "boot-1234.js", "boot()")
    (tmp_path / "picture.png").write_bytes(bytes(range(200)))
    return tmp_path


def _write(file: Path, text: str) -> None:
    file.write_text(text)
    file.with_name(file.name + ".br").write_bytes(brotli.compress(text.encode()))
    file.with_name(file.name + ".gz").write_bytes(gzip.compress(text.encode()))


@pytest.fixture
def client(static: Path) -> httpx.AsyncClient:
    site = Site(backend=_backend, api=_api, static=static, settings=Settings())
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url="http://localhost:3000")


@pytest.mark.parametrize("asked", ["bytes=5-2", "bytes=999-", "lines=1-2"])
async def test_a_range_that_is_refused_is_refused_with_the_usual_headers(client: httpx.AsyncClient, asked: str) -> None:
    answer = await client.get("/picture.png", headers={"range": asked})

    assert answer.status_code in (200, 400, 416)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_answers_at_its_clean_address(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 200
    assert path in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/services", "/services/it-services-and-branding/web-development"),
        ("/services/?a=1", "/services/it-services-and-branding/web-development?a=1"),
        ("/legals?utm=x&y=%2F", "/legals/terms-of-service?utm=x&y=%2F"),
        ("/company", "/company/about-us"),
        ("/th/company", "/th/company/about-us"),
        ("/faq/", "/faq"),
        ("/th/", "/th"),
        ("/th/faq/?open=quote", "/th/faq?open=quote"),
    ],
)
async def test_what_has_moved_says_so_for_good(client: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await client.get(path)

    assert (answer.status_code, answer.headers["location"]) == (308, target)


@pytest.mark.parametrize(
    ("path", "target"), [("/nope", "/#page-not-found"), ("/th/nope", "/th#page-not-found"), ("/thx", "/#page-not-found")]
)
async def test_an_unknown_page_leads_home(client: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await client.get(path)

    assert (answer.status_code, answer.headers["location"]) == (302, target)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/assets/gone.js",
            "/_upload/x",
            "/_upload",
            "/x.png",
            "/flags/ZZ.svg",
            "/wp-login.php",
            "/.env",
            "/gone.webmanifest",
        ),
        *("/v2.0/countries", "/v1", "/insights", "/calendar"),
    ],
)
async def test_an_unknown_file_is_a_plain_404(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "OPTIONS"])
async def test_nothing_is_uploaded_to_reflex(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/_upload", files={"files": ("a.txt", b"x")})

    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["//evil.example/", "/%2F%2Fevil.example", "/\\evil.example", "/faq//", "//evil.example/.."])
async def test_no_redirect_leaves_the_site(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"http://localhost:3000{path}")

    location = answer.headers.get("location", "/")
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))


async def test_a_chosen_language_is_found_again(client: httpx.AsyncClient) -> None:
    answer = await client.get("/faq?x=1", headers={"cookie": "lang=th"})

    assert (answer.status_code, answer.headers["location"]) == (302, "/th/faq?x=1")
    assert answer.headers["cache-control"] == "no-store"
    assert "cookie" in answer.headers["vary"]


@pytest.mark.parametrize("cookie", ["lang=en", "lang=xx", "lang=", "lang", "other=th", "lang=th;evil\x01", "lang=../th"])
async def test_a_cookie_that_names_no_other_language_is_passed_over(client: httpx.AsyncClient, cookie: str) -> None:
    answer = await client.get("/faq", headers={"cookie": cookie})

    assert answer.status_code in (200, 302)
    assert answer.headers.get("location", "/th/faq") == "/th/faq"


async def test_the_address_wins_over_the_cookie(client: httpx.AsyncClient) -> None:
    answer = await client.get("/th/faq", headers={"cookie": "lang=cn"})

    assert answer.status_code == 200


@pytest.mark.parametrize("before", ["/th/faq", "/cn/faq?x=1", "/th/faq?y=/#z"])
async def test_english_chosen_without_scripts_takes_the_cookie_away(client: httpx.AsyncClient, before: str) -> None:
    answer = await client.get("/faq", headers={"cookie": "lang=th", "referer": f"http://localhost:3000{before}"})

    assert (answer.status_code, answer.text) == (200, PAGE.replace("{words}", "/faq"))
    assert answer.headers["set-cookie"] == "lang=en; Path=/; SameSite=Lax; Max-Age=0"
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "before",
    [
        *("", "/", "\xff", "http://", "http://localhost:3000", "http://localhost:3000/faq", "http://localhost:3000/th"),
        *("http://elsewhere.example/th/faq", "http://[/th/faq", "http://localhost@elsewhere.example/th/faq"),
    ],
)
async def test_any_other_way_to_an_english_page_is_no_choice(client: httpx.AsyncClient, before: str) -> None:
    answer = await client.get("/faq", headers={b"cookie": b"lang=th", b"referer": before.encode("latin-1")})

    assert (answer.status_code, answer.headers["location"]) == (302, "/th/faq")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("address", "location", "cookie"),
    [
        ("/th/book?zone=UTC&language=th&from=2030-01-04", "/th/book?zone=UTC&from=2030-01-04", "lang=th; Path=/; SameSite=Lax"),
        ("/cn/meetings/token-1?language=cn", "/cn/meetings/token-1", "lang=cn; Path=/; SameSite=Lax"),
        ("/confirm/token-1?language=en", "/confirm/token-1", "lang=en; Path=/; SameSite=Lax; Max-Age=0"),
        (
            "/contact-us/sent?reference=M-2345-67&language=en",
            "/contact-us/sent?reference=M-2345-67",
            "lang=en; Path=/; SameSite=Lax; Max-Age=0",
        ),
        ("/faq?language=en", "/faq", "lang=en; Path=/; SameSite=Lax; Max-Age=0"),
        ("/confirm/%5Cevil.example%0A?language=en", "/confirm/%5Cevil.example%0A", "lang=en; Path=/; SameSite=Lax; Max-Age=0"),
    ],
)
async def test_a_language_asked_for_is_remembered_under_an_address_that_does_not_ask(
    client: httpx.AsyncClient, address: str, location: str, cookie: str
) -> None:
    answer = await client.get(address)

    assert (answer.status_code, answer.headers["location"]) == (303, location)
    assert answer.headers.get_list("set-cookie") == [cookie]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "address",
    [
        *("/book?language=xx", "/th/book?language=cn", "/th/book?language=en", "/book?language=", "/book?languages=en"),
        *("/v1.0/countries?language=en", "/plain/0123456789ab.css?language=en", "/picture.png?language=en", "/?x=language=en"),
    ],
)
async def test_what_asks_for_no_language_of_its_own_sets_no_cookie(client: httpx.AsyncClient, address: str) -> None:
    answer = await client.get(address)

    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


async def test_a_form_posted_for_another_language_is_answered_with_the_cookie(client: httpx.AsyncClient) -> None:
    answer = await client.post("/th/book/details?zone=UTC&language=th")

    assert (answer.status_code, answer.text) == (200, "api")
    assert answer.headers.get_list("set-cookie") == ["lang=th; Path=/; SameSite=Lax"]


async def test_accept_language_never_redirects(client: httpx.AsyncClient) -> None:
    answer = await client.get("/faq", headers={"accept-language": "th"})

    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("br, gzip", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", None)]
)
async def test_the_best_encoding_is_sent(client: httpx.AsyncClient, accepted: str, encoding: str | None) -> None:
    answer = await client.get("/faq", headers={"accept-encoding": accepted})

    assert answer.headers.get("content-encoding") == encoding
    assert "/faq" in answer.text
    assert "accept-encoding" in answer.headers["vary"]


async def test_an_unchanged_page_is_not_sent_again(client: httpx.AsyncClient) -> None:
    etag = (await client.get("/faq")).headers["etag"]

    answer = await client.get("/faq", headers={"if-none-match": etag})

    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == etag


async def test_each_encoding_has_its_own_etag(client: httpx.AsyncClient) -> None:
    tags = {(await client.get("/faq", headers={"accept-encoding": one})).headers["etag"] for one in ("br", "gzip", "identity")}

    assert len(tags) == 3


async def test_head_has_the_headers_and_no_body(client: httpx.AsyncClient) -> None:
    answer = await client.head("/faq", headers={"accept-encoding": "identity"})

    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 0


async def test_hashed_files_are_kept_for_good(client: httpx.AsyncClient) -> None:
    answer = await client.get("/assets/boot-1234.js")

    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


async def test_a_picture_is_sent_in_parts(client: httpx.AsyncClient) -> None:
    answer = await client.get("/picture.png", headers={"range": "bytes=10-19"})

    assert (answer.status_code, answer.content) == (206, bytes(range(10, 20)))


@pytest.mark.parametrize(
    "path",
    [
        *(
            prefix + page
            for prefix in ("", "/th", "/cn")
            for page in (
                *("/book", "/book/details", "/confirm/token-1"),
                *("/meetings/token-1", "/meetings/token-1/move", "/meetings/token-1/call.ics"),
            )
        ),
        "/plain/0123456789ab.css",
        "/calendar/key.ics",
        "/v1.0/bookMeeting",
        "/readyz",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_api_answers_its_calls_and_its_plain_pages(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path)

    assert answer.text == "api"


def api_addresses() -> list[str]:
    """One for each route that the API has."""
    return [re.sub("{[^}]*}", "x", route.path) for route in make_api(Settings()).routes if isinstance(route, Route)]


def test_no_route_of_the_api_is_kept_from_it() -> None:
    assert [path for path in api_addresses() if not is_api(path)] == []


@pytest.mark.parametrize(
    "path", ["/bookkeeping", "/book/details/more", "/confirm", "/meetings", "/meetings/token/other", "/de/book"]
)
async def test_the_api_is_not_asked_for_what_only_looks_like_it(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 302
    assert answer.text != "api"


@pytest.mark.parametrize(("path", "target"), [("/book/", "/book"), ("/th/book/?zone=UTC", "/th/book?zone=UTC")])
async def test_a_plain_page_has_one_address(client: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await client.get(path)

    assert (answer.status_code, answer.headers["location"]) == (308, target)


async def test_a_plain_page_keeps_its_own_policies(static: Path) -> None:
    own = {"content-security-policy": "default-src 'none'", "Referrer-Policy": "same-origin"}

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("page", headers=own)(scope, receive, send)

    site = Site(backend=_backend, api=page, static=static, settings=Settings())
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url="http://localhost:3000")

    headers = (await client.get("/meetings/token-1")).headers

    assert headers.get_list("content-security-policy") == ["default-src 'none'"]
    assert headers.get_list("referrer-policy") == ["same-origin"]
    assert headers.get_list("x-content-type-options") == ["nosniff"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_pages_are_only_read(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/faq")

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.2"])
async def test_another_host_is_refused(client: httpx.AsyncClient, host: str) -> None:
    answer = await client.get("/", headers={"host": host})

    assert answer.status_code == 421


async def test_a_page_forbids_what_it_does_not_need(client: httpx.AsyncClient) -> None:
    policy = (await client.get("/")).headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == 2


@pytest.mark.parametrize("path", ["/", "/nope", "/assets/gone.js", "/services", "/v1.0/countries", "/ping", "/healthz"])
async def test_every_answer_carries_the_common_headers(client: httpx.AsyncClient, path: str) -> None:
    headers = (await client.get(path)).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers.get_list("x-frame-options") == ["DENY"]


async def test_a_script_carries_only_what_speaks_to_scripts(client: httpx.AsyncClient) -> None:
    headers = (await client.get("/assets/boot-1234.js")).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" not in headers


async def test_a_secure_site_asks_for_nothing_else(static: Path) -> None:
    settings = Settings(url="https://www.example.com")
    site = Site(backend=_backend, api=_api, static=static, settings=settings)
    secure = httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url="https://www.example.com")

    answer = await secure.get("/")
    chosen = await secure.get("/th/book?language=th")

    assert answer.headers["strict-transport-security"].startswith("max-age=63072000")
    assert chosen.headers["set-cookie"] == "lang=th; Path=/; SameSite=Lax; Secure"
    assert "wss://www.example.com" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_is_told_to_who_knows_the_address_alone(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path, headers={"host": "10.0.0.7:3000"})).status_code == 200


async def test_pages_of_another_host_may_read_what_the_api_answers(static: Path) -> None:
    settings = Settings(url="http://localhost:3000", backend_url="http://api.localhost:4000")
    site = Site(backend=_backend, api=_api, static=static, settings=settings)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url="http://api.localhost:4000")

    told = (await client.get("/v1.0/formToken")).headers
    page = (await client.get("/")).headers

    assert told["access-control-expose-headers"] == "date, retry-after"
    assert told.get_list("cross-origin-resource-policy") == ["cross-origin"]
    assert "access-control-expose-headers" not in page
    assert page["cross-origin-resource-policy"] == "same-origin"
