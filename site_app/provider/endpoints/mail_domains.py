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
    """Caches answers. After an error the domain counts as fine for a while; all domains do only if the name servers do not know the root either."""

    def __init__(self, resolver: Callable[[], Resolver] = own_resolver, clock: Callable[[], float] = time.monotonic) -> None:
        self._resolver, self._clock = resolver, clock
        self._kept: OrderedDict[str, tuple[float, bool]] = OrderedDict()
        self._asking = 0
        self._silent_until = 0.0
        self._probe: asyncio.Task[None] | None = None

    async def takes_mail(self, domain: str) -> bool:
        """False only where DNS says so: a resolver that fails must not cost a lead."""
        until, cached = self._kept.get(domain, (0.0, True))
        if until > self._clock():
            return cached
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
                takes_mail = await _takes_mail(self._resolver(), domain)
        except Exception as error:  # whatever failed, it proves nothing against the domain
            log.warning("mail_domain.unknown", error=type(error).__name__)
            if not _is_about_one_domain(error) and (self._probe is None or self._probe.done()):
                self._probe = asyncio.create_task(self._ask_about_root())  # the visitor need not wait for it
            return self._keep(domain, takes_mail=True, seconds=_PAUSE_SECONDS)
        return self._keep(domain, takes_mail=takes_mail, seconds=_KEEP_SECONDS)

    async def _ask_about_root(self) -> None:
        """Pause if the name servers fail on the root, which every resolver has cached: then the domain was not to blame."""
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                await _resolve_root(self._resolver())
        except Exception as error:
            log.warning("mail_domain.paused", error=type(error).__name__)
            self._silent_until = self._clock() + _PAUSE_SECONDS

    def _keep(self, domain: str, *, takes_mail: bool, seconds: float) -> bool:
        self._kept[domain] = (self._clock() + seconds, takes_mail)
        self._kept.move_to_end(domain)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return takes_mail


async def _takes_mail(resolver: Resolver, domain: str) -> bool:
    try:
        exchanges = {record.exchange for record in await resolver.resolve(domain, "MX", raise_on_no_answer=False)}
        if not exchanges:
            await resolver.resolve_name(domain)  # then its own address takes the mail, if it has one (RFC 5321)
    except (NXDOMAIN, NoAnswer):
        await _resolve_root(resolver)
        return False
    return exchanges != {dns.name.root}  # nothing but a dot: no mail is taken (RFC 7505)


async def _resolve_root(resolver: Resolver) -> None:
    """Raises in a closed network, whose name servers deny every name outside, the root's too."""
    await resolver.resolve(dns.name.root, "NS")


def _is_about_one_domain(error: Exception) -> bool:
    """Whether a server answered that it could not find out about this domain; it may still know others."""
    tried = error.kwargs.get("errors", ()) if isinstance(error, NoNameservers) else ()
    return any(response is not None for *_, response in tried)
