"""A request's body is read only after it is counted, and only as far as needed."""

from dataclasses import replace

import httpx
import pytest
from starlette.applications import Starlette

from site_app.client import embedded, install
from site_app.contracts.fields import MAX_FILE_BYTES
from site_app.core.http.bodies import MAX_BODY_BYTES
from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.office.pages import office_routes
from tests.support.clients import client_of, plain_site

pytestmark = pytest.mark.anyio


class Parts:
    """A body in parts that counts how many were read."""

    def __init__(self, *parts: bytes, ending: bytes = b"", times: int = 0) -> None:
        self._parts, self._ending, self._times = parts, ending, times
        self.read = 0

    async def __aiter__(self):
        for part in (*self._parts, *(self._ending for _ in range(self._times))):
            self.read += 1
            yield part


async def test_page_views_beyond_the_limit_are_not_read(settings: Settings) -> None:
    limited = replace(settings, limit_reads="1/minute")
    api = make_api(limited)
    first, second = Parts(b'{"path":"/faq"}'), Parts(b'{"path":"/faq"}')

    async with open_provider(api, limited), client_of(api, X_API_Key="website") as client:
        for body in (first, second):
            assert (await client.post("/v1.0/pageView", content=body)).status_code == 202

    assert first.read == 1
    assert second.read == 0


async def test_a_contact_form_beyond_the_limit_is_not_read(settings: Settings) -> None:
    install(embedded(Starlette(), settings))
    forms = plain_site(replace(settings, limit_reads="1/minute"))
    first, second = Parts(b"do=nothing"), Parts(b"do=nothing")

    async with client_of(forms) as client:
        responses = [await client.post("/contact-us?language=en", content=body) for body in (first, second)]

    assert responses[1].status_code == 429
    assert (first.read, second.read) == (1, 0)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/v1.0/sendMessage", 413), ("/v1.0/releaseHold", 413), ("/meetings/unknown", 404), ("/v1.0/pageView", 202)],
)
async def test_a_body_declared_too_large_is_not_read(client: httpx.AsyncClient, path: str, status: int) -> None:
    for length in (str(MAX_BODY_BYTES + 1), "9" * 5000):
        body = Parts(b"{}")
        headers = {"Content-Type": "application/json", "Content-Length": length}
        response = await client.post(path, content=body, headers=headers)

        assert response.status_code == status
        assert body.read == 0


@pytest.mark.parametrize("length", ["9" * 4301, "0" * 4301 + "5", "0" * 5000, "9" * 15_000, "²" * 9, "-5", "+5", "5, 5", ""])
@pytest.mark.parametrize("path", ["/v1.0/attachments", "/v1.0/sendMessage", "/v1.0/releaseHold", "/office/sign-in"])
async def test_no_content_length_causes_a_server_error(settings: Settings, path: str, length: str) -> None:
    limited = replace(settings, office=("ada@example.com:owner",), limit_uploads="1/hour", limit_submissions="1/hour")
    api = make_api(limited, extra_routes=office_routes(limited))
    kind = "multipart/form-data; boundary=x" if path.endswith("attachments") else "application/json"
    headers = {b"X-API-Key": b"website", b"Origin": b"http://localhost:3000", b"Content-Type": kind.encode()}
    headers[b"Content-Length"] = length.encode("latin-1")

    async with open_provider(api, limited), client_of(api) as client:
        response = await client.post(path, content=Parts(b"{}"), headers=headers)
        second = await client.post(path, content=Parts(b"{}"), headers=headers)

    assert response.status_code < 500
    if path.endswith("attachments"):
        assert response.status_code in (400, 413)
        assert second.status_code == 429


_HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx'


@pytest.mark.parametrize(
    ("first", "ending", "max_chunks"),
    [
        (b"", b"\r\n" * 2048, 3),
        (b"--x\r\n", b"a:" + b"b" * 4000, 3),
        (b"--x\r\n", b"a:b\r\n" * 800, 3),
        (_HEAD + b"\r\n--x--", b"\r\n" * 32768, MAX_FILE_BYTES // 65536 + 2),
        (_HEAD, b"a" * 65536, MAX_FILE_BYTES // 65536 + 2),
    ],
    ids=["before the form", "in a header", "in headers", "behind the form", "in the file"],
)
async def test_a_form_without_end_is_refused_in_time(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, first: bytes, ending: bytes, max_chunks: int
) -> None:
    monkeypatch.setattr("site_app.provider.leads.endpoints._DRAIN_SECONDS", 0.0)
    body = Parts(first, ending=ending, times=10_000)
    response = await client.post("/v1.0/attachments", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})

    assert response.status_code in (400, 413)
    assert body.read <= max_chunks + 2


async def test_a_reply_to_thousands_of_faults_is_short(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1.0/sendMessage", json={f"field {number}": 1 for number in range(5_000)})

    assert response.status_code == 422
    assert len(response.content) < 1000
