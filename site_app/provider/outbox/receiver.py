"""A receiver outside: what is posted to it goes over https, without redirects, and never to an address in a private network."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from site_app.provider.outbox.senders import NotDelivered

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[Address]]]

_TIMEOUTS = httpx.Timeout(5.0, connect=2.0)
_TOTAL_SECONDS = 8.0
_GLOBAL_UNICAST = ip_network("2000::/3")  # all assigned IPv6 addresses; translators such as 64:ff9b::/96 are outside it
# IANA's special-purpose networks that `is_global` counts as public in some Python versions.
_SPECIAL_PURPOSE = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments: port control and TURN servers of the local network
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT relays
        "192.88.99.0/24",  # 6to4 relays
        "192.175.48.0/24",  # AS112
        "2001::/23",  # protocol assignments, among them Teredo, which embeds an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)


class Receiver:
    """An address to which JSON is posted. The host is looked up each time, and must be public."""

    def __init__(
        self,
        url: str,
        *,
        resolve: Resolve | None = None,
        allowed: Callable[[Address], bool] | None = None,
        trust: ssl.SSLContext | bool = True,
    ) -> None:
        self._url = httpx.URL(url)
        self._resolve, self._allowed, self._trust = resolve or self._looked_up, allowed or is_public, trust
        # A lookup goes on in its thread after we have given up on it. In a thread of its own it keeps nobody else's work waiting.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lookup")

    async def look_up(self) -> None:
        """Raises NotDelivered if the host does not resolve, or resolves to a private address. Sends no request."""
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                await self._public_address()
        except (OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None

    async def post(self, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Posts the body. Raises NotDelivered unless the reply is a 2xx; redirects are not followed."""
        head = {"Host": self._url.netloc.decode(), "Content-Type": "application/json", **(headers or {})}
        try:
            async with asyncio.timeout(_TOTAL_SECONDS):
                status = await self._post(body, head)
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise NotDelivered(type(error).__name__) from None
        if not 200 <= status < 300:
            raise NotDelivered(f"HTTP {status}")

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> int:
        # Connect to the address that was checked: a second lookup could return another one.
        address = await self._public_address()
        url = self._url.copy_with(host=str(address))
        # trust_env=False, because a proxy from the environment would resolve the host itself.
        async with httpx.AsyncClient(timeout=_TIMEOUTS, trust_env=False, verify=self._trust) as client:
            extensions = {"sni_hostname": self._url.host}
            async with client.stream("POST", url, content=body, headers=headers, extensions=extensions) as reply:
                return reply.status_code  # the body is not read

    async def _looked_up(self, host: str, port: int) -> list[Address]:
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        entries = await asyncio.get_running_loop().run_in_executor(self._thread, look_up)
        return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]

    async def _public_address(self) -> Address:
        addresses = await self._resolve(self._url.host, self._url.port or 443)
        if not addresses or not all(self._allowed(address) for address in addresses):
            raise NotDelivered("PrivateAddress")
        return addresses[0]


def is_public(address: Address) -> bool:
    """Returns True for an address reachable from the internet.

    Private, loopback, link-local, multicast and reserved addresses return False, and so do IPv6 addresses that lead to such an address.
    """
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        if address not in _GLOBAL_UNICAST:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in _SPECIAL_PURPOSE)
