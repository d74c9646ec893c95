"""Writes feeds and sitemap of a site with many articles, without a build. Run by `volume`: python -m tests.trials.bench.machine_files FOLDER.

It prints the processor milliseconds as JSON. The texts are those of SITE_CONTENT, which are read once per process: so each number of them takes one.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from site_app.content.publications import all_publications
from site_app.content.publications.prose import prose
from site_app.content.routes import ROUTES
from site_app.core.i18n import href, use
from site_app.core.locales import LOCALES
from site_app.core.settings import environment, load
from site_app.layout.machine_files import write_feeds, write_machine_files

FEEDS, SITEMAP, RENDERED = "feeds are written", "the sitemap is written", "articles become HTML"


def main(folder: Path) -> None:
    times = {RENDERED: _ms(lambda: [prose(publication.words()) for publication in all_publications()])}
    for route in ROUTES:
        page = folder / route.path.lstrip("/") / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_head(route.path))
    settings = load(environment())
    times[FEEDS] = _ms(lambda: write_feeds(folder, settings))
    times[SITEMAP] = _ms(lambda: write_machine_files(folder, settings))
    print(json.dumps(times))


def _head(path: str) -> str:
    """Returns the part of a built page that the sitemap reads: the links to its translations."""
    links = []
    for locale in LOCALES:
        with use(locale):
            links.append(f'<link rel="alternate" hreflang="{locale.tag}" href="https://www.example.com{href(path)}"/>')
    return f"<!DOCTYPE html><html><head><title>Many</title>{''.join(links)}</head><body></body></html>"


def _ms(job: Callable[[], object]) -> float:
    began = time.process_time()
    job()
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main(Path(sys.argv[1]))
