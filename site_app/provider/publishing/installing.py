"""Makes finished pages the public ones: the changed texts go into SITE_CONTENT, the pages to their place, and the pointer to them.

All is on the disk before the first file is renamed. Cut off at any moment, the old pages are whole and public, or the new ones are, and
the whole can be done again.
"""

import ctypes
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from site_app.core.published_pages import CLIENT, EARLIER, is_whole, pages_folder, pointer, published
from site_app.plugins.static_first import ASSETS, MANIFESTS

_DRAFT = ".draft-"
_KEPT_FOLDERS = 2
_EARLIER_SECONDS = 86_400  # for which files of earlier pages can still be fetched
_FOR_OPEN_PAGES = (ASSETS, MANIFESTS)
_FILE_MODE = 0o644


def write_draft(pages: Path, name: str, var: Path, *, earlier: Path | None, now: float | None = None) -> Path:
    """Moves finished pages to a folder of this name beside those that were published, and returns it; nothing leads there yet.

    `earlier` is the folder of the pages that these replace: their scripts and styles come along, for visitors who have them open.
    """
    root = pages_folder(var)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = root / f"{_DRAFT}{name}"
    folder = root / name
    for abandoned in (*root.glob(f"{_DRAFT}*"), folder):
        shutil.rmtree(abandoned, ignore_errors=True)
    shutil.move(pages, draft)
    if earlier is not None:
        _keep_earlier(draft, earlier, time.time() if now is None else now)
    _write_through(draft)
    draft.rename(folder)
    _sync_folder(root)
    return folder


def make_public(folder: Path, content: Path, changes: Mapping[str, bytes | None], var: Path) -> None:
    """Writes the changed texts, then the pointer to the pages. If the disk has no room for one of them, nothing has changed."""
    with _beside(pointer(var), folder.name.encode()) as new_pointer, _all_beside(content, changes) as new_files:
        for path, new_file in new_files.items():
            new_file.replace(content / path)
        for path, text in changes.items():
            if text is None:
                (content / path).unlink(missing_ok=True)
        for folder_of_texts in {(content / path).parent for path in changes}:
            _sync_folder(folder_of_texts)
        new_pointer.replace(pointer(var))
        _sync_folder(pointer(var).parent)


def remove_old(var: Path) -> None:
    """Removes all folders of pages but the last two; the one that is public is among them."""
    current = published(var)
    root = pages_folder(var)
    for abandoned in root.glob(f"{_DRAFT}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    folders = sorted((folder for folder in root.iterdir() if is_whole(folder)), key=lambda folder: folder.stat().st_mtime)
    others = [folder for folder in folders if folder != current]
    for folder in others[: max(0, len(others) - _KEPT_FOLDERS + 1)]:
        shutil.rmtree(folder, ignore_errors=True)


def _keep_earlier(draft: Path, earlier: Path, now: float) -> None:
    """Copies the scripts and styles of earlier pages that these do not have; those that were replaced more than a day ago are left out."""
    for part in (CLIENT, EARLIER):
        root = earlier / part
        for file in sorted(file for folder in _FOR_OPEN_PAGES for file in (root / folder).rglob("*")):
            path = file.relative_to(root)
            if not file.is_file() or (draft / CLIENT / path).exists() or (draft / EARLIER / path).exists():
                continue
            if part == EARLIER and now - file.stat().st_mtime > _EARLIER_SECONDS:
                continue
            kept = draft / EARLIER / path
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, kept)
            replaced_at = now if part == CLIENT else file.stat().st_mtime
            os.utime(kept, (replaced_at, replaced_at))


@contextmanager
def _all_beside(content: Path, changes: Mapping[str, bytes | None]) -> Iterator[dict[str, Path]]:
    """Writes each new content beside its file. What was not renamed at the end of the block is removed."""
    drafts: dict[str, Path] = {}
    try:
        for path, text in changes.items():
            if text is not None:
                drafts[path] = _written_beside(content / path, text)
        yield drafts
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


@contextmanager
def _beside(file: Path, content: bytes) -> Iterator[Path]:
    draft = _written_beside(file, content)
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _written_beside(file: Path, content: bytes) -> Path:
    """Returns a hidden file beside this one with the new content, which is on the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{_DRAFT}{file.name}")
    draft.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _FILE_MODE), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return draft


def _write_through(folder: Path) -> None:
    """Returns when all files of the folder are on the disk: with one call for its file system, since there are thousands."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(AttributeError, OSError):
            if ctypes.CDLL(None).syncfs(handle) == 0:
                return
        os.sync()  # a system without that call
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Returns when the names in the folder are on the disk."""
    with suppress(FileNotFoundError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
