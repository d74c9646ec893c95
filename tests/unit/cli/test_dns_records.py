"""`doctor --dns` says in a sentence each what SPF, DMARC and DKIM of the sender's domain lack, and what to write."""

import json
import socket
import time
from collections.abc import Callable, Mapping, Sequence

import pytest
from dns.resolver import NoResolverConfiguration

from site_app.cli import dns_records
from site_app.core.settings import settings
from tests.unit.cli.site import Site
from tests.unit.cli.small_name_server import resolver_at, small_name_server

SPF, DMARC, DKIM = "example.org", "_dmarc.example.org", "s1._domainkey.example.org"
GOOD = {SPF: ["v=spf1 include:mail.example.net -all"], DMARC: ["v=DMARC1; p=reject"], DKIM: ["v=DKIM1; k=rsa; p=MIGf"]}
Findings = list[dict[str, str]]
Ask = Callable[..., Findings]


@pytest.fixture
def ask(site: Site, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Runs `doctor` while a name server has these records; returns the findings about them."""
    monkeypatch.setenv("SITE_MAIL_FROM", "office@example.org")
    settings.cache_clear()

    def run(records: Mapping[str, Sequence[str]], *options: str, has_root: bool = True) -> Findings:
        with small_name_server(records, has_root=has_root) as port:
            monkeypatch.setattr(dns_records, "own_resolver", lambda: resolver_at(port))
            findings = json.loads(site.run("doctor", "--json", *options).stdout)
        return [finding for finding in findings if finding["subject"] == "dns"]

    return run


def test_nobody_asks_dns_unless_told_to(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[object] = []
    monkeypatch.setattr(dns_records, "records_of_sender", lambda *arguments: lookups.append(arguments) or [])

    assert ask({}) == []
    assert lookups == []


def test_a_domain_with_all_records_is_well(ask: Ask) -> None:
    findings = ask(GOOD, "--dns", "--dkim", "s1")

    assert [finding["state"] for finding in findings] == ["ok", "ok", "ok"]
    assert [finding["message"].partition(" ")[0] for finding in findings] == ["SPF", "DMARC", "DKIM"]


def test_a_selector_alone_asks_too(ask: Ask) -> None:
    assert [finding["state"] for finding in ask(GOOD, "--dkim", "s1")] == ["ok", "ok", "ok"]


def test_without_a_selector_the_key_is_not_looked_up(ask: Ask) -> None:
    *_, finding = ask(GOOD, "--dns")

    assert (finding["state"], "--dkim" in finding["fix"]) == ("warning", True)


@pytest.mark.parametrize(
    ("name", "texts", "message", "fix"),
    [
        (SPF, None, "SPF is missing at example.org", "v=spf1 include:"),
        (SPF, ["google-site-verification=1"], "SPF is missing at example.org", "v=spf1 include:"),
        (SPF, ["v=spf1 -all", "v=spf1 mx ~all"], "SPF has 2 records at example.org", "Keep one"),
        (SPF, ["v=spf1 mx +all"], "SPF of example.org lets every machine send in its name", "-all"),
        (SPF, ["v=spf1 mx all"], "SPF of example.org lets every machine send in its name", "-all"),
        (SPF, ["v=spf1 mx"], "SPF of example.org says nothing of other machines", "-all"),
        (SPF, ["v=spf1 mx ?all"], "SPF of example.org says nothing of other machines", "-all"),
        (DMARC, None, "DMARC is missing at _dmarc.example.org", "v=DMARC1; p=none; rua=mailto:"),
        (DMARC, ["v=DMARC1; p=none"], "DMARC of example.org has p=none", "p=quarantine"),
        (DMARC, ["v=DMARC1; rua=mailto:a@example.org"], "DMARC of example.org has no policy", "p=quarantine"),
        (DMARC, ["v=DMARC1; p=reject", "v=DMARC1; p=none"], "DMARC has 2 records at _dmarc.example.org", "Keep one"),
        (DKIM, None, "DKIM is missing at s1._domainkey.example.org", "selector s1"),
        (DKIM, ["v=DKIM1; p="], "DKIM key s1 of example.org is revoked", "selector"),
    ],
)
def test_a_record_that_lacks_something_is_named_with_what_to_write(
    ask: Ask, name: str, texts: list[str] | None, message: str, fix: str
) -> None:
    records = {key: GOOD[key] for key in GOOD if key != name} | ({name: texts} if texts else {})

    findings = ask(records, "--dns", "--dkim", "s1")

    [wrong] = [finding for finding in findings if finding["state"] != "ok"]
    assert wrong["state"] == "warning"
    assert message in wrong["message"]
    assert fix in wrong["fix"]


@pytest.mark.parametrize(
    "spf", ["v=spf1 redirect=_spf.example.net", "V=SPF1 A -ALL", "v=spf1 mx ~all", 'v=spf1 include:mail.example.net" " -all']
)
def test_other_good_spf_records_pass(ask: Ask, spf: str) -> None:
    assert ask(GOOD | {SPF: [spf]}, "--dns")[0]["state"] == "ok"


@pytest.mark.parametrize(
    ("record", "state"), [("v=DMARC1; p=none; sp=reject", "ok"), ("v=DMARC1; p=reject; sp=none", "warning")]
)
def test_the_policy_of_the_domain_above_holds_for_a_subdomain(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, record: str, state: str
) -> None:
    monkeypatch.setenv("SITE_MAIL_FROM", "site@mail.example.org")
    settings.cache_clear()

    _, dmarc, _ = ask({DMARC: [record]}, "--dns")

    assert dmarc["state"] == state


def test_a_closed_network_is_no_proof_that_records_are_missing(ask: Ask) -> None:
    findings = ask({}, "--dns", "--dkim", "s1", has_root=False)

    assert all("could not be looked up" in finding["message"] for finding in findings)
    assert len(findings) == 3


def test_a_silent_name_server_ends_the_wait(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns_records, "_MAX_WAIT_SECONDS", 0.5)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        monkeypatch.setattr(dns_records, "own_resolver", lambda: resolver_at(silent.getsockname()[1]))
        began = time.monotonic()

        findings = list(dns_records.records_of_sender(settings(), ["s1"]))

    assert time.monotonic() - began < 2
    assert ["could not be looked up" in finding.message for finding in findings] == [True] * 3


def test_a_machine_without_name_servers_is_reported_in_a_sentence(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_configured() -> None:
        raise NoResolverConfiguration

    monkeypatch.setattr(dns_records, "own_resolver", none_configured)

    findings = list(dns_records.records_of_sender(settings(), []))

    assert [finding.state for finding in findings] == ["warning"] * 3
