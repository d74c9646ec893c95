"""The list of texts in the office: each text is parsed once, and every change shows."""

import re
from pathlib import Path

import pytest

from site_app.contracts.publication import parse
from site_app.provider.http.call import ApiContext
from site_app.provider.publishing import drafts, stages
from site_app.provider.publishing.drafts import TextKey
from tests.support.office_browser import ADA, Browser
from tests.support.office_texts import ENGLISH, FIELDS, PATH, base_of

pytestmark = pytest.mark.anyio


async def test_a_long_list_parses_each_text_once(
    di: Browser, folder: Path, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing is nearly all the time that a list of hundreds of texts takes."""
    for number in range(60):
        (folder / f"text-{number}.md").write_text(ENGLISH.replace("How we estimate", f"Text {number}"), encoding="utf-8")
    keys = [TextKey("article", f"text-{number}") for number in range(0, 60, 5)]
    await context.store.write(lambda session: [drafts._add(session, key, ENGLISH, _actor(context)) for key in keys])
    parsed: list[str] = []
    monkeypatch.setattr(drafts, "parse", lambda text: parsed.append(text) or parse(text))

    pages = [await di.get("/content") for _ in range(2)]

    assert [page.text.count("/office/content/article/text-") for page in pages] == [60, 60]
    assert len(parsed) == len(set(parsed)) <= 61


async def test_a_kept_list_shows_each_change_of_drafts_builds_and_files(
    di: Browser, folder: Path, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.publishing.stages._QUICK_SECONDS", 0.0)
    read = stages.summaries
    reads: list[str] = []
    monkeypatch.setattr(stages, "summaries", lambda files: reads.append("") or read(files))

    async def badges() -> list[str]:
        return re.findall(r'<li class="(\w+)">\s*<a href="/office/content/article/', (await di.get("/content")).text)

    seen = [await badges(), await badges()]
    await di.post(PATH, do="save", base=await base_of(di), **FIELDS | {"text": "Other words.\n"})
    seen.append(await badges())
    (folder / "more.md").write_text(ENGLISH, encoding="utf-8")
    seen.append(await badges())
    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | {"text": "Other words.\n"})
    seen.append(await badges())

    assert seen == [["published"], ["published"], ["changed"], ["changed", "published"], ["publishing", "published"]]
    assert len(reads) == 4


async def test_texts_are_listed_page_by_page(di: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.office.content.pages._TEXTS_SHOWN", 2)
    for number in range(4):
        (folder / f"text-{number}.md").write_text(ENGLISH.replace("05-01", f"04-0{4 - number}"), encoding="utf-8")

    pages, address = list[str](), "/content?kind=article"
    while address:
        pages.append((await di.get(address)).text)
        following = re.search(r'href="(\?[^"]*)" rel="next"', pages[-1])
        address = "/content" + following[1].replace("&amp;", "&") if following else ""

    listed = [re.findall(r"/office/content/article/([\w-]+)/en", page) for page in pages]
    assert listed == [["estimates", "text-0"], ["text-1", "text-2"], ["text-3"]]


def _actor(context: ApiContext):
    return drafts.Actor(ADA, context.clock())
