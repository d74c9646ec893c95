"""A full disk, a broken picture, a text that breaks the build, and a clock that jumps over a schedule."""

import asyncio
import io
import re
import shutil
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
from PIL import Image

from site_app.core.settings import load
from site_app.provider.store.tables import BuildState
from tests.support.builders import message
from tests.trials.lab.disk import small_disk
from tests.trials.lab.packages import install
from tests.trials.lab.scorecard import NotRun, Verdict
from tests.trials.lab.trial import Trial
from tests.trials.lab.visitors import form_token
from tests.trials.publish.office_site import ADA, OfficeSite, Person, public_pages, publish, sentences, until_public

_MEGABYTE = 2**20
_DISK_MEGABYTES = 400
_RESERVE_MEGABYTES = 20  # SITE_UPLOADS_RESERVE_MB of this site
_DISK_FULL = "The disk is full: make room, then publish again."


async def full_disk(trial: Trial) -> Verdict:
    """Publishes with less and less room on the disk, and at last with enough again, without a restart."""
    folder = trial.folder / "disk"
    with small_disk(folder, megabytes=_DISK_MEGABYTES):
        try:
            return await _on_full_disk(trial, folder)
        finally:
            trial.close_sites()


async def _on_full_disk(trial: Trial, folder: Path) -> Verdict:
    site = OfficeSite(trial, folder=folder, uploads_reserve_mb=str(_RESERVE_MEGABYTES))
    ballast, outcomes, faults = folder / "ballast", list[str](), list[str]()
    async with Person(site, ADA) as ada, site.visitor() as visitor:
        text = await ada.begin("A text for a full disk")
        await publish(site, ada, text, "The first words")
        for free in (25,) if trial.short else (45, 35, 25, 10):  # megabytes; a build writes about 50
            pages_before = await public_pages(visitor), _files(site)
            _fill(ballast, folder, free)
            words = f"With {free} MB"
            response = await ada.save(text, "publish", title=words, text=f"{words}.\n")
            assert response.status_code == 303, sentences(response)
            await asyncio.sleep(1)
            build = await site.until_ended()
            if build.state == BuildState.DONE:
                await until_public(site, words)  # the next one is compared with these pages
            accepts_lead = await _takes_lead(visitor)
            ballast.unlink()
            outcomes.append(f"{free} MB free: {build.state}, leads {'taken' if accepts_lead else 'refused'}")
            if not accepts_lead:
                faults.append(f"{free} MB free: a lead was refused")
            if build.state == BuildState.FAILED and build.problem != _DISK_FULL:
                faults.append(f"{free} MB free: {build.problem}")
            if build.state == BuildState.FAILED and pages_before != (await public_pages(visitor), _files(site)):
                faults.append(f"{free} MB free: pages or texts changed")
        await publish(site, ada, text, "The last words")
        pages = await public_pages(visitor)
    is_public = any("The last words" in page for page in pages.values())
    has_failed = any(BuildState.FAILED in outcome for outcome in outcomes)
    figure = "; ".join([*outcomes, "published when there was room again, not restarted", *faults])
    return Verdict(is_public and has_failed and not faults, figure)


def _fill(ballast: Path, folder: Path, free_megabytes: int) -> None:
    """Writes a file that leaves this much room on the disk."""
    with ballast.open("wb") as file:
        while (room := shutil.disk_usage(folder).free - free_megabytes * _MEGABYTE) > 0:
            file.write(b"x" * min(room, _MEGABYTE))
            file.flush()


