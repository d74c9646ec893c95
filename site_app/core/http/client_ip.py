"""The IP address and network of a client behind trusted proxies."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import HTTPConnection

from site_app.core.settings import Settings

_MAX_PROXIES = 20  # addresses read from the end of X-Forwarded-For
_MAPPED_BITS = 96  # of ::ffff:0:0/96, before the IPv4 address
# Azure's gateways add the port. Only an IPv6 address in brackets can have one.
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}", re.ASCII)
EMBEDDED = "embedded"  # the site itself, calling in this process; no real client has this address


def client_ip(request: HTTPConnection, settings: Settings) -> str:
    """Returns the visitor's IP address: the last one in X-Forwarded-For that is not a trusted proxy's. Converts IPv4-mapped IPv6 to IPv4."""
    ip = _unmapped(request.client.host) if request.client else ""
    lines = request.headers.getlist("X-Forwarded-For")
    # a proxy may add a separate header line: the lines form one list, with the nearest proxy last
    forwarded = ",".join(lines).rsplit(",", _MAX_PROXIES)[-_MAX_PROXIES:] if lines else []
    while forwarded and _is_trusted(ip, settings.trusted_proxies):
        candidate = _without_port(forwarded.pop().strip())
        if not _is_ip(candidate):
            break
        ip = _unmapped(candidate)
    return ip


@lru_cache(maxsize=4096)
def network_of(ip: str, *, ipv4: int = 32, ipv6: int = 48) -> str:
    """Returns the network of the IP address: one customer may have a whole IPv6 /48 and switch between its addresses at will."""
    if not _is_ip(ip):
        return ip
    parsed = _parsed(ip)
    return str(ip_network(f"{parsed}/{ipv6 if parsed.version == 6 else ipv4}", strict=False).network_address)


@lru_cache(maxsize=4096)
def _is_trusted(ip: str, proxies: tuple[str, ...]) -> bool:
    if ip == EMBEDDED:
        return True
    return _is_ip(ip) and any(_parsed(ip) in _parsed_network(proxy) for proxy in proxies)


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def _without_port(address: str) -> str:
    match = _WITH_PORT.fullmatch(address)
    return (match[1] or match[2]) if match else address


def _unmapped(ip: str) -> str:
    """Converts an IPv4-mapped IPv6 address to IPv4, because a socket on `::` reports IPv4 peers as ::ffff:a.b.c.d; returns other text unchanged."""
    return str(_parsed(ip)) if ":" in ip and _is_ip(ip) else ip


def _parsed(ip: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(ip)
    return (isinstance(parsed, IPv6Address) and parsed.ipv4_mapped) or parsed


def _parsed_network(network: str) -> IPv4Network | IPv6Network:
    parsed = ip_network(network, strict=False)
    if isinstance(parsed, IPv6Network) and parsed.prefixlen >= _MAPPED_BITS and parsed.network_address.ipv4_mapped:
        return ip_network(f"{parsed.network_address.ipv4_mapped}/{parsed.prefixlen - _MAPPED_BITS}")
    return parsed
