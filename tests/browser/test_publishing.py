"""Publishing on a site that runs: a changed text becomes public with a real build, and no request and no socket is lost meanwhile."""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from sqlmodel import Session, col, select

from site_app.provider.publishing import builds
from site_app.provider.store import brief_engine, in_transaction
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Build, BuildState, PageView
from tests.support.site_server import ROOT, Site, free_port
from tests.trials.lab.wire import Refused, Wire

pytestmark = pytest.mark.slow  # each builds the pages at least once, at low priority
BUILT_FOR = "http://localhost:3000"
ARTICLE, NEW_ARTICLE = "articles/how-we-estimate.md", "articles/a-new-text.md"
MAX_BUILD_SECONDS = 400.0  # on a machine that does much else; on a quiet one it is a tenth of it


class PublishingSite:
    """A site whose pages are those of the session's build until something is published."""

    def __init__(self, folder: Path) -> None:
        self.content = folder / "content"
        for name in ("articles", "case_studies"):
            shutil.copytree(ROOT / "site_app/content" / name, self.content / name)
        settings = {"SITE_CONTENT": str(self.content), "SITE_PUBLISH": "build", "SITE_URL": BUILT_FOR}
        self.site = Site(free_port(), folder / "var", settings)
        self.client = httpx.Client(base_url=f"http://localhost:{self.site.port}", timeout=30)

    def database(self, job: Callable[[Session], object]) -> object:
        with brief_engine(f"sqlite:///{self.site.var / 'site.db'}") as engine:
            return in_transaction(engine, job)

    def request(self, changes: Mapping[str, bytes | None]) -> None:
        self.database(lambda session: builds.request(session, changes, Actor("ada@example.com", datetime.now(UTC))) and None)

    def latest(self) -> Build:
        build = self.database(lambda session: session.exec(select(Build).order_by(col(Build.id).desc())).first())
        assert isinstance(build, Build)
        return build

    def text(self) -> str:
        return (self.content / ARTICLE).read_text()

    def get(self, path: str) -> str:
        response = self.client.get(path)
        assert response.status_code == 200, f"{path}: {response.status_code}"
        return response.text


@pytest.fixture
def publishing(built: None, tmp_path: Path) -> Iterator[PublishingSite]:
    publishing_site = PublishingSite(tmp_path)
    publishing_site.site.start()
    yield publishing_site
    publishing_site.client.close()
    publishing_site.site.kill()


def test_a_changed_text_becomes_public_while_the_site_serves(publishing: PublishingSite) -> None:
    site = publishing
    with open_socket(site.site) as visitor:
        assert site.get("/feed.json").count("Written in the office") == 0
        words = "\n## A heading from the office\n\nIts words.\n"
        changes = {ARTICLE: _titled("Written in the office", site.text() + words), NEW_ARTICLE: _titled("New", site.text())}

        site.request(changes)
        began = time.monotonic()
        responses = 0
        while "A heading from the office" not in site.get("/articles/how-we-estimate"):
            site.get("/articles")
            site.get("/feed.json")
            responses += 3
            assert site.site.is_running
            assert time.monotonic() - began < MAX_BUILD_SECONDS, site.latest()
            assert site.latest().state != BuildState.FAILED, site.latest().problem
            time.sleep(0.05)
        print(f"public after {time.monotonic() - began:.1f} s, {responses} answers meanwhile")

        assert "Written in the office" in site.get("/articles")
        assert "Written in the office" in site.get("/feed.json")
        assert "A heading from the office" in site.text()
        _is_counted(site, "/articles/a-new-text")
        assert visitor.is_open
    _files_of_the_page_can_be_fetched(site)
    assert _until_ended(site).state == BuildState.DONE

    site.site.kill()
    site.site.start()
    assert "A heading from the office" in site.get("/articles/how-we-estimate")


def test_a_broken_text_says_why_and_changes_nothing(publishing: PublishingSite) -> None:
    list_before = publishing.get("/articles")

    publishing.request({ARTICLE: publishing.text().replace("summary:", "abstract:", 1).encode()})

    build = _until_ended(publishing)
    assert build.state == BuildState.FAILED
    assert build.problem == "articles/how-we-estimate.md, line 1: summary: it is missing."
    assert publishing.get("/articles") == list_before
    assert "abstract:" not in publishing.text()


class Visitor(Thread):
    """A page's socket, which answers pings; `is_open` turns False when the server closes it."""

    def __init__(self, site: Site) -> None:
        super().__init__(daemon=True)
        self._site, self.connected, self.leaves, self.is_open = site, Event(), Event(), False

    def run(self) -> None:
        asyncio.run(self._stay())

    async def _stay(self) -> None:
        wire = await Wire(self._site, origin=BUILT_FOR, host="localhost:3000").connect()
        self.is_open = True
        self.connected.set()
        while not self.leaves.is_set():
            try:
                async with asyncio.timeout(0.5):
                    await wire.receive()
            except TimeoutError:
                continue
            except Refused:
                self.is_open = False
                return
        wire.close()


@contextmanager
def open_socket(site: Site) -> Iterator[Visitor]:
    visitor = Visitor(site)
    visitor.start()
    assert visitor.connected.wait(30), "the socket was not opened"
    yield visitor
    visitor.leaves.set()
    visitor.join(10)


def _titled(title: str, text: str) -> bytes:
    """Returns the text with another title, and answering no question, which only one text may do."""
    lines = [f'title: "{title}"' if line.startswith("title: ") else line for line in text.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("questions: ")).encode()


def _until_ended(publishing: PublishingSite) -> Build:
    began = time.monotonic()
    while (build := publishing.latest()).finished_at is None:
        assert time.monotonic() - began < MAX_BUILD_SECONDS
        time.sleep(0.2)
    return build


def _is_counted(publishing: PublishingSite, path: str) -> None:
    response = publishing.client.post("/v1.0/pageView", json={"route": path, "path": path, "referrer": ""})
    assert response.status_code == 202
    began = time.monotonic()
    while not publishing.database(lambda session: session.exec(select(PageView.count).where(PageView.path == path)).first()):
        assert time.monotonic() - began < 20
        time.sleep(0.2)


def _files_of_the_page_can_be_fetched(publishing: PublishingSite) -> None:
    page = publishing.get("/articles/how-we-estimate")
    scripts = {part.split('"')[0] for part in page.split('"/assets/')[1:]}
    modules = page.partition('data-modules="')[2].partition('"')[0].split()
    assert modules
    for path in {*modules, *(f"/assets/{script}" for script in scripts)}:
        publishing.get(path.split(" ")[0])
