"""A process that publishes is killed at every moment of it: the pages and the texts are whole each time, and the end is the right one."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from site_app.core.published_pages import CLIENT, published_folder, read_digests
from site_app.core.settings.rules import ROOT
from site_app.provider.store.tables import BuildState
from tests.unit.publishing.publisher import Publisher

pytestmark = pytest.mark.anyio
ROUNDS, SLOW_ROUNDS = 5, 20
_LONG = 200_000  # characters, so that a text which is written in place would be cut off
# Publishes until it is killed; prints a line when it begins. A lease is short, so that the next process need not wait for it.
PROCESS = """
import asyncio, os, sys
from datetime import timedelta
from pathlib import Path
from site_app.core.settings import load
from site_app.provider.publishing import builder, builds
from site_app.provider.store import Store

url, var, content, checkout = sys.argv[1:]
builds.LEASE, builder._RENEW_EVERY, sys.stdout = timedelta(seconds=0.6), 0.2, open(os.devnull, "w")
settings = load({"SITE_VAR": var, "SITE_CONTENT": content, "SITE_PUBLISH": "build"})
command = (sys.executable, f"{checkout}/fake_build.py")

async def publish():
    runner = builder.Builder(Store(url), settings, checkout=Path(checkout), command=command)
    os.write(1, b"begins\\n")
    while True:
        if not await runner.run_next():
            await asyncio.sleep(0.05)

asyncio.run(publish())
"""


@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(SLOW_ROUNDS, marks=pytest.mark.slow)])
async def test_pages_are_whole_whenever_the_process_is_killed(publisher: Publisher, url: str, rounds: int) -> None:
    old = "text0 " + "a" * _LONG
    publisher.text("a.md", old)
    await publisher.request({})
    await publisher.builder.run_next()
    await publisher.request({})
    lasts = await _until_done(publisher, url)

    new = old
    whole_pages = {old}  # a build that was cut off is taken up again in a later round
    for number in range(rounds):
        new = f"text{number + 1} " + "b" * _LONG
        whole_pages.add(new)
        await publisher.request({"articles/a.md": new.encode()})
        process = _start(publisher, url)
        await asyncio.sleep(lasts * (number % ROUNDS + 0.5) / ROUNDS + lasts / ROUNDS * number / rounds)
        process.kill()
        process.wait()

        assert _text(publisher) in whole_pages
        assert _page(publisher) in whole_pages

    await _until_done(publisher, url)
    assert _page(publisher) == _text(publisher) == new


async def _until_done(publisher: Publisher, url: str) -> float:
    """Lets a process publish all that waits, and returns the seconds that it took."""
    process, began = _start(publisher, url), time.monotonic()
    async with asyncio.timeout(60):
        while (await publisher.latest()).state in (BuildState.WAITING, BuildState.RUNNING):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    process.kill()
    process.wait()
    assert (await publisher.latest()).state == BuildState.DONE
    return time.monotonic() - began


def _start(publisher: Publisher, url: str) -> "subprocess.Popen[str]":
    settings = publisher.settings
    arguments = [url, str(settings.var), str(settings.content_folder), str(publisher.checkout)]
    process = subprocess.Popen(
        [sys.executable, "-c", PROCESS, *arguments],
        cwd=ROOT,
        env=os.environ | {"SITE_ENV_FILE": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "begins\n"
    process.stdout.close()
    return process


def _text(publisher: Publisher) -> str:
    return (publisher.settings.content_folder / "articles/a.md").read_text()


def _page(publisher: Publisher) -> str:
    """Returns the text of the page that is public; everything else of these pages must fit it."""
    folder = published_folder(publisher.settings.var)
    assert folder is not None
    assert read_digests(folder).code
    html = (folder / CLIENT / "index.html").read_text()
    text = html.removeprefix("<html><head></head><body>").removesuffix("</body></html>")
    assert len(html) - len(text) == len("<html><head></head><body></body></html>")
    assert text in [file.read_text() for file in Path(folder / CLIENT / "assets").iterdir()]
    return text
