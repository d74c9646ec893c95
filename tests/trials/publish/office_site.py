"""A site that publishes what its office writes, its texts, and its people: they sign in, write and publish over HTTP as browsers do."""

import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from sqlmodel import Session, col, select, update

from site_app.provider.office.sessions import form_token
from site_app.provider.store import brief_engine, in_transaction
from site_app.provider.store.tables import Build, BuildState
from tests.support.site_server import ROOT, Site
from tests.trials.lab.trial import Trial, log_of, until

ADA, BO = "ada@example.com", "bo@example.com"
BUILT_FOR = "http://localhost:3000"  # the address in the pages of the shared build; every request names it as its host
MAX_BUILD_SECONDS = 600.0  # of a publication on a machine that does much else; on a quiet one it is a thirtieth of it
_SETTINGS = {
    # As the shared build has them: otherwise the site would build all its pages anew before the first text.
    "url": BUILT_FOR,
    "production": "false",
    "allow_samples": "false",
    "hosts": "",
    "publish": "build",
    "office": f"{ADA}:editor,{BO}:editor",
    "limit_sign_in": "1000/minute",
}


class OfficeSite:
    """A running site with a copy of the shipped texts as its own. `settings` replaces settings of the site; `variables` are its own too."""

    def __init__(
        self, trial: Trial, *, folder: Path | None = None, variables: Mapping[str, str] | None = None, **settings: str
    ) -> None:
        folder = folder or trial.folder
        self.content = folder / "content"
        for name in ("articles", "case_studies"):
            shutil.copytree(ROOT / "site_app/content" / name, self.content / name)
        self.site: Site = trial.site(
            var=folder / "var", variables=variables, **_SETTINGS | {"content": str(self.content)} | settings
        )
        self._database_url = settings.get("database_url") or f"sqlite:///{self.site.var / 'site.db'}"

    @property
    def pages_folder(self) -> Path:
        return self.site.var / "publishing/pages"

    def article(self, slug: str) -> Path:
        return self.content / "articles" / f"{slug}.md"

    def visitor(self, **options: Any) -> httpx.AsyncClient:
        """Returns a client that asks for the pages under the address that they were built for."""
        arguments = {"timeout": 60, "headers": {"Host": BUILT_FOR.removeprefix("http://")}} | options
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.site.port}", **arguments)

    def builds(self) -> Sequence[Build]:
        """Returns all builds, newest first."""
        return self._in_database(lambda session: session.exec(select(Build).order_by(col(Build.id).desc())).all())

    def end_leases(self) -> None:
        """Ends the leases of dead processes, so that a round does not wait half a minute for them."""

        def end(session: Session) -> None:
            session.connection().execute(
                update(Build)
                .where(col(Build.state) == BuildState.RUNNING)
                .values(claimed_until=datetime(2000, 1, 1, tzinfo=UTC))
            )

        self._in_database(end)

    async def until_build(self, condition: Callable[[Build], bool], *, seconds: float = MAX_BUILD_SECONDS) -> Build:
        """Returns the newest build as soon as the condition holds for it."""

        async def holds() -> bool:
            return condition(self.builds()[0])

        await until(holds, seconds=seconds)
        return self.builds()[0]

    async def until_ended(self) -> Build:
        return await self.until_build(lambda build: build.finished_at is not None)

    def _in_database(self, job: Callable[[Session], Any]) -> Any:
        with brief_engine(self._database_url) as engine:
            return in_transaction(engine, job)


