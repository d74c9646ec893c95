"""The country of a visitor, which is preselected in the phone input: from a table in this process, or from the service named by a setting."""

import asyncio
import time
from ipaddress import ip_address

import httpx
from iptocc import country_code

from site_app.contracts.fields import country_codes
from site_app.core.expiring_cache import ExpiringCache
from site_app.core.http.client_ip import network_of
from site_app.provider.outbox.public_addresses import is_public

_TIMEOUT_SECONDS = 0.8
_MAX_RESPONSE_BYTES = 512
_MAX_NETWORKS = 10_000
_KEEP_COUNTRY_SECONDS = 86_400
_KEEP_FAILURE_SECONDS = 60


class CountryLookup:
    """Looks up iptocc's table of address ranges or, if there is a `url`, asks that service. Its responses are cached per network."""

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._client = httpx.AsyncClient(
            timeout=_TIMEOUT_SECONDS,
            follow_redirects=False,
            trust_env=False,
            headers={"Accept-Encoding": "identity"},
            transport=transport,
        )
        self._cache = ExpiringCache[str](_MAX_NETWORKS, time.monotonic)

    async def country(self, client_ip: str) -> str:
        """Returns the two letters of the country, or "" if it is unknown."""
        if not self._url:
            return country_in_table(client_ip)
        network = network_of(client_ip, ipv4=24, ipv6=48)
        cached = self._cache.get(network)
        if cached is not None:
            return cached
        if not _may_be_asked_about(network):
            return ""
        country = await self._request_country(network)
        self._cache.put(network, country, _KEEP_COUNTRY_SECONDS if country else _KEEP_FAILURE_SECONDS)
        return country

    async def close(self) -> None:
        await self._client.aclose()

    async def _request_country(self, network: str) -> str:
        text = b""
        try:
            # httpx's timeout applies to each read, so a slow response needs a total timeout.
            async with (
                asyncio.timeout(_TIMEOUT_SECONDS),
                self._client.stream("GET", self._url.replace("{address}", network)) as response,
            ):
                if response.status_code != 200 or "Content-Encoding" in response.headers:
                    return ""
                async for chunk in response.aiter_bytes():
                    text += chunk
                    if len(text) > _MAX_RESPONSE_BYTES:
                        return ""
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError):
            return ""
        return country_in(text.decode("ascii", "replace"))


def country_in_table(client_ip: str) -> str:
    """Returns the country in which the address's range is registered, or "". Some ranges have none, or `EU`."""
    code = country_code(network_of(client_ip)) or ""
    return code if code in country_codes() else ""


def _may_be_asked_about(network: str) -> bool:
    try:
        return is_public(ip_address(network))
    except ValueError:
        return False


def country_in(text: str) -> str:
    """Parses the country from the service's answer, such as 1;GB;GBR;United Kingdom. Returns "" if it has none."""
    code = text.partition(";")[2][:2].upper()
    return code if text.startswith("1") and code in country_codes() else ""
