"""Measures a year of up to a million leads and 10,000 partners: every list of the office, the background tasks, submissions and feeds."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text
from starlette.applications import Starlette

from site_app.core.locales import LOCALES
from site_app.core.logs import configure
from site_app.core.settings import Settings, environment, load
from site_app.pages.drafts import DraftPages
from site_app.provider.affiliates.payout_reminders import remind_of_payouts
from site_app.provider.affiliates.statements import mail_statements
from site_app.provider.affiliates.terms import announce_terms
from site_app.provider.api.app import make_api
from site_app.provider.api.sweep import sweep_batch, sweep_once
from site_app.provider.api.tasks import index_new_words, write_due_mails
from site_app.provider.insights.page_views import PageViewed, ViewCounts
from site_app.provider.office.pages import office_routes
from site_app.provider.office.report import report
from site_app.provider.store import Store, brief_engine
from site_app.provider.store.gauges import Gauges
from site_app.provider.store.migration import upgrade
from tests.support.builders import message
from tests.support.site_server import ROOT
from tests.trials.bench.calls import KEY, api
from tests.trials.bench.filling import EDITORS, PAGES, articles_at, code_of, fill, lead_reference, token_of
from tests.trials.bench.growth import Points, exponent
from tests.trials.bench.office import ADA, postgresql_database, sign_in_link, sqlite_database
from tests.trials.bench.part import Bar, Extent, Figures, Measured, Table
from tests.trials.bench.stage import environment as bench_environment
from tests.trials.lab.load import spent
from tests.trials.lab.scorecard import NotRun, read_results
from tests.trials.lab.servers import Server
from tests.trials.publish.many import ARTICLE
from tests.trials.publish.office_site import SUMMARY

LEADS_A_YEAR = (10_000, 100_000, 1_000_000)
NEARLY_NONE = 0.25
FIRST_PAGES = {
    "leads": "/office",
    "leads of a status": "/office?status=new",
    "leads of a kind": "/office?kind=quote",
    "leads of a language": "/office?language=cn",
    "leads of a source": "/office?source=newsletter-7",
    "search for a word": "/office?words=invoices",
    "search for what is nowhere": "/office?words=zeppelin+shop",
    "a lead": f"/office/leads/{lead_reference(7)}",
    "a meeting": "/office/leads/C-1000030",
    "everything of a person": "/office/person.json?email=person7@customer1.example",
    "meetings": "/office/calls",
    "partners": "/office/affiliates",
    "a partner": "/office/affiliates/7",
    "a partner's own page": f"/partners/{token_of(7)}",
    "views": "/office/views?days=90",
    "mail": "/office/mail",
    "log": "/office/log",
    "people": "/office/people",
    "texts": "/office/content",
}
EXPORT, VIEW, SLOTS = "export, first bytes", "a view is reported", "free slots"
SUBMISSION, REFERRED = "a message is sent", "a referred message is sent"
VIEWS, REPORT, SCRAPE = "five seconds of views are stored", "the report is counted", "a scrape of the gauges"
SWEEP, SWEEP_STEP, PARTNERS = "a sweep", "a step of a sweep", "the partners' mails of an hour"
# Processor seconds of a measurement: at least, unless it takes too many tries, and at most. The kernel counts in hundredths.
_MIN_SECONDS, _MAX_SECONDS, _MAX_TIMES, _LEAST_MS = 0.2, 3.0, 4, 0.1
_VIEWED = {f"/page-{number}": "page" for number in range(PAGES)}
_VIEWS_AT_ONCE = 500  # of a process in five seconds, at the peak of 100 million a day on 43 processes
# Assumed prices a month, in any currency, and machines beside those of the app: cores and GiB.
_PRICE_A_CORE, _PRICE_A_GIB, _PRICE_A_TB, _PRICE_A_THOUSAND_MAILS = 15, 3, 10, 1
_GIB_A_PROCESS = 2
_MACHINES = {"databases": (2 * 4, 2 * 16), "redis": (2, 4), "proxies": (2 * 2, 2 * 4), "builds": (4, 8)}
_QUIET_SECONDS, _QUIET_SHARE, _MAX_WAIT_SECONDS = 5, 0.02, 300
Job = Callable[[], Awaitable[object]]
Spent = Callable[[], float]


@dataclass
class Costs:
    """Processor milliseconds of each kind of work, by leads a year."""

    points: dict[str, Points] = field(default_factory=dict)
    gigabytes: float = 0.0  # of the last database

    def add(self, title: str, leads: int, ms: float) -> None:
        self.points.setdefault(title, []).append((leads, ms))

    def exponent(self, title: str) -> float:
        """Returns the exponent between the last two amounts."""
        return exponent(self.points[title][-2:])


def whole_office() -> Starlette:
    """Returns the API with the whole office, with the settings of its environment."""
    settings = load(environment())
    configure(settings)
    return make_api(settings, _VIEWED, office_routes(settings, DraftPages()))


def volume(extent: Extent) -> Measured:
    """Measures every amount in a database of its own, on both engines; the exponents are those of the last step."""
    amounts = LEADS_A_YEAR[: extent.pick(2, full=3, short=2)]
    costs: dict[str, Costs] = {}
    reasons = []
    extent.folder.chmod(0o755)  # PostgreSQL runs as another user
    for engine, open_database in (("SQLite", sqlite_database), ("PostgreSQL", postgresql_database)):
        costs[engine] = Costs()
        try:
            for leads in amounts:
                folder = extent.folder / f"{engine}-{leads}"
                folder.mkdir()
                with open_database(folder) as url:
                    _measure(costs[engine], folder, url, leads, extent.pick(8, full=10, short=4))
                shutil.rmtree(folder)
        except NotRun as reason:
            reasons.append(f"{engine} was not run: {reason}")
            del costs[engine]
    return _reported(costs, amounts, " ".join(reasons))


def _measure(costs: Costs, folder: Path, url: str, leads: int, tries: int) -> None:
    upgrade(url)
    began = time.perf_counter()
    fill(url, leads, now=datetime.now(UTC))
    content = folder / "content/articles"
    content.mkdir(parents=True)
    for number in range(articles_at(leads)):
        words = ARTICLE.format(number=number, summary=SUMMARY, month=1 + number % 9, day=1 + number % 28)
        (content / f"article-{number}.md").write_text(words)
    people = ",".join([f"{ADA}:owner", *(f"editor{number}@example.com:editor" for number in range(1, EDITORS))])
    variables = {
        "SITE_DATABASE_URL": url,
        "SITE_OFFICE": people,
        "SITE_CONTENT": str(content.parent),
        "SITE_VAR": str(folder),
    }
    print(f"    {leads:,} leads filled in {time.perf_counter() - began:.0f} s", flush=True)
    costs.gigabytes = _gigabytes(url)
    engine = _postmaster(url)
    times = asyncio.run(_background(load(variables), url, lambda: time.process_time() + sum(map(_with_ended, engine)), tries))
    times |= _machine_files(folder, variables)
    with api(folder, "tests.trials.bench.volume:whole_office", **variables) as running:
        times |= asyncio.run(_visits(running, url, lambda: spent(running.pid) + sum(map(_with_ended, engine)), tries))
    for title, ms in times.items():
        costs.add(title, leads, ms)


def _postmaster(url: str) -> list[int]:
    """Returns the process of PostgreSQL's server, whose processor time counts with the site's."""
    with brief_engine(url) as engine, engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            return []
        return [int(connection.execute(text("SELECT pg_read_file('postmaster.pid')")).scalar_one().split()[0])]


def _with_ended(pid: int) -> float:
    """Returns the processor seconds of the server and of all its processes, also of parallel workers, which end after a query."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return spent(pid) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _gigabytes(url: str) -> float:
    """Returns the size of the database."""
    with brief_engine(url) as engine, engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            pages, size = (connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("page_count", "page_size"))
            return pages * size / 1e9
        return connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one() / 1e9


