"""Five hundred articles, two people who publish at once, and several workers that take the pages."""

import asyncio
import re
import time
from collections import Counter
from itertools import cycle
from urllib.parse import quote_plus

import httpx

from site_app.content.about_us import about_us_words
from site_app.provider.store.migration import upgrade
from site_app.provider.store.tables import BuildState
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.servers import database_url, postgresql, redis, redis_url
from tests.trials.lab.trial import Trial, log_of
from tests.trials.publish.office_site import (
    ADA,
    BO,
    SUMMARY,
    OfficeSite,
    Person,
    public_pages,
    publish,
    sentences,
    until_public,
)

ARTICLES, MAX_MORE_SECONDS, MAX_LIST_MS = 500, 60, 100
_EXCHANGE_SECONDS = 5.0  # by which each worker has taken new pages
ARTICLE = """---
title: Article {number} of very many
summary: {summary}
date: 2026-{month:02}-{day:02}
authors: [hannah-boyd]
tags: [many]
---
The words of article {number}.

## Its part

- first
- second

| A | B |
|---|---|
| {number} | 2 |
"""


async def many_articles(trial: Trial) -> Verdict:
    """Publishes with the shipped texts, then with five hundred articles more, and reads the office's list."""
    count, site = 50 if trial.short else ARTICLES, OfficeSite(trial)
    async with Person(site, ADA) as ada, site.visitor() as visitor:
        text = await ada.begin("A text among many")
        await publish(site, ada, text, "First words")
        few_seconds = await publish(site, ada, text, "Second words")
        for number in range(count):
            words = ARTICLE.format(number=number, summary=SUMMARY, month=1 + number % 9, day=1 + number % 28)
            site.article(f"article-{number}-of-very-many").write_text(words)
        await publish(site, ada, text, "Third words")  # all of them become public by it
        many = await publish(site, ada, text, "Fourth words")
        await ada.get("/content")
        took = [await _milliseconds(ada) for _ in range(15)]
        pages = await public_pages(visitor)
    public = len({path for path in pages if re.search(r"/articles/article-\d+-of-very-many$", path)})
    middle = sorted(took)[len(took) // 2]
    figure = (
        f"{count} articles, {public} pages of them; a publication takes {many:.0f} s, {many - few_seconds:.0f} s more than without; "
        f"the list {middle:.0f} ms, slowest {max(took):.0f} ms"
    )
    complete = public == 3 * count or public == count
    return Verdict(complete and many - few_seconds <= MAX_MORE_SECONDS and middle <= MAX_LIST_MS, figure, complete)


async def _milliseconds(person: Person) -> float:
    began = time.perf_counter()
    assert (await person.get("/content")).status_code == 200
    return (time.perf_counter() - began) * 1000


async def two_publishers(site: OfficeSite) -> Verdict:
    """Two people publish a text each at the same moment, then both change the same text, which is merged."""
    faults = list[str]()
    async with Person(site, ADA) as ada, Person(site, BO) as bo, site.visitor() as visitor:
        texts = [await person.begin(f"A text by {name}") for person, name in ((ada, "Ada"), (bo, "Bo"))]
        both = zip((ada, bo), texts, ("Words by Ada", "Words by Bo"), strict=True)
        responses = await asyncio.gather(
            *(person.save(text, "publish", title=words, text=f"{words}.\n\nMiddle.\n\nEnd.\n") for person, text, words in both)
        )
        states = Counter[str]()
        while (builds := [build for build in site.builds() if build.paths]) and any(not build.finished_at for build in builds):
            running = sum(build.state == BuildState.RUNNING for build in builds)
            states["at once"] = max(states["at once"], running)
            states["told"] |= (
                bool(running) and any(build.state == BuildState.WAITING for build in builds) and await _is_told(bo)
            )
            await asyncio.sleep(0.3)
        await asyncio.sleep(_EXCHANGE_SECONDS)
        pages = "".join((await public_pages(visitor)).values())
        faults += [f"answered with {sentences(response)}" for response in responses if response.status_code != 303]
        faults += [f"{words} are not public" for words in ("Words by Ada", "Words by Bo") if words not in pages]
        faults += ["two builds ran at once"] if states["at once"] != 1 else []
        faults += [] if states["told"] else ["the one who waits was not told"]

        base = await ada.base(f"{texts[0]}/en")
        for person, words in (
            (ada, "Words by Ada again.\n\nMiddle.\n\nEnd.\n"),
            (bo, "Words by Ada.\n\nMiddle.\n\nEnd by Bo.\n"),
        ):
            response = await person.save(texts[0], "publish", title="Words by Ada", text=words, base=base)
            faults += [] if response.status_code == 303 else [f"the same text: {sentences(response)}"]
        await site.until_build(lambda _: all(build.finished_at for build in site.builds()))
        await until_public(site, "Words by Ada again", "End by Bo", path=f"/articles/{texts[0].rpartition('/')[2]}")
    figure = "one build at a time, the other one waits and the list says so; both texts public; two changes of one text merged and public"
    return Verdict(not faults, "; ".join(faults) or figure)


async def _is_told(person: Person) -> bool:
    """Returns True if the office says that pages are built or wait, and marks both texts."""
    page = (await person.get("/content")).text
    return " data-active>" in page and page.count('<li class="publishing"') == 2


_WORKERS = 4
_READERS, _PAUSE_SECONDS = 4, 0.05
_NEW_CONNECTIONS = httpx.Limits(max_keepalive_connections=0)  # each request may come to another worker
_THAI = "นี่คือคำแปลใหม่"


async def several_workers(trial: Trial) -> Verdict:
    """Four workers on PostgreSQL: a text and a translation are published while visitors read without a pause, each over new connections."""
    with postgresql(trial.folder) as database, redis(trial.folder) as shared:
        upgrade(database_url(database))
        try:
            return await _with_workers(trial, database_url(database), redis_url(shared))
        finally:
            trial.close_sites()


async def _with_workers(trial: Trial, database: str, shared: str) -> Verdict:
    site = OfficeSite(
        trial, workers=str(_WORKERS), database_url=database, redis_url=shared, secret="a-secret-for-all-workers-of-it"
    )
    statuses, stop = Counter[str](), asyncio.Event()
    readers = [asyncio.create_task(_read(site, statuses, stop)) for _ in range(_READERS)]
    try:
        async with Person(site, ADA) as ada:
            text = await ada.begin("A text for all workers")
            await publish(site, ada, text, "Words for all workers")
            await asyncio.sleep(_EXCHANGE_SECONDS)
            article = await _share(site, "/articles", "Words for all workers")
            slug, base = await _translation(ada)
            response = await ada.post(
                "/translations/th?page=/company/about-us&show=all",
                do="publish",
                bases=f"{slug}:{base}",
                **{f"t.{slug}.0": _THAI},
            )
            assert response.status_code == 303, sentences(response)
            build = await site.until_ended()
            assert build.state == BuildState.DONE, build.problem
            await asyncio.sleep(_EXCHANGE_SECONDS)
            translation = await _share(site, "/th/company/about-us", _THAI)
    finally:
        stop.set()
        await asyncio.gather(*readers)
    publications = log_of(site.site).count("pages.replaced")
    failed = {status: times for status, times in statuses.items() if status != "200"}
    figure = (
        f"{statuses.total()} requests meanwhile, {sum(failed.values())} failed {failed or ''}; of 200 new connections each, "
        f"{article:.0%} got the text and {translation:.0%} the translation; {publications} of {2 * _WORKERS} exchanges in the log"
    )
    return Verdict(not failed and article == translation == 1 and publications == 2 * _WORKERS, figure)


async def _translation(person: Person) -> tuple[str, str]:
    """Returns the name of a text of the page about us that has one form, and the digest of its wording."""
    words = quote_plus(about_us_words().invitation.heading)
    page = (await person.get(f"/translations/th?page=/company/about-us&show=all&words={words}")).text
    bases = re.search(r'name="bases" value="([0-9a-f]{20}):([0-9a-f]{64})', page)
    assert bases, "the page shows no text"
    return bases[1], bases[2]


async def _read(site: OfficeSite, statuses: Counter[str], stop: asyncio.Event) -> None:
    """Reads pages over a connection each, as many visitors would."""
    paths = cycle(("/articles", "/", "/th/company/about-us", "/feed.json", "/articles/how-we-estimate"))
    async with site.visitor(limits=_NEW_CONNECTIONS) as visitor:
        while not stop.is_set():
            path = next(paths)
            try:
                response = await visitor.get(path)
                is_cut = response.is_success and not path.endswith(".json") and not response.text.rstrip().endswith("</html>")
                statuses["cut off" if is_cut else str(response.status_code)] += 1
            except httpx.HTTPError as error:
                statuses[type(error).__name__] += 1
            await asyncio.sleep(_PAUSE_SECONDS)


async def _share(site: OfficeSite, path: str, words: str) -> float:
    """Returns the share of 200 new connections that get these words; those that are kept whole are in elements of their own."""
    async with site.visitor(limits=_NEW_CONNECTIONS) as visitor:
        pages = [re.sub("</?whole-word>", "", (await visitor.get(path)).text) for _ in range(200)]
    return sum(words in page for page in pages) / len(pages)