class Person:
    """A signed-in editor: `async with Person(site, ADA) as ada`."""

    def __init__(self, site: OfficeSite, address: str) -> None:
        self._site, self._address = site, address
        host = BUILT_FOR.removeprefix("http://")
        self._client = site.visitor(headers={"Host": host, "Origin": BUILT_FOR})

    async def __aenter__(self) -> Self:
        links = self._links()
        await self._client.post("/office/sign-in", data={"address": self._address})

        async def is_printed() -> bool:
            return len(self._links()) > len(links)

        await until(is_printed, seconds=30)
        response = await self.post(self._links()[-1].partition("/office")[2])
        assert response.status_code == 303, f"not signed in: {response.status_code}"
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(self, path: str) -> httpx.Response:
        return await self._client.get(f"/office{path}")

    async def post(self, path: str, **form: str | list[str]) -> httpx.Response:
        fields = {"form_token": form_token(self._client.cookies.get("office") or "")} | form
        return await self._client.post(f"/office{path}", data=fields)

    async def upload(self, path: str, file: tuple[str, bytes], **form: str) -> httpx.Response:
        fields = {"form_token": form_token(self._client.cookies.get("office") or "")} | form
        return await self._client.post(f"/office{path}", data=fields, files={"upload": file})

    async def begin(self, title: str, kind: str = "article") -> str:
        """Begins a text with this title, and returns the path of its page in the office, without the language."""
        response = await self.post("/content", do="new", kind=kind, title=title)
        assert response.status_code == 303, sentences(response)
        return response.headers["Location"].removeprefix("/office").rpartition("/")[0]

    async def save(
        self, path: str, do: str, *, title: str, text: str, base: str = "", language: str = "en", **form: str | list[str]
    ) -> httpx.Response:
        """Sends an article's form with these words; `base` is the state that it began from, by default the newest one."""
        base = base or await self.base(f"{path}/{language}")
        words = {"f.title": title, "f.summary": SUMMARY, "text": text, "base": base, "languages": [language]}
        facts = {"f.date": f"{datetime.now(UTC):%Y-%m-%d}", "f.authors": "hannah-boyd"} if language == "en" else {}
        return await self.post(f"{path}/{language}", do=do, **words | facts | form)

    async def base(self, path: str) -> str:
        page = (await self.get(path)).text
        base = re.search(r'name="base" value="([^"]*)"', page)
        assert base, f"no form at {path}"
        return base[1]

    def _links(self) -> list[str]:
        return re.findall(rf"office as {re.escape(self._address)}: (\S+)", log_of(self._site.site))


SUMMARY = "What a trial of publishing wrote into the office, published, corrected and looked for on every page of the site."


def sentences(response: httpx.Response, *, place: str = r'class="notice bad"') -> str:
    """Returns the status of an office's answer and what it complains about, at this place of its page."""
    messages = re.findall(place + r"[^>]*>(.*?)</(?:p|div)>", response.text, re.DOTALL)
    words = " ".join(" ".join(re.sub(r"<[^>]+>", " ", part).split()) for part in messages)
    return f"{response.status_code} {words}".strip()


async def publish(site: OfficeSite, person: Person, text: str, title: str, words: str = "Words.") -> float:
    """Publishes an article with this title and returns the seconds from the press until it is public."""
    began = time.monotonic()
    response = await person.save(text, "publish", title=title, text=f"{words}\n")
    assert response.status_code == 303, sentences(response)
    build = await site.until_ended()
    assert build.state == BuildState.DONE, build.problem
    await until_public(site, title)
    return time.monotonic() - began


async def until_public(site: OfficeSite, *words: str, path: str = "/articles") -> None:
    """Waits until a page has these words: the site takes new pages about a second after they are in their place."""

    async def is_public() -> bool:
        async with site.visitor() as visitor:
            page = _with_plain_spaces((await visitor.get(path)).text)
        return all(part in page for part in words)

    await until(is_public, seconds=60)


async def public_pages(visitor: httpx.AsyncClient) -> dict[str, str]:
    """Returns the text of every page and feed by its path; raises AssertionError if one is not served whole, or lacks a file."""
    sitemap = await _complete_page(visitor, "/sitemap.xml")
    pages = [place.removeprefix(BUILT_FOR) or "/" for place in re.findall(r"<loc>([^<]+)</loc>", sitemap)]
    texts = {path: await _complete_page(visitor, path) for path in (*pages, "/feed.json")}
    for path in sorted({file for text in texts.values() for file in _files_of(text)}):
        await _complete_page(visitor, path)
    return texts


def _files_of(page: str) -> set[str]:
    """Returns the addresses of the scripts, styles and pictures that a page names."""
    return set(re.findall(r'(?<=[" ])/assets/[^",\s]+', page))


async def _complete_page(visitor: httpx.AsyncClient, path: str) -> str:
    response = await visitor.get(path)
    assert response.status_code == 200, f"{path}: {response.status_code}"
    is_page = response.headers["Content-Type"].startswith("text/html")
    assert not is_page or response.text.rstrip().endswith("</html>"), f"{path} is cut off"
    return _with_plain_spaces(response.text)


def _with_plain_spaces(page: str) -> str:
    """Returns the page as the trial's words were written: pages have a space that does not break between a number and its noun."""
    return page.replace("\u00a0", " ")