def _machine_files(folder: Path, variables: Mapping[str, str]) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.trials.bench.machine_files", str(folder / "pages")]
    process = subprocess.run(command, cwd=ROOT, env=bench_environment(**variables), capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(f"no feeds: {process.stderr[-2000:]}")
    return json.loads(process.stdout)


async def _background(settings: Settings, url: str, spent_seconds: Spent, tries: int) -> dict[str, float]:
    """Returns the processor milliseconds of what runs without a visitor, after a first round has done what had been due."""
    store = Store(url)
    try:
        began = time.perf_counter()
        await sweep_once(store, settings, datetime.now(UTC), confirmed=True)
        await index_new_words(store)
        await write_due_mails(store, settings, datetime.now(UTC))
        print(f"    first round {time.perf_counter() - began:.1f} s", flush=True)

        async def whole_sweep() -> None:
            await sweep_once(store, settings, datetime.now(UTC), confirmed=True)
            await index_new_words(store)
            await write_due_mails(store, settings, datetime.now(UTC), with_partners=False)

        async def partners() -> None:
            await mail_statements(store, settings, datetime.now(UTC))
            await announce_terms(store, settings, datetime.now(UTC))
            await remind_of_payouts(store, settings, datetime.now(UTC))

        async def figures() -> None:
            await store.read(partial(report, days=90, today=datetime.now(UTC).date()))

        async def step() -> None:
            await store.write(lambda session: sweep_batch(session, now=datetime.now(UTC), settings=settings))

        async def views() -> None:
            await _counted_views(_VIEWS_AT_ONCE).write(store)

        jobs = {SWEEP: whole_sweep, SWEEP_STEP: step, PARTNERS: partners, VIEWS: views, REPORT: figures}
        times = {title: await _cost_ms(job, spent_seconds, tries) for title, job in jobs.items()}
    finally:
        store.close()
    with brief_engine(url, read_only=True) as engine:
        gauges = Gauges(engine, lambda: datetime.now(UTC), settings)

        async def scrape() -> None:
            list(gauges.collect())

        times[SCRAPE] = await _cost_ms(scrape, spent_seconds, tries)
    return times


def _counted_views(count: int) -> ViewCounts:
    """Returns views of every page from many hosts, as one process counts them between two writes."""
    counts = ViewCounts()
    for number in range(count):
        view = PageViewed(
            path=f"/page-{number % PAGES}", referrer=f"https://host{number % 180 + PAGES + 1}.example/" if number % 3 else ""
        )
        counts.add(view, page_tags=_VIEWED, today=datetime.now(UTC).date(), own_hosts=frozenset())
    return counts


async def _visits(running: Server, url: str, spent_seconds: Spent, tries: int) -> dict[str, float]:
    """Returns the processor milliseconds of each page for a signed-in owner, of an export's first bytes, and of visitors' calls."""
    await _wait_until_quiet(running)
    times, origin = {}, {"Origin": "http://localhost:3000"}
    async with httpx.AsyncClient(base_url=running.url.replace("localhost", "127.0.0.1"), headers=origin, timeout=300) as client:
        await client.post(f"/office{sign_in_link(url)}")
        for title, path in FIRST_PAGES.items():
            times[title] = await _cost_ms(partial(_get, client, path), spent_seconds, tries)
        times[EXPORT] = await _cost_ms(partial(_first_bytes, client, "/office/leads.csv"), spent_seconds, tries)
        calls = {
            VIEW: ("pageView", lambda: {"path": "/page-7", "referrer": "https://host200.example/"}),
            SLOTS: ("meetingSlots", dict),
            SUBMISSION: ("sendMessage", _message),
            REFERRED: ("sendMessage", partial(_message, 7)),
        }
        for title, (call, body) in calls.items():
            times[title] = await _cost_ms(partial(_call, client, call, body), spent_seconds, tries)
    return times


def _message(partner: int = 0) -> dict[str, Any]:
    return message(token="", attribution={"ref": code_of(partner)} if partner else {})


async def _get(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answers {response.status_code}")


async def _first_bytes(client: httpx.AsyncClient, path: str) -> None:
    async with client.stream("GET", path) as response:
        async for _ in response.raise_for_status().aiter_bytes():
            break


async def _call(client: httpx.AsyncClient, call: str, body: Callable[[], dict[str, Any]]) -> None:
    (await client.post(f"/v1.0/{call}", json=body(), headers={"X-API-Key": KEY})).raise_for_status()


async def _wait_until_quiet(running: Server) -> None:
    """Waits until the server's first round of maintenance is over: until it has nearly stopped for a while."""
    quiet = 0
    for _ in range(_MAX_WAIT_SECONDS):
        used = spent(running.pid)
        await asyncio.sleep(1)
        quiet = quiet + 1 if spent(running.pid) - used <= _QUIET_SHARE else 0
        if quiet == _QUIET_SECONDS:
            return


async def _cost_ms(job: Job, spent_seconds: Spent, tries: int) -> float:
    """Returns the processor milliseconds of the job, after one that fills the caches: the mean of more tries the cheaper it is."""
    await job()
    count, began = 0, spent_seconds()
    while count < tries or (count < _MAX_TIMES * tries and spent_seconds() - began < _MIN_SECONDS):
        await job()
        count += 1
        if spent_seconds() - began > _MAX_SECONDS:
            break
    return max(_LEAST_MS, (spent_seconds() - began) * 1000 / count)


def _plan(recorded: Mapping[str, Any]) -> Figures:
    """Computes the machines for 100 million page views a day and a million leads a year, and their price a month, from the other parts."""
    if not {"capacity", "reading", "build"} <= recorded.keys():
        return {}
    processes = recorded["capacity"]["figures"]["plan_100.processes"]
    terabytes = 100e6 * 30 * recorded["reading"]["figures"]["average_kb"] / 1e9
    cores, gibibytes = {"app": processes}, {"app": processes * _GIB_A_PROCESS}
    cores |= {name: machine[0] for name, machine in _MACHINES.items()}
    gibibytes |= {name: machine[1] for name, machine in _MACHINES.items()}
    price = {name: cores[name] * _PRICE_A_CORE + gibibytes[name] * _PRICE_A_GIB for name in cores}
    price |= {"traffic": terabytes * _PRICE_A_TB, "mails": 2e6 / 12 / 1000 * _PRICE_A_THOUSAND_MAILS}
    build = recorded["build"]["figures"]
    seconds = (build["seconds_300"] - build["seconds_now"]) / (build["pages_300"] - build["pages_now"])
    return {
        "plan.seconds_a_page": seconds,
        "plan.build_hours": seconds * articles_at(LEADS_A_YEAR[-1]) * len(LOCALES) / 3600,
        "plan.terabytes": terabytes,
        "plan.app_gib": gibibytes["app"],
        **{f"plan.price_{name}": value for name, value in price.items()},
        "plan.price": sum(price.values()),
    }


_NOTE = (
    "Processor milliseconds of site and PostgreSQL together, so that other work of the machine counts little; the exponents are those of the "
    "last step. Pages are measured one after the other in one process. Views, notes, mails and the log grow with the leads."
)


def _reported(costs: Mapping[str, Costs], amounts: tuple[int, ...], note: str) -> Measured:
    measured, rows = Measured(), []
    for engine, measured_costs in costs.items():
        for title, points in measured_costs.points.items():
            name = f"{engine}.{title}".lower().replace(" ", "_").replace(",", "").replace("'", "")
            measured.figures |= {f"{name}.ms_{leads}": ms for leads, ms in points}
            measured.figures[f"{name}.exponent"] = measured_costs.exponent(title)
            rows.append([engine, title, *(f"{ms:,.1f}" for _, ms in points), f"{measured_costs.exponent(title):.2f}"])
        measured.figures[f"{engine.lower()}.gigabytes"] = measured_costs.gigabytes
        first_pages = {title: measured_costs.exponent(title) for title in FIRST_PAGES}
        measured.bars.append(Bar(f"exponent of first pages, {engine}", first_pages, most=NEARLY_NONE, noise=0.1))
    head = ("database", "", *(f"ms at {leads:,} leads a year" for leads in amounts), "exponent")
    measured.figures |= _plan(read_results())
    measured.tables = [Table("A year of leads, partners and views", head, rows, f"{_NOTE} {note}".strip())]
    return measured
