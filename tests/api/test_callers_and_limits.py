"""API keys, rate limits and caller addresses."""

from dataclasses import replace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from structlog.testing import capture_logs

from site_app.core.http.client_ip import client_ip, network_of
from site_app.core.http.limits import Limits
from site_app.core.settings import Settings
from site_app.provider.api.app import make_api, open_provider
from site_app.provider.http.call import ApiContext
from tests.support.builders import message
from tests.support.clients import client_of

pytestmark = pytest.mark.anyio


async def statuses(api: Starlette, times: int, **options: str) -> list[int]:
    async with client_of(api, X_API_Key="website", **options) as client:
        return [(await client.get("/v1.0/formToken")).status_code for _ in range(times)]


@pytest.mark.parametrize("key", ["", "stranger"])
async def test_a_caller_without_a_known_name_is_refused(client: httpx.AsyncClient, key: str) -> None:
    response = await client.get("/v1.0/countries", headers={"X-API-Key": key})

    assert (response.status_code, response.json()["error"]["code"]) == (401, "unknown_caller")


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/v1.0/nothing", 404), ("GET", "/v1.0/sendMessage", 405)])
async def test_missing_addresses_are_refused_in_the_same_shape(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await client.request(method, path)

    assert response.status_code == status
    assert set(response.json()["error"]) == {"code", "message", "fields"}


async def test_a_forwarded_address_counts_only_behind_our_own_proxy(settings: Settings) -> None:
    limited = replace(settings, limit_reads="1/hour", trusted_proxies=("10.0.0.0/8",))
    api = make_api(limited)

    async with open_provider(api, limited):
        direct = [await statuses(api, 1, X_Forwarded_For=f"198.51.100.{n}") for n in range(2)]
        proxied = [await statuses(api, 1, address="10.1.2.3", X_Forwarded_For=f"198.51.100.{n}") for n in range(2)]
        forged = [await statuses(api, 1, address="10.1.2.3", X_Forwarded_For=f"{n}.9.9.9, 198.51.100.99") for n in range(2)]

    assert direct == [[200], [429]]
    assert proxied == [[200], [200]]
    assert forged == [[200], [429]]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("embedded", "embedded"),
    ],
)
async def test_an_ipv6_household_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_without_redis_limits_still_apply_with_one_log_line() -> None:
    limits = Limits(Settings(redis_url="redis://127.0.0.1:1/0", limit_reads="1/minute"))

    with capture_logs() as lines:
        waits = [await limits.count_and_get_wait("reads", "x", "a") for _ in range(2)]

    assert waits == [0, 60]
    assert [line["event"] for line in lines] == ["limits.redis_gone"]


async def test_no_response_is_readable_by_another_site(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1.0/countries", headers={"Origin": "https://elsewhere.example"})

    assert not [name for name in response.headers if name.startswith("access-control")]


async def test_a_server_error_has_the_usual_shape_and_no_words_in_the_log(
    client: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("canary-7431")

    monkeypatch.setattr(context.store, "write_together", broken)
    response = await client.post("/v1.0/sendMessage", json=message(subject="canary-7431"))

    assert (response.status_code, response.json()["error"]["code"]) == (500, "failed")
    output = capsys.readouterr()
    assert "RuntimeError" in output.out + output.err
    assert "canary-7431" not in output.out + output.err


def test_of_several_forwarded_lines_the_proxys_own_is_the_last() -> None:
    lines = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"198.51.100.4")]
    connection = HTTPConnection({"type": "http", "client": ("10.0.0.1", 5), "headers": lines})

    assert client_ip(connection, Settings(trusted_proxies=("10.0.0.1",))) == "198.51.100.4"


@pytest.mark.parametrize("proxy", ["10.0.0.1", "10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:a00:0/104"])
@pytest.mark.parametrize("peer", ["10.0.0.1", "::ffff:10.0.0.1", "::FFFF:a00:1"])
def test_an_ipv4_proxy_is_trusted_on_a_socket_that_listens_on_ipv6(proxy: str, peer: str) -> None:
    settings = Settings(trusted_proxies=(proxy,))

    def address(forwarded: str) -> str:
        lines = [(b"x-forwarded-for", forwarded.encode())]
        return client_ip(HTTPConnection({"type": "http", "client": (peer, 5), "headers": lines}), settings)

    assert address("198.51.100.4") == "198.51.100.4"
    assert address("::ffff:198.51.100.4") == "198.51.100.4"
    assert address("2001:db8::4") == "2001:db8::4"


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("198.51.100.4:5678", "198.51.100.4"),
        ("[2001:db8::4]:443", "2001:db8::4"),
        ("[2001:db8::4]", "2001:db8::4"),
        ("[::ffff:198.51.100.4]:443", "198.51.100.4"),
        ("198.51.100.4:5678, 10.0.0.2:80", "198.51.100.4"),
        # No addresses: the last known one counts.
        ("198.51.100.4:x", "10.0.0.1"),
        ("[198.51.100.4:5678", "10.0.0.1"),
        ("unknown:80", "10.0.0.1"),
    ],
)
def test_a_port_that_a_gateway_adds_to_an_address_is_ignored(forwarded: str, address: str) -> None:
    lines = [(b"x-forwarded-for", forwarded.encode())]
    connection = HTTPConnection({"type": "http", "client": ("10.0.0.1", 5), "headers": lines})

    assert client_ip(connection, Settings(trusted_proxies=("10.0.0.0/8",))) == address


def test_a_visitor_on_ipv4_has_one_address_whatever_the_server_listens_on() -> None:
    connection = HTTPConnection({"type": "http", "client": ("::ffff:198.51.100.4", 5), "headers": []})

    assert client_ip(connection, Settings()) == "198.51.100.4"
