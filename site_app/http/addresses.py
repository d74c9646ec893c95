"""The address that a request comes from, behind trusted proxies, and the network of that address."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

from site_app.settings import Settings

_MOST_PROXIES = 20  # addresses read of X-Forwarded-For, from its end
EMBEDDED = "embedded"  # the site itself, in this process; no socket has such an address


def address_of(request: HTTPConnection, settings: Settings) -> str:
    """The visitor's address: the last one in X-Forwarded-For that is not a trusted proxy's."""
    address = request.client.host if request.client else ""
    lines = request.headers.getlist("X-Forwarded-For")
    # a proxy may add a line of its own: the lines are one list, in which the nearest proxy is last
    forwarded = ",".join(lines).rsplit(",", _MOST_PROXIES)[-_MOST_PROXIES:] if lines else []
    while forwarded and _is_trusted(address, settings.trusted_proxies):
        candidate = forwarded.pop().strip()
        if not _is_address(candidate):
            break
        address = candidate
    return address


@lru_cache(maxsize=4096)
def network_of(address: str, *, ipv4: int = 32, ipv6: int = 48) -> str:
    """The network of the address: one customer may have a whole /48 of IPv6, and can change addresses within it at will."""
    if not _is_address(address):
        return address
    found = ip_address(address)
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return str(ip_network(f"{found}/{ipv6 if found.version == 6 else ipv4}", strict=False).network_address)


@lru_cache(maxsize=4096)
def _is_trusted(address: str, proxies: tuple[str, ...]) -> bool:
    if address == EMBEDDED:
        return True
    return _is_address(address) and any(ip_address(address) in ip_network(proxy, strict=False) for proxy in proxies)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return "%" not in text
