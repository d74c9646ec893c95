"""Checks a deployed site; each check is a row of the trial."""

import asyncio
import re
import ssl
from collections import Counter
from dataclasses import dataclass

from playwright.async_api import async_playwright

from tests.support.chromium import chromium_path
from tests.trials.deploy.requests import SITE, Steady, client, send_message
from tests.trials.deploy.stages import APEX, BACKUP, DEPLOY, HOST, OFFICE, Deployed, Proxy
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial
from tests.trials.lab.wire import Wire

_LARGE_BYTES, _ALLOWED_BYTES = 12_000_000, 1_000_000
_UPLOAD = """async (bytes) => {
    const form = new FormData()
    form.append("file", new Blob([new Uint8Array(bytes)]), "a.txt")
    return (await fetch("/v1.0/attachments", { method: "POST", body: form, headers: { "X-API-Key": "website" } })).status
}"""
_LEADS = "SELECT reference FROM lead ORDER BY reference"


@dataclass
class _Https:
    port: int = 443


async def installed(site: Deployed, _: Trial) -> Verdict:
    await asyncio.to_thread(site.installed)
    status = site.debian.run("curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:3001/readyz")
    return Verdict(status == "200", f"{site.commands} commands in {site.seconds['installed']:.0f} s; /readyz: {status}")


async def units(site: Deployed, _: Trial) -> Verdict:
    """Verifies the units as installed, with the programs that they name in place."""
    await asyncio.to_thread(site.installed)
    site.follow(BACKUP, "Each night", 0, ("age1…", _recipient(site)))
    verified = "site@3001.service backup.service backup.timer"
    complaints = site.debian.run(f"systemd-analyze verify {verified} 2>&1 || echo failed").splitlines()
    return Verdict(not complaints, "; ".join(complaints) or "0 complaints")


def _recipient(site: Deployed) -> str:
    site.debian.run("apt-get install age && age-keygen -o /root/key.txt")
    return re.findall(r"age1\w+", site.debian.read("root/key.txt"))[0]


async def pages(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, proxy)
    async with client(trusted) as visitor:
        responses = {
            path: await visitor.get(path) for path in ("/", "/th", "/cn", "/faq", "/th/faq", "/cn/faq", "/healthz", "/readyz")
        }
        plain = await visitor.get(f"http://{HOST}/faq")
    versions = {
        family: site.curl(f"--write-out '%{{http_code}} %{{http_version}}' --http2 {family} {SITE}/") for family in ("-4", "-6")
    }
    is_right = all(response.status_code == 200 for response in responses.values()) and set(versions.values()) == {"200 2"}
    redirects = plain.status_code == 308 and plain.headers["location"] == f"{SITE}/faq"
    statuses = " ".join(str(response.status_code) for response in responses.values())
    figure = f"{statuses}; HTTP/2 by IPv4 and IPv6: {' / '.join(versions.values())}; http: {plain.status_code}"
    return Verdict(is_right and redirects, figure)


async def apex(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, proxy)
    async with client(trusted) as visitor:
        responses = [await visitor.get(f"{scheme}://{APEX}/th/faq?a=b") for scheme in ("https", "http")]
        second = await visitor.get(responses[1].headers.get("location", "/"))
    locations = [f"{response.status_code} {response.headers.get('location')}" for response in (*responses, second)]
    ends = {responses[0].headers.get("location"), (second if second.is_redirect else responses[1]).headers.get("location")}
    return Verdict(
        all(response.status_code == 308 for response in responses) and ends == {f"{SITE}/th/faq?a=b"}, "; ".join(locations)
    )


async def form(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, proxy)
    async with client(trusted) as visitor:
        response = await send_message(visitor)
    reference = response.json().get("reference", "")
    listed = site.debian.run("/opt/site/deploy/operate leads list")
    figure = f"{response.status_code}, {reference or 'no reference'}, {'in' if reference in listed else 'not in'} `leads list`"
    return Verdict(response.status_code == 200 and bool(reference) and reference in listed, figure)


async def socket(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, proxy)
    wire = await Wire(_Https(), host=HOST, origin=SITE, tls=trusted).connect()
    seconds = await wire.round_trip()
    wire.close()
    return Verdict(seconds < 1, f"connected, answered after {1000 * seconds:.0f} ms")


