"""Row 2: several workers on PostgreSQL take the pages of a text and of a translation while visitors read."""

import asyncio
import re
from collections import Counter
from itertools import cycle

import httpx

from site_app.provider.store.migration import upgrade
from site_app.provider.store.tables import DONE
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.servers import database_url, postgresql, redis, redis_url
from tests.trials.lab.trial import Trial, log_of
from tests.trials.publish.office_site import (
    ADA,
    OfficeSite,
    Person,
    publish,
    sentences,
)

_EXCHANGE_SECONDS = 5.0  # by which each worker has taken new pages
_WORKERS = 4
_READERS, _PAUSE_SECONDS = 4, 0.05
_NEW_CONNECTIONS = httpx.Limits(max_keepalive_connections=0)  # each request may come to another worker
_THAI = "รู้จักผู้ก่อตั้งของเรา"


async def several_workers(trial: Trial) -> Verdict:
    """Four workers on PostgreSQL: a text and a translation are published while visitors read without a pause, each over new connections."""
    with postgresql(trial.room) as database, redis(trial.room) as shared:
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
            article = await _share(site, "/articles", "Words for all workers")
            slug, base = await _translation(ada)
            answer = await ada.post(
                "/translations/th?page=/company/about-us&show=all",
                do="publish",
                bases=f"{slug}:{base}",
                **{f"t.{slug}.0": _THAI},
            )
            assert answer.status_code == 303, sentences(answer)
            build = await site.until_ended()
            assert build.state == DONE, build.problem
            await asyncio.sleep(_EXCHANGE_SECONDS)
            translation = await _share(site, "/th/company/about-us", _THAI)
    finally:
        stop.set()
        await asyncio.gather(*readers)
    taken = log_of(site.site).count("pages.taken")
    failed = {status: times for status, times in statuses.items() if status != "200"}
    figure = (
        f"{statuses.total()} requests meanwhile, {sum(failed.values())} failed {failed or ''}; of 200 new connections each, "
        f"{article:.0%} got the text and {translation:.0%} the translation; {taken} of {2 * _WORKERS} exchanges in the log"
    )
    return Verdict(not failed and article == translation == 1 and taken == 2 * _WORKERS, figure)


async def _translation(person: Person) -> tuple[str, str]:
    """Returns the name of a text of the page about us that has one form, and the digest of its wording."""
    page = (await person.get("/translations/th?page=/company/about-us&show=all&words=Meet+the+founder")).text
    found = re.search(r'name="bases" value="([0-9a-f]{20}):([0-9a-f]{64})', page)
    assert found, "the page shows no text"
    return found[1], found[2]


async def _read(site: OfficeSite, statuses: Counter[str], stop: asyncio.Event) -> None:
    """Reads pages over a connection each, as many visitors would."""
    paths = cycle(("/articles", "/", "/th/company/about-us", "/feed.json", "/articles/how-we-estimate"))
    async with site.visitor(limits=_NEW_CONNECTIONS) as visitor:
        while not stop.is_set():
            path = next(paths)
            try:
                answer = await visitor.get(path)
                is_cut = answer.is_success and not path.endswith(".json") and not answer.text.rstrip().endswith("</html>")
                statuses["cut off" if is_cut else str(answer.status_code)] += 1
            except httpx.HTTPError as error:
                statuses[type(error).__name__] += 1
            await asyncio.sleep(_PAUSE_SECONDS)


async def _share(site: OfficeSite, path: str, words: str) -> float:
    """Returns the share of 200 new connections that get these words."""
    async with site.visitor(limits=_NEW_CONNECTIONS) as visitor:
        pages = [(await visitor.get(path)).text for _ in range(200)]
    return sum(words in page for page in pages) / len(pages)
