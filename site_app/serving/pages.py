"""The pages of this process, in memory. When others are published, they are read beside these and take their place at once."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

import structlog

from site_app.core.i18n import read_catalogs_anew
from site_app.core.published_pages import (
    BUILT,
    CLIENT,
    EARLIER,
    code_digest,
    made_of,
    page_tags,
    pages_to_serve,
    pointer,
    published,
)
from site_app.core.settings import Settings
from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.serving.files import StoredFile, load_files
from site_app.serving.headers import common_headers, page_policy

LOOK_AGAIN_SECONDS = 1.0
_FOR_OPEN_PAGES = (f"/{ASSETS}/", f"/{MANIFESTS}/")

log = structlog.get_logger()


class ServedPages:
    """`files` are all files by their path, `tags` the tags of all pages by theirs. Both are exchanged together.

    Scripts and styles of earlier pages stay: a visitor who has such a page open may still need them.
    """

    def __init__(self, settings: Settings, tags: Mapping[str, str] | None = None, *, built: Path = BUILT) -> None:
        self.files: Mapping[str, StoredFile] = {}
        self.tags: dict[str, str] = dict(tags or {})
        self._settings, self._built = settings, built
        self._code = ""
        self._seen = ""  # the content of the pointer that was looked at last

    @classmethod
    def of(cls, client: Path, settings: Settings) -> "ServedPages":
        """Returns the pages in a folder of files, which are never exchanged."""
        pages = cls(settings)
        pages.files = load_site(client, settings)
        return pages

    def load(self) -> None:
        """Reads the pages that were published last, if they are of this code, else those that were built."""
        self._code = code_digest(self._settings)
        self._seen = self._pointer()
        folder = pages_to_serve(self._settings.var, self._code, self._built)
        self._take(folder, self._read(folder))

    async def follow(self) -> None:
        """Takes pages that are published from now on, about a second later; until cancelled."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            name = await asyncio.to_thread(self._pointer)
            if name == self._seen:
                continue
            try:
                await self._exchange()
                self._seen = name
            except OSError as error:  # a folder that was replaced while it was read: its successor is named by now
                log.warning("pages.not_read", error=type(error).__name__)

    async def _exchange(self) -> None:
        folder = published(self._settings.var)
        if folder is None:  # a build in the checkout has taken its place, and counts at the next start
            return
        if made_of(folder).code != self._code:
            log.warning("pages.of_other_code", reference=folder.name)
            return
        began = time.monotonic()
        files = await asyncio.to_thread(self._read, folder)
        await asyncio.to_thread(read_catalogs_anew)  # for what is written here and not in the files: mails, forms, messages
        self._take(folder, files)
        log.info("pages.taken", reference=folder.name, count=len(files), seconds=round(time.monotonic() - began, 3))

    def _read(self, folder: Path) -> dict[str, StoredFile]:
        files = dict(load_site(folder / CLIENT, self._settings, known=self.files))
        earlier = load_site(folder / EARLIER, self._settings, known=self.files)
        return {path: file for path, file in earlier.items() if path.startswith(_FOR_OPEN_PAGES)} | files

    def _take(self, folder: Path, files: Mapping[str, StoredFile]) -> None:
        """Exchanges files and tags; runs in the event loop, between two requests."""
        self.files = files
        if tags := page_tags(folder):
            self.tags.clear()
            self.tags.update(tags)

    def _pointer(self) -> str:
        try:
            return pointer(self._settings.var).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""


def load_site(client: Path, settings: Settings, *, known: Mapping[str, StoredFile] | None = None) -> Mapping[str, StoredFile]:
    """Returns every file of a folder with this site's headers; the objects of `known` for files that have not changed."""
    return load_files(client, common_headers(settings), lambda html: page_policy(html, settings), known or {})