async def upload(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    """Sends a large file by a browser over HTTP/2, and by curl over HTTP/1.1."""
    trusted = await asyncio.to_thread(site.behind, proxy)
    async with client(trusted) as visitor:
        small = await visitor.post("/v1.0/attachments", files={"file": ("a.txt", b"a" * _ALLOWED_BYTES)})
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        page = await browser.new_page(ignore_https_errors=True)
        await page.goto(f"{SITE}/faq")
        statuses = [str(await page.evaluate(_UPLOAD, _LARGE_BYTES)) for _time in range(10)]
        await browser.close()
    site.debian.run(f"head -c {_LARGE_BYTES} /dev/zero > /tmp/large.txt")
    sent = f"--header 'X-API-Key: website' --form file=@/tmp/large.txt {SITE}/v1.0/attachments"
    statuses += [site.curl(f"--http1.1 --write-out '%{{http_code}}' {sent}") for _time in range(5)]
    counts = Counter(statuses)
    figure = ", ".join(f"{times} × {status}" for status, times in counts.items())
    return Verdict(small.is_success and set(counts) == {"413"}, f"1 MB: {small.status_code}; 12 MB: {figure}")


async def address(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    """Exhausts the limit of one address under forged others: a second address is still served, so neither proxy nor forgery counts."""
    trusted = await asyncio.to_thread(site.behind, proxy)
    number = {"nginx": 7, "caddy": 8}[proxy]
    async with client(trusted, address=f"127.77.{number}.1") as visitor:

        async def forge(last: int) -> int:
            headers = {
                "X-Forwarded-For": f"198.51.100.{last}",
                "X-Real-IP": f"198.51.100.{last}",
                "Forwarded": f"for=198.51.100.{last}",
            }
            return (await visitor.get("/v1.0/formToken", headers=headers)).status_code

        forged = [await forge(last % 250) for last in range(260)]
    async with client(trusted, address=f"127.78.{number}.1") as honest_visitor:
        served = (await honest_visitor.get("/v1.0/formToken")).status_code
    figure = f"of 260 with forged addresses {forged.count(429)} refused (limit 240); another address: {served}"
    return Verdict(0 < forged.count(429) <= 21 and served == 200, figure)


async def office(proxy: Proxy, site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, proxy)
    office_site = f"https://{OFFICE}"
    async with client(trusted) as visitor:
        sign_in = await visitor.get(f"{office_site}/office/sign-in")
        inside = await visitor.get(f"{office_site}/office")
        page = await visitor.get(f"{office_site}/faq")
        outside = [await visitor.get(f"{SITE}{path}") for path in ("/office", "/office/sign-in", "/metrics")]
    missing = [response.status_code == 404 or response.headers.get("location") == "/#page-not-found" for response in outside]
    is_open = sign_in.status_code == 200 and inside.headers.get("location") == "/office/sign-in" and page.status_code == 404
    figure = f"{OFFICE}: sign-in {sign_in.status_code}, a page {page.status_code}; {HOST}: {missing.count(True)} of {len(missing)} not there"
    return Verdict(is_open and all(missing), figure)


async def renewal(site: Deployed, _: Trial) -> Verdict:
    trusted = await asyncio.to_thread(site.behind, "nginx")
    old_serial = await asyncio.to_thread(_serial)

    async def renew() -> None:
        await asyncio.to_thread(site.debian.run, "certbot renew")
        await asyncio.sleep(1)

    steady = await Steady(trusted).during(renew)
    new_serial = await asyncio.to_thread(_serial)
    return Verdict(
        old_serial != new_serial and not steady.errors,
        f"{'another' if old_serial != new_serial else 'the same'} certificate; {steady}",
    )


def _serial() -> str:
    return str(hash(ssl.get_server_certificate((HOST, 443))))


async def backup(site: Deployed, _: Trial) -> Verdict:
    """Back up by the nightly unit while the site runs, restore into an empty place, and compare."""
    await asyncio.to_thread(site.installed)
    leads = site.rows(_LEADS)
    run = site.debian.run
    run("systemctl start backup")
    newest = "$(ls -t /var/backups/site/*.age | head -1)"
    run(f"age --decrypt --identity /root/key.txt --output /tmp/backup.tar {newest} && chown site /tmp/backup.tar")
    run("systemctl stop site@3001 && mv /var/lib/site /var/lib/site.kept && install -d -o site -m 700 /var/lib/site")
    run("/opt/site/deploy/operate restore /tmp/backup.tar && systemctl start site@3001")
    restored_leads = site.rows(_LEADS)
    same = leads == restored_leads and len(leads) > 0
    return Verdict(
        same,
        f"{len(leads)} leads before, {len(restored_leads)} after, {'the same' if leads == restored_leads else 'not the same'}",
    )


async def engines(proxy: Proxy, site: Deployed, trial: Trial) -> Verdict:
    """Follows the guide to PostgreSQL and Redis, which moves the leads, then sends a form and opens a socket."""
    await asyncio.to_thread(site.installed)
    leads = site.rows(_LEADS)
    await asyncio.to_thread(site.on_engines)
    lost = set(leads) - set(site.rows(_LEADS))
    message, connection, page = [await check(proxy, site, trial) for check in (form, socket, pages)]
    tables = site.rows("SELECT count(*) FROM lead")[0]
    moved = f"{tables} leads in PostgreSQL, {len(lost)} of {len(leads)} lost on the way"
    figure = f"{page.figure}; form: {message.figure}; {connection.figure}; {moved}"
    return Verdict(message.met and connection.met and page.met and int(tables) > 0 and not lost, figure)


async def restart(proxy: Proxy, site: Deployed, trial: Trial) -> Verdict:
    await asyncio.to_thread(site.on_engines)
    trusted = await asyncio.to_thread(site.behind, proxy)
    rounds = 1 if trial.short else 3

    async def one_after_the_other() -> None:
        for port in rounds * site.ports:
            await asyncio.to_thread(site.restart, port)

    steady = await Steady(trusted).during(one_after_the_other)
    return _unnoticed(site, steady, f"{rounds} × both processes")


def _unnoticed(site: Deployed, steady: Steady, event: str) -> Verdict:
    """Compares what was acknowledged with the database."""
    stored = site.rows(_LEADS)
    lost, doubled = len(set(steady.references) - set(stored)), len(stored) - len(set(stored))
    return Verdict(steady.errors == lost == doubled == 0, f"{event}: {steady}; of {len(steady.references)} leads {lost} lost")


async def upgrade(site: Deployed, _: Trial) -> Verdict:
    """Upgrades as documented while visitors come, and goes back to the release before."""
    await asyncio.to_thread(site.on_engines)
    trusted = await asyncio.to_thread(site.behind, "nginx")
    sources, ports = ("<this repository>", "/srv/site.git"), ("for port in 3001;", "for port in 3001 3002;")

    async def upgrade() -> None:
        await asyncio.to_thread(site.follow, DEPLOY, "Upgrade", 0, sources, ports)

    async def go_back() -> None:
        site.debian.run("ln -sfn site-1 /opt/site")
        for port in site.ports:
            await asyncio.to_thread(site.restart, port)

    verdict, new = _unnoticed(site, await Steady(trusted).during(upgrade), "upgrade"), site.releases()
    back, old = _unnoticed(site, await Steady(trusted).during(go_back), "back"), site.releases()
    moved = new == {"/opt/site-2"} and old == {"/opt/site-1"}
    return Verdict(
        verdict.met and back.met and moved,
        f"{verdict.figure}; {back.figure}; from {', '.join(old)} to {', '.join(new)} and back",
    )


async def first_release(site: Deployed, _: Trial) -> Verdict:
    """Puts the tables of 0.1.0 back as documented, upgrades again, and compares the leads."""
    await asyncio.to_thread(site.on_engines)
    leads = site.rows(_LEADS)
    site.debian.run("systemctl stop site@3001 site@3002")
    site.follow(DEPLOY, "Go back", 0)
    old = site.rows("SELECT count(*) FROM inquiry")[0]
    site.debian.run("systemctl start site@3001 && systemctl start site@3002")
    later_leads = site.rows(_LEADS)
    return Verdict(
        leads == later_leads and len(leads) > 0,
        f"{len(leads)} leads, {old} inquiries in 0.1.0's table, {len(later_leads)} leads again",
    )
