"""Asks DNS whether the domain of a mail address takes mail, while the form is still open, so that the visitor can correct a typo."""

import asyncio
import time
from collections.abc import Callable

import dns.name
import structlog
from dns.asyncresolver import Resolver
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers

from site_app.core.expiring_cache import ExpiringCache

MAX_WAIT_SECONDS = 0.8
_ONE_SERVER_SECONDS = 0.3  # then the next server is asked, or the same one again, because packets get lost
_MAX_DOMAINS = 1000
_MAX_QUERIES_AT_ONCE = 50  # a flood of invented domains must not become a flood of DNS queries
_KEEP_SECONDS = 3600
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
        self._cache = ExpiringCache[bool](_MAX_DOMAINS, clock)
        self._asking = 0
        self._silent_until = 0.0
        self._probe: asyncio.Task[None] | None = None

    async def takes_mail(self, domain: str) -> bool:
        """Returns False only if DNS says so. Errors return True, because a failing resolver must not cost a lead."""
        cached = self._cache.get(domain)
        if cached is not None:
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
            self._cache.put(domain, True, _PAUSE_SECONDS)
            return True
        self._cache.put(domain, takes_mail, _KEEP_SECONDS)
        return takes_mail

    async def _ask_about_root(self) -> None:
        """Pauses all queries if the name servers fail even on the root, which every resolver has cached."""
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await _resolve_root(self._resolver())
        except Exception as error:
            log.warning("mail_domain.paused", error=type(error).__name__)
            self._silent_until = self._clock() + _PAUSE_SECONDS


async def _takes_mail(resolver: Resolver, domain: str) -> bool:
    try:
        exchanges = {record.exchange for record in await resolver.resolve(domain, "MX", raise_on_no_answer=False)}
        if not exchanges:
            await resolver.resolve_name(domain)  # without MX the domain's own address takes the mail, if it has one (RFC 5321)
    except (NXDOMAIN, NoAnswer):
        await _resolve_root(resolver)
        return False
    return exchanges != {dns.name.root}  # a null MX: no mail is taken (RFC 7505)


async def text_records(resolver: Resolver, name: str) -> list[str]:
    """Returns the TXT records of the name, or none if DNS is sure that there are none; raises DNSException otherwise."""
    try:
        answer = await resolver.resolve(name, "TXT", raise_on_no_answer=False)
    except NXDOMAIN:
        await _resolve_root(resolver)
        return []
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]


async def _resolve_root(resolver: Resolver) -> None:
    """Raises in a closed network, whose name servers answer NXDOMAIN for all outside names, including the root."""
    await resolver.resolve(dns.name.root, "NS")


def _is_about_one_domain(error: Exception) -> bool:
    """Returns True if a server answered with an error for this domain: it may still resolve others."""
    tried = error.kwargs.get("errors", ()) if isinstance(error, NoNameservers) else ()
    return any(response is not None for *_, response in tried)
