"""A webhook is signed, delivered once, and never sent to a private network."""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from site_app.core.settings.targets import signing_key
from site_app.provider.outbox.public_addresses import IpAddress, is_public
from site_app.provider.outbox.targets import Webhook, signature
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store.tables import Outbox
from tests.support.clock import Clock
from tests.support.outbox import NOW, a_row
from tests.unit.outbox.local_servers import Certificate, this_machine

pytestmark = pytest.mark.anyio
SECRET = "a secret of the agency's own"


@dataclass
class Receiver:
    response: bytes = b"HTTP/1.1 204 No Content\r\n\r\n"
    port: int = 0
    heads: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[1:-2]
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head)}
        self.heads.append(fields)
        self.bodies.append(await reader.readexactly(int(fields["content-length"])))
        writer.write(self.response)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def receiver(certificate: Certificate, response: bytes | None = None) -> AsyncIterator[Receiver]:
    crm = Receiver(response) if response else Receiver()
    server = await asyncio.start_server(crm, "127.0.0.1", 0, ssl=certificate.server)
    crm.port = server.sockets[0].getsockname()[1]
    async with server:
        yield crm


def webhook(port: int, certificate: Certificate, host: str = "crm.test") -> Webhook:
    return Webhook(
        f"https://{host}:{port}/hook?a=b",
        SECRET,
        clock=Clock(),
        resolve=this_machine,
        allowed=lambda address: True,
        trust=certificate.client,
    )


def event() -> Outbox:
    row = a_row(kind="webhook")
    row.message_id, row.payload = "Q-1.lead.created", {"type": "lead.created", "data": {"full_name": "Zoë"}}
    return row


async def test_the_receiver_can_verify_sender_content_and_time(certificate: Certificate) -> None:
    async with receiver(certificate) as crm:
        await webhook(crm.port, certificate).send(event())

    (head,), (body,) = crm.heads, crm.bodies
    stamp = str(int(NOW.timestamp()))
    expected = hmac.new(SECRET.encode(), b".".join((b"Q-1.lead.created", stamp.encode(), body)), hashlib.sha256).digest()
    assert json.loads(body)["data"]["full_name"] == "Zoë"
    assert (head["webhook-id"], head["webhook-timestamp"]) == ("Q-1.lead.created", stamp)
    assert head["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    assert head["host"] == f"crm.test:{crm.port}"


def test_the_signature_matches_the_standards_example() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    signed = signature(signing_key(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')

    assert signed == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("response", ["302 Found\r\nLocation: http://169.254.169.254/", "500 No"])
async def test_a_redirect_or_an_error_is_a_failed_delivery(certificate: Certificate, response: str) -> None:
    async with receiver(certificate, f"HTTP/1.1 {response}\r\nContent-Length: 0\r\n\r\n".encode()) as crm:
        with pytest.raises(NotDelivered, match=f"HTTP {response[:3]}"):
            await webhook(crm.port, certificate).send(event())

    assert len(crm.heads) == 1


async def test_the_certificate_must_name_the_host_although_an_address_is_called(certificate: Certificate) -> None:
    async with receiver(certificate) as crm:
        with pytest.raises(NotDelivered, match="ConnectError"):
            await webhook(crm.port, certificate, host="other.test").send(event())

    assert crm.heads == []


@pytest.mark.parametrize("addresses", [["93.184.215.14", "127.0.0.1"], []])
async def test_a_name_that_leads_to_a_private_address_is_not_called(addresses: list[str]) -> None:
    async def resolve(host: str, port: int) -> list[IpAddress]:
        return [ip_address(address) for address in addresses]

    hook = Webhook("https://crm.test/hook", SECRET, clock=Clock(), resolve=resolve)

    with pytest.raises(NotDelivered, match="PrivateAddress"):
        await hook.send(event())


@pytest.mark.parametrize("url", ["https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://2130706433/"])
async def test_this_machine_is_not_called_by_any_of_its_names(url: str) -> None:
    with pytest.raises(NotDelivered, match="PrivateAddress"):
        await Webhook(url, SECRET, clock=Clock()).send(event())


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "192.0.2.1",
        "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "fe80::1", "fc00::1", "ff0e::1",
        # IPv6 that carries an IPv4 address: compatible, translated, NAT64 (well-known and local), 6to4, Teredo
        "::10.0.0.1", "::127.0.0.1", "::8.8.8.8", "::ffff:0:10.0.0.1", "::ffff:0:8.8.8.8", "::ffff:169.254.169.254",
        "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "64:ff9b:1::a00:1", "64:ff9b:1:ffff::a00:1",
        "2002:a00:1::", "2002:7f00:1::1", "2001:0:a00:1::", "2001::f5ff:fffe",
        # site-local, discarded, documentation, unassigned, 6to4 relay
        "fec0::1", "feff::1", "100::1", "2001:db8::1", "3fff::1", "4000::1", "5f00::1", "192.88.99.1", "198.18.0.1", "240.0.0.1",
        # special-purpose networks that Python counts as global: protocol assignments, AS112, AMT
        "192.0.0.8", "192.0.0.9", "192.0.0.10", "192.31.196.1", "192.52.193.1", "192.175.48.1", "2620:4f:8000::1",
        "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:20::1", "2001:30::1", "100:0:0:1::1",
    ],
)  # fmt: skip
def test_reserved_addresses_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::6810:84e5", "::ffff:8.8.8.8"])
def test_other_addresses_are_public(address: str) -> None:
    assert is_public(ip_address(address))


def the_code_of_n8n() -> str:
    """The code node of the documents, as n8n runs it: the body of an async function."""
    page = (Path(__file__).parents[3] / "docs/operate/notifications.md").read_text()
    code = re.search(r"^```js\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert code
    return code[1]


def run_n8n(head: dict[str, str], body: bytes, secret: str) -> subprocess.CompletedProcess[str]:
    item = json.dumps({"json": {"headers": head}})
    script = (
        f"const $input = {{ first: () => ({item}) }}; const $env = {json.dumps({'WEBHOOK_KEY': secret})};"
        f"const node = {{ helpers: {{ getBinaryDataBuffer: async () => Buffer.from('{body.hex()}', 'hex') }} }};"
        f"(async function () {{ {the_code_of_n8n()} }}).call(node).then((items) => console.log(JSON.stringify(items)));"
    )
    return subprocess.run(["node", "-e", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("secret", [SECRET, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
@pytest.mark.parametrize(("change", "error"), [({}, ""), ({"body": b"{}"}, "wrong signature"), ({"age": 400}, "too old")])
async def test_n8n_takes_what_we_signed_and_nothing_else(
    certificate: Certificate, secret: str, change: dict[str, Any], error: str
) -> None:
    clock = Clock(datetime.now(UTC) - timedelta(seconds=change.get("age", 0)))
    async with receiver(certificate) as server:
        connection_options = {"resolve": this_machine, "allowed": lambda address: True, "trust": certificate.client}
        await Webhook(f"https://crm.test:{server.port}/", secret, clock=clock, **connection_options).send(event())

    result = await asyncio.to_thread(run_n8n, server.heads[0], change.get("body", server.bodies[0]), secret)

    if error:
        assert error in result.stderr
    else:
        assert json.loads(result.stdout) == [{"json": event().payload}], result.stderr
