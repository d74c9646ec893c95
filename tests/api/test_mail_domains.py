"""A DNS lookup of mail domains: only definite replies count, and the wait is short."""

import asyncio
from dataclasses import dataclass

import dns.rcode
import pytest
from dns.asyncresolver import Resolver
from dns.rcode import Rcode
from dns.resolver import NoResolverConfiguration
from structlog.testing import capture_logs

from site_app.provider.outbox import mail_domains
from site_app.provider.outbox.mail_domains import MailDomains, own_resolver
from tests.api.name_server import NO_MAIL, TAKES_MAIL, NameServer

pytestmark = pytest.mark.anyio


@dataclass
class Seconds:
    """A monotonic clock that the test sets."""

    now: float = 5000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_domains, "MAX_WAIT_SECONDS", 0.05)


def asking(server: NameServer, seconds: Seconds | None = None) -> MailDomains:
    return MailDomains(server.resolver, seconds or Seconds())


@pytest.mark.parametrize(
    ("records", "verdict"),
    [
        (TAKES_MAIL, True),
        ({"MX": ["0 .", "10 mail.example.org."]}, True),
        ({"A": ["192.0.2.1"]}, True),
        ({"AAAA": ["2001:db8::1"]}, True),
        (NO_MAIL, False),
        (NO_MAIL | {"A": ["192.0.2.1"]}, False),
        ({"TXT": ["nothing"]}, False),
        (dns.rcode.NXDOMAIN, False),
        (dns.rcode.SERVFAIL, True),
        (dns.rcode.REFUSED, True),
    ],
)
async def test_a_domain_is_refused_only_where_dns_is_sure(records: dict[str, list[str]] | Rcode, verdict: bool) -> None:
    domains = asking(NameServer({"example.org": records}))

    assert await domains.takes_mail("example.org") is verdict


@pytest.mark.parametrize("root", [dns.rcode.NXDOMAIN, dns.rcode.SERVFAIL, {}])
async def test_a_closed_network_that_denies_every_outside_name_is_ignored(root: dict[str, list[str]] | Rcode) -> None:
    domains = asking(NameServer({".": root}))

    assert await domains.takes_mail("example.org")


@pytest.mark.parametrize("silent_about", ["MX", "AAAA", "A", "NS"])
async def test_waiting_for_a_silent_server_is_limited(impatient: None, silent_about: str) -> None:
    domains = asking(NameServer({"example.org": {}}, silent_about=(silent_about,)))

    async with asyncio.timeout(5):
        assert await domains.takes_mail("example.org")


@pytest.mark.parametrize("error", [NoResolverConfiguration(), OSError("no network"), ValueError("nonsense in resolv.conf")])
async def test_an_address_is_accepted_if_dns_is_unavailable(error: Exception) -> None:
    def broken() -> Resolver:
        raise error

    assert await MailDomains(broken).takes_mail("example.org")


async def test_a_result_is_cached_for_an_hour(seconds: Seconds) -> None:
    server = NameServer({"good.example": TAKES_MAIL})
    domains = asking(server, seconds)

    at_start = [await domains.takes_mail(name) for name in ("good.example", "bad.example")]
    server.domains = {"bad.example": TAKES_MAIL}
    seconds.now += 3599
    within_the_hour = [await domains.takes_mail(name) for name in ("good.example", "bad.example")]
    seconds.now += 1
    after_an_hour = [await domains.takes_mail(name) for name in ("good.example", "bad.example")]

    assert (at_start, within_the_hour, after_an_hour) == ([True, False], [True, False], [False, True])
    assert server.queries == ["MX good.example", "MX bad.example", "NS .", "MX good.example", "NS .", "MX bad.example"]


async def test_the_number_of_cached_results_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_domains, "_MAX_DOMAINS", 2)
    server = NameServer(dict.fromkeys(("a.example", "b.example", "c.example"), TAKES_MAIL))
    domains = asking(server)

    for name in ("a.example", "b.example", "c.example", "c.example", "b.example", "a.example"):
        await domains.takes_mail(name)

    assert server.queries == ["MX a.example", "MX b.example", "MX c.example", "MX a.example"]


async def test_a_slow_domain_is_looked_up_again_after_half_a_minute(impatient: None, seconds: Seconds) -> None:
    server = NameServer(silent_about=("MX slow.example",))
    domains = asking(server, seconds)

    assert await domains.takes_mail("slow.example")
    assert not await domains.takes_mail("gone.example")
    seconds.now += 29
    assert await domains.takes_mail("slow.example")
    assert not await domains.takes_mail("another.example")
    assert server.queries.count("MX slow.example") == 1
    seconds.now += 1
    server.silent_about = ()

    assert not await domains.takes_mail("slow.example")


async def test_after_timeouts_no_query_is_sent_for_half_a_minute(impatient: None, seconds: Seconds) -> None:
    server = NameServer(silent_about=("MX", "NS"))
    domains = asking(server, seconds)

    for name in ("one.example", "two.example", "three.example"):  # by now the root's lookup has failed too
        await domains.takes_mail(name)
    seconds.now += 29
    await domains.takes_mail("four.example")
    assert "MX four.example" not in server.queries
    seconds.now += 1
    server.silent_about = ()

    assert not await domains.takes_mail("one.example")


async def test_cached_results_are_used_during_the_pause(impatient: None) -> None:
    server = NameServer()
    domains = asking(server)
    await domains.takes_mail("known.example")
    server.silent_about = ("MX", "NS")
    await domains.takes_mail("unknown.example")

    assert not await domains.takes_mail("known.example")


async def test_one_broken_domain_does_not_stop_queries_about_others() -> None:
    domains = asking(NameServer({"broken.example": dns.rcode.SERVFAIL}))

    await domains.takes_mail("broken.example")

    assert not await domains.takes_mail("gone.example")


async def test_a_flood_of_domains_is_no_flood_of_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_domains, "_MAX_QUERIES_AT_ONCE", 2)
    server = NameServer()
    server.may_answer.clear()
    domains = asking(server)

    waiting = [asyncio.create_task(domains.takes_mail(f"{number}.example")) for number in range(5)]
    await server.was_asked.wait()
    server.may_answer.set()

    assert await asyncio.gather(*waiting) == [False, False, True, True, True]


async def test_the_log_reports_trouble_without_the_domain() -> None:
    domains = asking(NameServer({"canary.example": dns.rcode.SERVFAIL}))

    with capture_logs() as lines:
        await domains.takes_mail("canary.example")

    assert lines == [{"event": "mail_domain.unknown", "error": "NoNameservers", "log_level": "warning"}]


def test_a_visitor_waits_less_than_a_second_and_several_servers_are_queried() -> None:
    resolver = own_resolver()

    assert mail_domains.MAX_WAIT_SECONDS <= 0.8
    assert resolver.timeout * 2 < mail_domains.MAX_WAIT_SECONDS
