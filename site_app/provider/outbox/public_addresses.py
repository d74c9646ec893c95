"""Requests to addresses of the internet only: a host name from the settings must not lead into a private network."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

IpAddress = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[IpAddress]]]

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


class PrivateAddress(httpx.TransportError):
    """The host resolves to no address, or to one in a private network."""


class PublicTransport(httpx.AsyncHTTPTransport):
    """Resolves the host of each request, raises PrivateAddress unless all its addresses are public, and connects to the one it checked.

    A second lookup could return another address. Proxies of the environment are ignored, because they would resolve the host themselves.
    """

    def __init__(
        self,
        *,
        resolve: Resolve | None = None,
        allowed: Callable[[IpAddress], bool] | None = None,
        trust: ssl.SSLContext | bool = True,
    ) -> None:
        super().__init__(verify=trust, trust_env=False)
        self._resolve = resolve or _looked_up
        self._allowed = allowed or is_public

    async def look_up(self, url: httpx.URL) -> IpAddress:
        """Returns the IP address to connect to. Raises PrivateAddress or OSError. Sends no request."""
        ips = await self._resolve(url.host, url.port or 443)
        if not ips or not all(self._allowed(ip) for ip in ips):
            raise PrivateAddress("the host is not public")
        return ips[0]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        ip = await self.look_up(request.url)
        to_ip = httpx.Request(
            request.method,
            request.url.copy_with(host=str(ip)),
            headers=request.headers,  # with the Host header of the name
            stream=request.stream,
            extensions=request.extensions | {"sni_hostname": request.url.host},
        )
        return await super().handle_async_request(to_ip)


def is_public(ip: IpAddress) -> bool:
    """Returns True for an IP address reachable from the internet.

    Private, loopback, link-local, multicast and reserved addresses return False, and so do IPv6 addresses that lead to such an address.
    """
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return is_public(ip.ipv4_mapped)
        if ip not in _GLOBAL_UNICAST:
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _SPECIAL_PURPOSE)


async def _looked_up(host: str, port: int) -> list[IpAddress]:
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    entries = await asyncio.get_running_loop().run_in_executor(_thread_for(host), look_up)
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]


@lru_cache(maxsize=64)
def _thread_for(host: str) -> ThreadPoolExecutor:
    # A lookup that timed out still occupies its thread. So each host has a thread of its own, and keeps no other host waiting.
    return ThreadPoolExecutor(1, thread_name_prefix="lookup")
