"""The pages and files that are served. When new ones are published, a process reads them while it serves the old ones, and then replaces all at once."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

import structlog

from site_app.core.i18n import reload_changed_catalogs
from site_app.core.published_pages import (
    BUILT,
    CLIENT,
    EARLIER,
    code_digest,
    page_tags,
    pages_to_serve,
    pointer_file,
    published_folder,
    read_digests,
)
from site_app.core.settings import Settings
from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.serving.headers import common_headers, page_policy
from site_app.serving.stored_files import ServedFile, load_files

POLL_SECONDS = 1.0
_FOR_OPEN_PAGES = (f"/{ASSETS}/", f"/{MANIFESTS}/")

log = structlog.get_logger()


class ServedPages:
    """The files and the analytics tags of pages, both by path and always replaced together.

    Scripts and styles of earlier pages stay, because visitors who have such a page open may still need them.
    """

    def __init__(self, settings: Settings, tags: Mapping[str, str] | None = None, *, built: Path = BUILT) -> None:
        self.files: Mapping[str, ServedFile] = {}
        self.tags: dict[str, str] = dict(tags or {})
        self._settings = settings
        self._built = built
        self._code = ""
        self._last_pointer = ""  # the pointer's content when it was last read

    @classmethod
    def of(cls, client: Path, settings: Settings) -> "ServedPages":
        """Returns the pages of a folder, which are never replaced."""
        pages = cls(settings)
        pages.files = load_site(client, settings)
        return pages

    def load(self) -> None:
        """Reads the pages that were published last; if they belong to other code, the built ones."""
        self._code = code_digest(self._settings)
        self._last_pointer = self._pointer()
        folder = pages_to_serve(self._settings.var, self._code, self._built)
        self._swap(folder, self._read(folder))

    async def follow(self) -> None:
        """Replaces the pages about a second after new ones are published; runs until cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            name = await asyncio.to_thread(self._pointer)
            if name == self._last_pointer:
                continue
            try:
                await self._replace()
                self._last_pointer = name
            except OSError as error:  # the folder was replaced while it was read; the next round reads its successor
                log.warning("pages.not_read", error=type(error).__name__)

    async def _replace(self) -> None:
        folder = published_folder(self._settings.var)
        if folder is None:  # a build in the checkout replaced it, and is served after the next start
            return
        if read_digests(folder).code != self._code:
            log.warning("pages.built_by_other_code", reference=folder.name)
            return
        began = time.monotonic()
        files = await asyncio.to_thread(self._read, folder)
        await asyncio.to_thread(reload_changed_catalogs)  # for texts that are written at run time: mails, forms, messages
        self._swap(folder, files)
        log.info("pages.replaced", reference=folder.name, count=len(files), seconds=round(time.monotonic() - began, 3))

    def _read(self, folder: Path) -> dict[str, ServedFile]:
        files = dict(load_site(folder / CLIENT, self._settings, cached=self.files))
        earlier = load_site(folder / EARLIER, self._settings, cached=self.files)
        return {path: file for path, file in earlier.items() if path.startswith(_FOR_OPEN_PAGES)} | files

    def _swap(self, folder: Path, files: Mapping[str, ServedFile]) -> None:
        """Replaces files and tags; runs in the event loop, between two requests."""
        self.files = files
        if tags := page_tags(folder):
            self.tags.clear()
            self.tags.update(tags)

    def _pointer(self) -> str:
        try:
            return pointer_file(self._settings.var).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""


def load_site(client: Path, settings: Settings, *, cached: Mapping[str, ServedFile] | None = None) -> Mapping[str, ServedFile]:
    """Returns every file of a folder with this site's headers; reuses the objects of `cached` for unchanged files."""
    return load_files(client, common_headers(settings), lambda html: page_policy(html, settings), cached or {})
