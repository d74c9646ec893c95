"""`doctor --dns`: the DNS records by which a receiver of our mails tells them from forged ones: SPF, DMARC and DKIM.

Without them, large mail services file our mails as spam or refuse them.
"""

import asyncio
import re
from collections.abc import Awaitable, Iterator, Sequence

from dns.exception import DNSException

from site_app.cli.checks import Finding, ok, warning
from site_app.core.settings import Settings
from site_app.provider.outbox.mail_domains import own_resolver, text_records

_MAX_WAIT_SECONDS = 5.0
_ALL_MECHANISM = re.compile(r"([+~?-]?)all", re.IGNORECASE)
_MIN_LABELS = 2  # of a domain that may have a DMARC record: example.org
_FIX_SPF_END = "End the record with -all, or with ~all while you try it."
_FIX_SELECTOR = "doctor --dns --dkim SELECTOR: copy it from s= in the DKIM-Signature header of a received mail."


def records_of_sender(settings: Settings, selectors: Sequence[str]) -> Iterator[Finding]:
    """Looks up SPF, DMARC and these DKIM keys of the domain that our mails come from; a domain that cannot be looked up is a warning."""
    domain = (settings.mail_from or settings.brand_email).rpartition("@")[2]
    yield from asyncio.run(_all_findings(domain, selectors))
    if not selectors:
        yield warning("dns", "DKIM was not looked up, because no selector was named.", _FIX_SELECTOR)


async def _all_findings(domain: str, selectors: Sequence[str]) -> list[Finding]:
    checks = {"SPF": _spf(domain), "DMARC": _dmarc(domain)} | {f"DKIM key {name}": _dkim(domain, name) for name in selectors}
    return await asyncio.gather(*(_within_time(f"{subject} of {domain}", check) for subject, check in checks.items()))


async def _within_time(subject: str, check: Awaitable[Finding]) -> Finding:
    try:
        async with asyncio.timeout(_MAX_WAIT_SECONDS):
            return await check
    except (DNSException, OSError, TimeoutError) as error:
        sentence = f"{subject} could not be looked up: this machine's name servers do not say ({type(error).__name__})."
        return warning("dns", sentence, "Run it where they know the internet's names, or correct /etc/resolv.conf.")


async def _versioned_records(name: str, version: str) -> list[str]:
    """Returns the records of this kind: a name may have TXT records of other programs too."""
    records = await text_records(own_resolver(), name)
    return [record for record in records if re.match(rf"{version}\s*(;|\s|$)", record, re.IGNORECASE)]


async def _spf(domain: str) -> Finding:
    records = await _versioned_records(domain, "v=spf1")
    if not records:
        fix = f'Add a TXT record at {domain}: "v=spf1 include:… -all", with the name that your mail provider says.'
        return warning("dns", f"SPF is missing at {domain}: receivers cannot know which servers may send our mails.", fix)
    if len(records) > 1:
        return warning(
            "dns", f"SPF has {len(records)} records at {domain}, so receivers ignore all.", "Keep one, with all servers."
        )
    terms = records[0].split()[1:]
    endings = [match[1] for term in terms if (match := _ALL_MECHANISM.fullmatch(term))]
    if endings and endings[0] in ("", "+"):
        return warning("dns", f"SPF of {domain} lets every machine send in its name: {terms[-1]}.", _FIX_SPF_END)
    if endings[:1] == ["?"] or not (endings or any(term.lower().startswith("redirect=") for term in terms)):
        return warning("dns", f"SPF of {domain} says nothing of other machines than its own.", _FIX_SPF_END)
    return ok("dns", f"SPF of {domain} names the servers that may send.")


async def _dmarc(domain: str) -> Finding:
    labels = domain.split(".")
    parents = [".".join(labels[start:]) for start in range(max(len(labels) - _MIN_LABELS, 0) + 1)]
    for parent in parents:
        if records := await _versioned_records(f"_dmarc.{parent}", "v=DMARC1"):
            return _finding_of_policy(domain, parent, records)
    fix = f'Add a TXT record there: "v=DMARC1; p=none; rua=mailto:postmaster@{domain}", and later p=quarantine or p=reject.'
    return warning("dns", f"DMARC is missing at _dmarc.{domain}: receivers are not told what to do with forged mails.", fix)


def _finding_of_policy(domain: str, parent: str, records: Sequence[str]) -> Finding:
    if len(records) > 1:
        return warning("dns", f"DMARC has {len(records)} records at _dmarc.{parent}, so receivers ignore all.", "Keep one.")
    tags = _tags(records[0])
    policy = tags.get("p", "") if parent == domain else tags.get("sp", tags.get("p", ""))
    if policy in ("quarantine", "reject"):
        return ok("dns", f"DMARC of {parent} has receivers {policy} forged mails.")
    sentence = "has p=none, which only reports forged mails" if policy == "none" else "has no policy"
    fix = "Write p=quarantine or p=reject once its reports name none of your own mails."
    return warning("dns", f"DMARC of {parent} {sentence}.", fix)


async def _dkim(domain: str, selector: str) -> Finding:
    name = f"{selector}._domainkey.{domain}"
    keys = [tags["p"] for record in await text_records(own_resolver(), name) if "p" in (tags := _tags(record))]
    if not keys:
        fix = f"Add the TXT or CNAME record that your mail provider shows for the selector {selector}."
        return warning("dns", f"DKIM is missing at {name}: receivers cannot check our signature.", fix)
    if not any(keys):
        return warning("dns", f"DKIM key {selector} of {domain} is revoked: its p= is empty.", "Sign with another selector.")
    return ok("dns", f"DKIM key {selector} of {domain} is published.")


def _tags(record: str) -> dict[str, str]:
    """Returns the tags of a DMARC or DKIM record, their names in lower case."""
    pairs = (part.partition("=") for part in record.split(";"))
    return {name.strip().lower(): value.strip().lower() for name, _, value in pairs if name.strip()}
