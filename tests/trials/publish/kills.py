"""The site or its build is killed (-9) at any moment of a publication; the pages that are served are of one version, whole."""

import asyncio
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from site_app.provider.store.tables import BuildState
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, descendants, end, kill_all
from tests.trials.publish.office_site import ADA, OfficeSite, Person, public_pages, publish, sentences, until_public

_VERSION = re.compile(r"Version (\d+) of this text")
_SITE, _BUILD, _EXCHANGE = "the site", "the build alone", "the site in the exchange"
_KILLED = (_SITE, _EXCHANGE, _SITE, _BUILD, _EXCHANGE)  # in turn; after the last one the publication is left to its end
_EXCHANGE_SECONDS = (0.02, 1.5)  # until the files are renamed; until the workers have read the pages
_PAGES_WITH_VERSION = 7  # the text and its list in three languages, and the feed


@dataclass
class _Rounds:
    """What was killed and when, and whatever was not as promised. `public` is the version that is served."""

    public: int = 0
    killed: Counter[str] = field(default_factory=Counter)
    moments: list[float] = field(default_factory=list)  # shares of the publication's length
    served_new: int = 0  # kills after which the new version was served already
    finished: int = 0  # publications that ended well after kills
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{times} × {victim}" for victim, times in self.killed.items())
        at = f"at {min(self.moments):.0%} to {max(self.moments):.0%} of a publication" if self.moments else ""
        pages_note = f"new pages after {self.served_new}, old ones after the others, never mixed" if not self.faults else ""
        builds_note = f"{self.finished} publications ended well after kills, and the next one"
        return "; ".join(filter(None, (f"{kinds}, {at}", pages_note, builds_note, *self.faults)))


async def killed(trial: Trial) -> Verdict:
    """Kills publications again and again, reads every page after each kill, and lets each fifth one come to its end."""
    rounds, site, outcome = 5 if trial.short else 20, OfficeSite(trial), _Rounds()
    chance = random.Random(48)
    async with Person(site, ADA) as ada:
        text = await ada.begin("Version 0 of this text")
        lasts = await publish(site, ada, text, *_words(0))
        version = attempts = 0
        for number in range(rounds):
            build = await site.until_build(
                lambda build, attempts=attempts: build.finished_at is not None or build.attempts > attempts
            )
            if build.finished_at:  # also if the last kill came too late to stop it
                version += 1
                title, words = _words(version)
                response = await ada.save(text, "publish", title=title, text=words)
                assert response.status_code == 303, sentences(response)
                await site.until_build(lambda build: build.attempts > 0)
            victim, share = _KILLED[number % len(_KILLED)], (number + chance.random()) / rounds
            await _wait_for(site, victim, lasts * share, chance)
            attempts = site.builds()[0].attempts
            outcome.killed[victim] += 1
            outcome.moments += [share] if victim != _EXCHANGE else []
            await asyncio.to_thread(_kill, site, victim)
            await _look(site, f"after kill {number + 1} of {victim}", {outcome.public, version}, outcome)
            site.end_leases()
            if number % len(_KILLED) == len(_KILLED) - 1:
                await _finish(site, version, outcome)
        await publish(site, ada, text, *_words(version + 1))
        await _look(site, "at the end", {version + 1}, outcome)
    return Verdict(not outcome.faults, str(outcome))


async def _finish(site: OfficeSite, version: int, outcome: _Rounds) -> None:
    build = await site.until_ended()
    if build.state == BuildState.FAILED:
        outcome.faults.append(f"version {version}: {build.problem}")
        return
    await until_public(site, _words(version)[0])
    outcome.finished += 1
    await _look(site, f"when version {version} was done", {version}, outcome)


def _words(version: int) -> tuple[str, str]:
    """Returns the title and the text of a version."""
    title = f"Version {version} of this text"
    return title, f"The first words.\n\n## The end\n\n{title}, to its end."


async def _wait_for(site: OfficeSite, victim: str, seconds: float, chance: random.Random) -> None:
    """Waits these seconds, or for the exchange: the finished pages stand in their place, and nothing leads there yet."""
    if victim != _EXCHANGE:
        await asyncio.sleep(seconds)
        return
    folders_before, began = {*site.pages_folder.glob("[!.]*")}, time.monotonic()
    while not {*site.pages_folder.glob("[!.]*")} - folders_before:
        if time.monotonic() - began > 600:
            raise TimeoutError("no pages were finished")
        await asyncio.sleep(0.001)
    await asyncio.sleep(chance.uniform(0, chance.choice(_EXCHANGE_SECONDS)))


def _kill(site: OfficeSite, victim: str) -> None:
    if victim == _BUILD:
        for pid in filter(_is_build, descendants(site.site.pid)):
            end(pid, signal.SIGKILL)
    else:
        kill_all(site.site)
        site.site.start()


def _is_build(pid: int) -> bool:
    try:
        return b"publishing.limited_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


async def _look(site: OfficeSite, when: str, allowed: set[int], outcome: _Rounds) -> None:
    """Reads every page; notes a fault if one is not whole, or if they are of more than one version."""
    async with site.visitor() as visitor:
        try:
            versions = _versions(await public_pages(visitor))
        except AssertionError as error:
            outcome.faults.append(f"{when}: {error}")
            return
    if len(versions) != 1 or not versions.keys() <= allowed:
        outcome.faults.append(f"{when}: pages by version: {dict(versions)}")
        return
    (served,) = versions
    outcome.served_new += len(allowed) > 1 and served != outcome.public
    outcome.public = served


def _versions(pages: Mapping[str, str]) -> Counter[int]:
    """Returns the number of pages that name each version; the text's own pages must have its end as well."""
    versions = {path: {int(number) for number in _VERSION.findall(page)} for path, page in pages.items()}
    cut = [path for path, page in pages.items() if "version-0-of-this-text" in path and "to its end." not in page]
    assert not cut, f"{cut[0]} has no end"
    assert sum(map(bool, versions.values())) >= _PAGES_WITH_VERSION, "a list or the feed lacks the text"
    return Counter(number for numbers in versions.values() for number in numbers)
