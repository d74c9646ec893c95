"""Lookups for forms: DNS says whether the domain of a mail address takes mail, a table or a service names the visitor's country.

DNS is asked while the form is still open, so that a mistyped address is noticed. The country is preselected in the phone input; it comes
from a table in this process, or from the service named by a setting.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address

import dns.name
import httpx
import structlog
from dns.asyncresolver import Resolver
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers
from iptocc import country_code

from site_app.contracts.fields import country_codes
from site_app.core.http.addresses import network_of
from site_app.provider.outbox.public_addresses import is_public

MAX_WAIT_SECONDS = 0.8
_ONE_SERVER_SECONDS = 0.3  # then the next server is asked, or the same one again, because packets get lost
_MAX_DOMAINS = 1000
_MAX_QUERIES_AT_ONCE = 50  # a flood of invented domains must not become a flood of DNS queries
_KEEP_DOMAIN_SECONDS = 3600
_PAUSE_SECONDS = 30

log = structlog.get_logger()


def own_resolver() -> Resolver:
    """Returns a resolver with this machine's current name servers."""
    resolver = Resolver()
    resolver.timeout = _ONE_SERVER_SECONDS
    return resolver


class MailDomains:
    """Caches answers. After an error the domain counts as valid for a while.

    If the name servers cannot resolve the root either, all domains count as valid for a while, without queries.
    """

    def __init__(self, resolver: Callable[[], Resolver] = own_resolver, clock: Callable[[], float] = time.monotonic) -> None:
        self._resolver = resolver
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, bool]] = OrderedDict()
        self._asking = 0
        self._silent_until = 0.0
        self._probe: asyncio.Task[None] | None = None

    async def takes_mail(self, domain: str) -> bool:
        """Returns False only if DNS says so. Errors return True, because a failing resolver must not cost a lead."""
        until, cached = self._cache.get(domain, (0.0, True))
        if until > self._clock():
            return cached
        if self._silent_until > self._clock() or self._asking >= _MAX_QUERIES_AT_ONCE:
            return True
        self._asking += 1
        try:
            return await self._ask(domain)
        finally:
            self._asking -= 1

    async def _ask(self, domain: str) -> bool:
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                takes_mail = await _takes_mail(self._resolver(), domain)
        except Exception as error:  # of any kind: an error is no proof against the domain
            log.warning("mail_domain.unknown", error=type(error).__name__)
            if not _is_about_one_domain(error) and (self._probe is None or self._probe.done()):
                self._probe = asyncio.create_task(self._ask_about_root())  # the visitor need not wait for it
            return self._keep(domain, takes_mail=True, seconds=_PAUSE_SECONDS)
        return self._keep(domain, takes_mail=takes_mail, seconds=_KEEP_DOMAIN_SECONDS)

    async def _ask_about_root(self) -> None:
        """Pauses all queries if the name servers fail even on the root, which every resolver has cached."""
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await _resolve_root(self._resolver())
        except Exception as error:
            log.warning("mail_domain.paused", error=type(error).__name__)
            self._silent_until = self._clock() + _PAUSE_SECONDS

    def _keep(self, domain: str, *, takes_mail: bool, seconds: float) -> bool:
        self._cache[domain] = (self._clock() + seconds, takes_mail)
        self._cache.move_to_end(domain)
        if len(self._cache) > _MAX_DOMAINS:
            self._cache.popitem(last=False)
        return takes_mail


async def _takes_mail(resolver: Resolver, domain: str) -> bool:
    try:
        exchanges = {record.exchange for record in await resolver.resolve(domain, "MX", raise_on_no_answer=False)}
        if not exchanges:
            await resolver.resolve_name(domain)  # without MX the domain's own address takes the mail, if it has one (RFC 5321)
    except (NXDOMAIN, NoAnswer):
        await _resolve_root(resolver)
        return False
    return exchanges != {dns.name.root}  # a null MX: no mail is taken (RFC 7505)


async def _resolve_root(resolver: Resolver) -> None:
    """Raises in a closed network, whose name servers answer NXDOMAIN for all outside names, including the root."""
    await resolver.resolve(dns.name.root, "NS")


def _is_about_one_domain(error: Exception) -> bool:
    """Returns True if a server answered with an error for this domain: it may still resolve others."""
    tried = error.kwargs.get("errors", ()) if isinstance(error, NoNameservers) else ()
    return any(response is not None for *_, response in tried)


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
        self._cache: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def country(self, address: str) -> str:
        """Returns the two letters of the country, or "" if it is unknown."""
        if not self._url:
            return country_in_table(address)
        network = network_of(address, ipv4=24, ipv6=48)
        until, cached = self._cache.get(network, (0.0, ""))
        if not _may_be_asked_about(network) or until > time.monotonic():
            return cached
        country = await self._request_country(network)
        self._cache[network] = (time.monotonic() + (_KEEP_COUNTRY_SECONDS if country else _KEEP_FAILURE_SECONDS), country)
        self._cache.move_to_end(network)
        if len(self._cache) > _MAX_NETWORKS:
            self._cache.popitem(last=False)
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
