"""No request target causes a redirect to another host, and every response has a policy."""

import itertools
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message

from site_app.client import embedded, install
from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.serving.pages import ServedPages
from site_app.serving.plain_pages import plain_pages
from site_app.serving.site import Site
from tests.support.databases import migrated_database

pytestmark = pytest.mark.anyio
HOST = "localhost"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "X" * 200)
TARGETS = (
    "", "*", "evil:80", "evil.example", "http://evil.example/", "//evil.example", "//evil.example/", "///evil.example//", "/\\evil.example",
    "/\\/evil.example/", "/\t/evil.example", "/.//evil.example", "/th//evil.example/", "/th/\\evil.example", "/services//evil.example/",
    "//book", "//book/", "/th//book/", "/book//evil.example", "/book/\\evil.example", "/@evil.example/", "/v1.0//evil.example/",
    "/v1.0/sendMessage/", "/v1.0/countries/", "/v1.0/docs/", "/contact-us/", "/contact-us/sent/", "/book/", "/book/x/", "/meetings/x/",
    "/meetings/x/move/", "/confirm/x/", "/v1.0/pageView/", "/plain/x/", "/calendar/x.ics/", "/readyz/", "/healthz/", "/ping/", "/_event/",
    "/\r\nx-evil: 1/", "/\u0000/", "/" + "a" * 5000, "/.." * 300,
)  # fmt: skip
QUERIES = ("", "language=en", "language=th", "language=en&next=//evil.example", "a=" + "b" * 9000)

NO_PAGES = (
    *(("GET", f"/v1.0/{call}") for call in ("countries", "openapi.json", "nothing", "formToken")),
    *(("GET", path) for path in ("/readyz", "/healthz", "/calendar/x.ics", "/nowhere.js", "/nowhere")),
    *(("POST", "/v1.0/sendMessage"), ("POST", "/v1.0/pageView"), ("DELETE", "/v1.0/countries"), ("CONNECT", "evil:80")),
)


@dataclass
class Response:
    status: int
    headers: dict[str, str]


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ASGIApp]:
    with migrated_database(tmp_path) as database:
        free = "1000000/minute"
        settings = Settings(
            var=tmp_path, database_url=database, limit_reads=free, limit_submissions=free, limit_holds=free, limit_uploads=free
        )
        api = make_api(settings)
        static = tmp_path / "static"
        for page in ("", "faq", "contact-us", "th", "th/faq"):
            (static / page).mkdir(parents=True, exist_ok=True)
            (static / page / "index.html").write_text("<html></html>")
        install(embedded(api, settings))
        async with open_provider(api, settings):
            yield Site(
                backend=_backend,
                api=api,
                pages=ServedPages.of(static, settings),
                settings=settings,
                plain_pages=plain_pages(api.state),
            )


async def _backend(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"pong"})


async def ask(site: ASGIApp, method: str, target: str, query: str = "", headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Calls the app as a server that accepts every target as a path."""
    messages: list[Message] = []
    all_headers = [("host", f"{HOST}:3000"), ("x-api-key", "website"), *headers]
    scope = {
        "type": "http", "method": method, "path": target, "raw_path": target.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in all_headers], "client": ("203.0.113.7", 5), "http_version": "1.1",
        "scheme": "http", "server": ("evil.example", 80), "state": {},
    }  # fmt: skip

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    await site(scope, receive, send)
    return Response(
        messages[0]["status"], {name.decode().lower(): value.decode("latin-1") for name, value in messages[0]["headers"]}
    )


@pytest.mark.parametrize("method", METHODS)
async def test_no_target_leads_to_another_host(site: ASGIApp, method: str) -> None:
    for target, query in itertools.product(TARGETS, QUERIES):
        response = await ask(site, method, target, query, [("cookie", "lang=th"), ("referer", "http://localhost/th/faq")])

        location = response.headers.get("location", "/")
        assert location.startswith("/"), (method, target, location)
        assert not location.startswith(("//", "/\\")), (method, target, location)
        assert not set(location) & set("\r\n\t\\"), (method, target, location)
        assert response.status < 500 or response.status == 501, (method, target)


async def test_an_unknown_or_unsupported_method_is_refused(site: ASGIApp) -> None:
    for target in ("/", "/faq", "/v1.0/countries", "/contact-us", "evil:80", ""):
        assert [(await ask(site, method, target)).status for method in ("CONNECT", "TRACE", "PRI", "get")] == [501] * 4
    for target in ("/", "/faq", "/v1.0/countries", "/contact-us", "/book"):
        assert [(await ask(site, method, target)).status for method in ("PUT", "PATCH", "DELETE", "OPTIONS")] == [405] * 4


async def test_an_overlong_address_is_refused(site: ASGIApp) -> None:
    for target, query in (("/" + "a" * 1024, ""), ("/faq", "a=" + "b" * 4096), ("/book", "a&" * 3000)):
        assert (await ask(site, "GET", target, query)).status == 414


async def test_responses_other_than_pages_may_load_nothing_and_pages_keep_their_policy(site: ASGIApp) -> None:
    for method, target in NO_PAGES:
        response = await ask(site, method, target)
        assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'", target
    for target in ("/", "/faq", "/v1.0/docs", "/book"):
        policy = (await ask(site, "GET", target)).headers["content-security-policy"]
        assert (policy.startswith("default-src 'none'"), "style-src" in policy) == (True, True), target
