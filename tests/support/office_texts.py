"""A published article of the office's tests, the fields of its form, and what the builder does with its changes."""

import re
from pathlib import Path

from sqlmodel import Session

from site_app.provider.http.call import ApiContext
from site_app.provider.publishing import builds
from tests.support.office_browser import Browser

PATH = "/content/article/estimates/en"
ENGLISH = """---
title: How we estimate
summary: What an estimate is made of, and why it is a range before it is a number.
date: 2026-05-01
authors: [priya-nair]
---
First part.

Second part.
"""
FIELDS = {
    "f.title": "How we estimate",
    "f.summary": "What an estimate is made of, and why it is a range before it is a number.",
    "f.date": "2026-05-01",
    "f.authors": "priya-nair",
    "text": "First part.\n\nSecond part.\n",
}


async def base_of(browser: Browser, path: str = PATH) -> str:
    page = await browser.get(path)
    assert page.status_code == 200, page.text
    match = re.search(r'name="base" value="(\w*)"', page.text)
    assert match
    return match[1]


async def install(context: ApiContext, folder: Path) -> None:
    """Writes the files of all due builds, as the builder does, and ends them."""

    def take(session: Session) -> None:
        for build in builds.waiting(session, now=context.clock()):
            for path, content in builds.changes_of(session, build).items():
                file = folder.parent / path
                file.unlink(missing_ok=True) if content is None else file.write_bytes(content)
            build.state, build.finished_at = "done", context.clock()
            session.add(build)

    await context.store.write(take)
