"""Asks DNS whether a domain takes mail, so that a mistyped address is noticed while the form is still open."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

import dns.name
import structlog
from dns.asyncresolver import Resolver
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers

LONGEST_WAIT_SECONDS = 0.8
_ONE_SERVER_SECONDS = 0.3  # then the next one is asked, or the same again: packets get lost
_MOST_KEPT = 1000
_MOST_AT_ONCE = 50  # a flood of invented domains must not become a flood of questions
_KEEP_SECONDS, _PAUSE_SECONDS = 3600, 30

log = structlog.get_logger()


def own_resolver() -> Resolver:
    """The name servers of this machine, as they are set at this moment."""
    resolver = Resolver()
    resolver.timeout = _ONE_SERVER_SECONDS
    return resolver


class MailDomains:
    """Keeps what it was answered; while name servers are silent, nobody waits for them."""

    def __init__(self, resolver: Callable[[], Resolver] = own_resolver, clock: Callable[[], float] = time.monotonic) -> None:
        self._resolver, self._clock = resolver, clock
        self._kept: OrderedDict[str, tuple[float, bool]] = OrderedDict()
        self._asking = 0
        self._silent_until = 0.0

    async def takes_mail(self, domain: str) -> bool:
        """False only where DNS says so: a resolver that fails must not cost a lead."""
        until, known = self._kept.get(domain, (0.0, True))
        if until > self._clock():
            return known
        if self._silent_until > self._clock() or self._asking >= _MOST_AT_ONCE:
            return True
        self._asking += 1
        try:
            return await self._ask(domain)
        finally:
            self._asking -= 1

    async def _ask(self, domain: str) -> bool:
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                found = await _takes_mail(self._resolver(), domain)
        except Exception as error:  # whatever failed, it proves nothing against the domain
            log.warning("mail_domain.unknown", error=type(error).__name__)
            if not _is_about_one_domain(error):
                self._silent_until = self._clock() + _PAUSE_SECONDS
            return True
        self._kept[domain] = (self._clock() + _KEEP_SECONDS, found)
        self._kept.move_to_end(domain)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return found


async def _takes_mail(resolver: Resolver, domain: str) -> bool:
    try:
        exchanges = {one.exchange for one in await resolver.resolve(domain, "MX", raise_on_no_answer=False)}
        if not exchanges:
            await resolver.resolve_name(domain)  # then its own address takes the mail, if it has one (RFC 5321)
    except (NXDOMAIN, NoAnswer):
        # Name servers of a closed network deny every outside name, the root's too: this raises there.
        await resolver.resolve(dns.name.root, "NS")
        return False
    return exchanges != {dns.name.root}  # nothing but a dot: no mail is taken (RFC 7505)


def _is_about_one_domain(error: Exception) -> bool:
    """Whether a server answered that it could not find out about this domain; it may still know others."""
    tried = error.kwargs.get("errors", ()) if isinstance(error, NoNameservers) else ()
    return any(response is not None for *_, response in tried)
