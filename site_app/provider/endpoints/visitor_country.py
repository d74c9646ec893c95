"""The visitor's country, preselected in the phone input: from a table in this process, or from the service named by a setting."""

import asyncio
import time
from collections import OrderedDict
from ipaddress import ip_address

import httpx
from iptocc import country_code

from site_app.contracts.fields import country_codes
from site_app.core.http.addresses import network_of
from site_app.provider.outbox.public_addresses import is_public

_TIMEOUT_SECONDS = 0.8
_LONGEST_ANSWER = 512
_MOST_KEPT = 10_000
_KEEP_SECONDS, _KEEP_FAILURE_SECONDS = 86_400, 60


class CountryLookup:
    """Looks up iptocc's table of address ranges or, if there is a `url`, asks that service. Its answers are cached per network."""

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._client = httpx.AsyncClient(
            timeout=_TIMEOUT_SECONDS,
            follow_redirects=False,
            trust_env=False,
            headers={"Accept-Encoding": "identity"},
            transport=transport,
        )
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def country(self, address: str) -> str:
        """Returns the two letters of the country, or "" if it is unknown."""
        if not self._url:
            return country_in_table(address)
        network = network_of(address, ipv4=24, ipv6=48)
        until, cached = self._kept.get(network, (0.0, ""))
        if not _may_be_asked_about(network) or until > time.monotonic():
            return cached
        country = await self._ask(network)
        self._kept[network] = (time.monotonic() + (_KEEP_SECONDS if country else _KEEP_FAILURE_SECONDS), country)
        self._kept.move_to_end(network)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return country

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, network: str) -> str:
        text = b""
        try:
            # httpx's timeout applies to each read, so a slow answer needs a total timeout.
            async with (
                asyncio.timeout(_TIMEOUT_SECONDS),
                self._client.stream("GET", self._url.replace("{address}", network)) as answer,
            ):
                if answer.status_code != 200 or "Content-Encoding" in answer.headers:
                    return ""
                async for chunk in answer.aiter_bytes():
                    text += chunk
                    if len(text) > _LONGEST_ANSWER:
                        return ""
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError):
            return ""
        return country_in(text.decode("ascii", "replace"))


def country_in_table(address: str) -> str:
    """Returns the country in which the address's range is registered, or "". Some ranges have none, or `EU`."""
    code = country_code(network_of(address)) or ""
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
