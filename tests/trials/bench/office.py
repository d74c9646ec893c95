"""Measures the server's cost of the office pages by the number of leads, on both databases."""

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

import httpx
from sqlmodel import Session
from starlette.applications import Starlette

from site_app.core.logs import configure
from site_app.core.settings import environment, load
from site_app.provider.api.app import make_api
from site_app.provider.office import sessions
from site_app.provider.office.pages import office_routes
from site_app.provider.office.people import Member
from site_app.provider.store import open_engine
from site_app.provider.store.migration import upgrade
from site_app.provider.store.tables import Lead
from tests.support.records import a_message
from tests.trials.bench.calls import api, insert_rows
from tests.trials.bench.growth import exponent
from tests.trials.bench.part import Bar, Extent, Measured, Table
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.servers import database_url, postgresql

LEADS = (1000, 10_000, 50_000)
FIRST, SEARCH = "first page", "search for what is nowhere"
PAGES = {
    FIRST: "/office",
    "one status": "/office?status=won",
    SEARCH: "/office?words=zeppelin+shop",
    "one lead": "/office/leads/M-000001",
    "what is read": "/office/views?days=90",
}
MAX_MS = {FIRST: 100.0, SEARCH: 200.0}
MAX_BYTES, NEARLY_NONE = 20_000, 0.25
ADA = "ada@example.com"
WORDS = [
    "we",
    "need",
    "a",
    "web",
    "shop",
    "for",
    "our",
    "customers",
    "with",
    "payment",
    "and",
    "invoices",
    "in",
    "three",
    "languages",
    "before",
    "spring",
    "or",
    "a",
    "mobile",
    "app",
]


def whole_api() -> Starlette:
    """Returns the API with the office, with the settings of its environment."""
    settings = load(environment())
    configure(settings)
    return make_api(settings, extra_routes=office_routes(settings))


def office(extent: Extent) -> Measured:
    """Measures the pages with more and more leads in the store; the bars apply to the largest number."""
    measured, rows = Measured(), []
    amounts, tries = LEADS[: extent.pick(3, full=3, short=2)], extent.pick(15, full=31, short=3)
    took: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for engine, open_database in (("SQLite", sqlite_database), ("PostgreSQL", postgresql_database)):
        try:
            with open_database(extent.folder) as url:
                took[engine], sizes = _measured(extent.folder, url, amounts, tries)
        except NotRun as reason:
            rows.append([engine, f"not run: {reason}", "", ""])
            continue
        for page, points in took[engine].items():
            measurements = ", ".join(f"{work:,.0f}: {cost:.1f} ms" for work, cost in points)
            rows.append([engine, page, measurements, f"{sizes[page]:,}"])
            measured.figures[f"{engine}.{page}.ms"] = points[-1][1]
        measured.bars.append(Bar(f"bytes of a page, {engine}", sizes, most=MAX_BYTES))
    for page, limit in MAX_MS.items():
        last = {engine: pages[page][-1][1] for engine, pages in took.items()}
        measured.bars.append(Bar(f"ms of the {page}, {amounts[-1]:,} leads", last, most=limit, noise=max(last.values()) / 5))
    growth = {engine: exponent(pages[FIRST]) for engine, pages in took.items()}
    measured.bars.append(Bar("exponent of the first page over leads", growth, most=NEARLY_NONE, noise=0.1))
    note = "Medians, one request at a time, over one connection to the server; one process."
    measured.tables = [Table("The office over leads kept", ("database", "page", "measured", "bytes"), rows, note)]
    return measured


@contextmanager
def sqlite_database(folder: Path) -> Iterator[str]:
    """Yields the address of a database in a file."""
    yield f"sqlite:///{folder / 'office.db'}"


@contextmanager
def postgresql_database(folder: Path) -> Iterator[str]:
    """Yields the address of an empty database on a server of its own."""
    with postgresql(folder) as server:
        yield database_url(server)


def _measured(
    folder: Path, url: str, amounts: tuple[int, ...], tries: int
) -> tuple[dict[str, list[tuple[float, float]]], dict[str, float]]:
    upgrade(url)
    settings = {"SITE_DATABASE_URL": url, "SITE_OFFICE": f"{ADA}:owner"}
    took: dict[str, list[tuple[float, float]]] = {page: [] for page in PAGES}
    sizes: dict[str, float] = {}
    with api(folder, "tests.trials.bench.office:whole_api", **settings) as running:
        stored = 0
        for amount in amounts:
            chance, newest = random.Random(stored), datetime.now(UTC)
            insert_rows(url, [_lead(number, chance, newest) for number in range(stored, amount)])
            stored = amount
            times, sizes = asyncio.run(_visit(running.port, url, tries))
            for page, cost in times.items():
                took[page].append((amount, cost))
    return took, sizes


def _lead(number: int, chance: random.Random, newest: datetime) -> Lead:
    return a_message(
        reference=f"M-{number:06}",
        full_name=f"Person {number}",
        message=" ".join(chance.choice(WORDS) for _ in range(chance.randrange(20, 120))),
        status=chance.choice(("new", "read", "answered", "won", "lost")),
        created_at=newest - timedelta(minutes=number),
        email=f"person{number}@example.com",
        company=f"Company {number % 500}",
        source_page="/contact-us",
    )


async def _visit(port: int, url: str, tries: int) -> tuple[dict[str, float], dict[str, float]]:
    """Returns milliseconds and bytes of each page, for a signed-in person."""
    times, sizes = {}, {}
    origin = {"Origin": "http://localhost:3000"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=origin, timeout=60) as client:
        await client.post(f"/office{sign_in_link(url)}")
        for page, path in PAGES.items():
            responses = [(await client.get(path)).raise_for_status() for _ in range(2)]
            took = []
            for _ in range(tries):
                began = time.perf_counter()
                responses.append(await client.get(path))
                took.append((time.perf_counter() - began) * 1000)
            if any(response.status_code != 200 for response in responses):
                raise RuntimeError(f"{path} answers {responses[-1].status_code}")
            times[page], sizes[page] = median(took), float(max(len(response.content) for response in responses))
    return times, sizes


def sign_in_link(url: str) -> str:
    """Returns the path, below /office, that signs the owner in once."""
    settings, engine = load({"SITE_OFFICE": f"{ADA}:owner"}), open_engine(url, connections=1)
    make = partial(sessions.new_link, person=Member(ADA, "owner"), settings=settings, now=datetime.now(UTC))
    with Session(engine) as session, session.begin():
        link = make(session)
    engine.dispose()
    return link.rpartition("/office")[2]