async def broken_picture(site: OfficeSite) -> Verdict:
    """Sends broken pictures to the office, and has one of them lie beside the texts when the next text is published."""
    outcomes, faults = list[str](), list[str]()
    async with Person(site, ADA) as ada, site.visitor() as visitor:
        text = await ada.begin("A text with a broken picture")
        for name, content in _broken_pictures().items():
            base = await ada.base(f"{text}/en")
            response = await ada.upload(f"{text}/en", (name, content), do="picture", picture_alt="A broken picture", base=base)
            sentence = sentences(response, place='id="picture-error"')
            outcomes.append(f"{name}: {sentence}")
            if response.status_code != 422 or not sentence.partition(" ")[2]:
                faults.append(f"{name} was answered with {response.status_code} and no sentence")
        pages_before = await public_pages(visitor), _files(site)
        broken = site.article("estimate-ranges").with_suffix(".webp")
        picture = broken.read_bytes()
        broken.write_bytes(picture[: len(picture) // 2])
        faults += await _fails(site, ada, text, "estimate-ranges.webp", outcomes)
        broken.write_bytes(picture)
        if pages_before != (await public_pages(visitor), _files(site)):
            faults.append("pages or texts changed")
        await publish(site, ada, text, "Words without a picture")
    return Verdict(not faults, "; ".join([*outcomes, "published when it was whole again", *faults]))


def _broken_pictures() -> Mapping[str, bytes]:
    content = io.BytesIO()
    Image.effect_noise((1200, 700), 80).convert("RGB").save(content, "PNG")
    png = content.getvalue()
    return {"cut-off.png": png[: len(png) // 2], "words.png": b"These are words. " * 100, "empty.jpg": b""}


async def broken_front_matter(site: OfficeSite) -> Verdict:
    """Publishes texts with mistakes in the office, and one beside which a file was broken by hand."""
    outcomes, faults = list[str](), list[str]()
    async with Person(site, ADA) as ada, site.visitor() as visitor:
        text = await ada.begin("A text with mistakes")
        pages_before = await public_pages(visitor), _files(site)
        for fault, form in {"no summary": {"f.summary": ""}, "an unknown author": {"f.authors": "nobody"}}.items():
            response = await ada.save(text, "publish", title="A text with mistakes", text="Words.\n", **form)
            outcomes.append(f"{fault}: {sentences(response)[:120]}")
            if response.status_code != 422:
                faults.append(f"{fault}: {response.status_code}")
        file = site.article("how-we-estimate")
        text_before = file.read_text()
        file.write_text(text_before.replace("summary:", "abstract:", 1))
        faults += await _fails(site, ada, text, "articles/how-we-estimate.md, line 1: summary: it is missing.", outcomes)
        listing = (await ada.get("/content")).text
        if "summary: it is missing." not in listing:
            faults.append("the list does not say why")
        file.write_text(text_before)
        if pages_before != (await public_pages(visitor), _files(site)):
            faults.append("pages or texts changed")
        await publish(site, ada, text, "Words without a mistake")
    return Verdict(not faults, "; ".join([*outcomes, "published when it was mended", *faults]))


async def _fails(site: OfficeSite, person: Person, text: str, sentence: str, outcomes: list[str]) -> list[str]:
    """Publishes a good text; returns what is wrong if the build does not fail with this sentence."""
    response = await person.save(text, "publish", title="A good text", text="Good words.\n")
    assert response.status_code == 303, sentences(response)
    build = await site.until_ended()
    outcomes.append(f"beside it the build: {build.problem or build.state}")
    return [] if build.state == BuildState.FAILED and sentence in build.problem else [f"expected {sentence}"]


_LIBRARY = "faketime/libfaketime.so.1"
_HOUR = timedelta(hours=1)


async def jumping_clock(trial: Trial) -> Verdict:
    """Schedules two texts, sets the clock forward over both, then back behind the schedule of a third one."""
    library, jump = await asyncio.to_thread(_faketime), trial.folder / "jump"
    jump.write_text("+0")
    (trial.folder / "sitecustomize.py").write_text(_SLEEP)
    variables = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(jump), "PYTHONPATH": str(trial.folder)}
    site = OfficeSite(trial, variables=_FAKED | variables)
    async with Person(site, ADA) as ada, site.visitor() as visitor:
        texts = [await ada.begin(f"Scheduled text {number}") for number in range(3)]
        for number, text in enumerate(texts[:2]):
            await _schedule(ada, text, f"Scheduled text {number}", delay=_HOUR * (number + 1))
        await asyncio.sleep(_SEVERAL_LOOKS)
        early_titles = await _public_titles(visitor)
        jump.write_text("+3h")
        await site.until_build(lambda _: all(build.state == BuildState.DONE for build in site.builds()))
        await until_public(site, "Scheduled text 0", "Scheduled text 1")
        runs = [build.attempts for build in site.builds()]
        await _schedule(ada, texts[2], "Scheduled text 2", delay=4 * _HOUR)
        jump.write_text("+0")
        await asyncio.sleep(_SEVERAL_LOOKS)
        newest, behind = site.builds()[0].state, await _public_titles(visitor)
        jump.write_text("+5h")
        await site.until_ended()
        await until_public(site, "Scheduled text 2")
    faults = [
        *([f"public before their moment: {early_titles}"] if early_titles else []),
        *([f"builds were begun {runs} times"] if set(runs) != {1} else []),
        *([f"with the clock behind, the third one is {newest}"] if newest != BuildState.WAITING else []),
        *(["the third one was public before its moment"] if "Scheduled text 2" in behind else []),
    ]
    figure = (
        "a jump of 3 h over two schedules: both public, each built once; 3 h back: the third one waits; forward over it: public"
    )
    return Verdict(not faults, "; ".join(faults) or figure)


_SEVERAL_LOOKS = 10  # seconds; the builder looks every second one
_FAKED = {"DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"}
# The library refuses Python's own sleep, which waits until a moment of the clock that is not changed.
_SLEEP = "import select, time\ntime.sleep = lambda seconds: select.select([], [], [], seconds)\n"


def _faketime() -> Path:
    """Returns the library that changes the clock of one process; raises NotRun if it is not to be had."""
    for attempt in range(2):
        if libraries := [*Path("/usr/lib").glob(f"*/{_LIBRARY}")]:
            return libraries[0]
        if attempt == 0:
            install(["faketime"])
    raise NotRun("not installed here: libfaketime; install the package faketime and run it again")


async def _schedule(person: Person, text: str, title: str, *, delay: timedelta) -> None:
    moment = datetime.now(ZoneInfo(load({}).booking_zone)) + delay
    response = await person.save(text, "schedule", title=title, text=f"{title}.\n", moment=f"{moment:%Y-%m-%dT%H:%M}")
    assert response.status_code == 303, sentences(response)


async def _public_titles(visitor: httpx.AsyncClient) -> set[str]:
    return set(re.findall(r"Scheduled text \d", (await visitor.get("/articles")).text))


def _files(site: OfficeSite) -> dict[str, bytes]:
    """Returns the content of all texts and pictures."""
    return {str(file): file.read_bytes() for file in site.content.rglob("*") if file.is_file()}


async def _takes_lead(visitor: httpx.AsyncClient) -> bool:
    visitor.headers["X-API-Key"] = "website"
    token = await form_token(visitor)
    response = await visitor.post("/v1.0/sendMessage", json=message(token=token))
    return response.status_code == 200
