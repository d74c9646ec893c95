"""The folders of builds in SITE_VAR: the workspace in which pages are made, and the place from which finished pages are served.

The workspace holds the checkout's sources as links, the texts of one build, and a `.web` of its own. It is kept between builds, since
the compiler's files make the next build fast. While a build runs, it is called `build-…`. If the build is killed, the folder keeps this
name, so that a process which outlives the build can do no harm. The next build makes a new workspace.

New pages and texts are written to the disk under other names, then renamed. A crash at any moment leaves either all old pages public or
all new ones; publishing can then be repeated.
"""

import ctypes
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from site_app.core.files import UNFINISHED, create_durably
from site_app.core.published_pages import (
    BUILT,
    CLIENT,
    EARLIER,
    content_files,
    has_pages,
    pages_folder,
    pointer_file,
    published_folder,
    publishing_folder,
)
from site_app.plugins.static_first import ASSETS, MANIFESTS

_WARM, _RUNNING = "workspace", "build-"
_MADE_FOR = "made-for"  # a file with the digest of the code that the workspace was made for
_CONTENT = "content"
_LINKED = ("site_app", "components", "locales", "rxconfig.py", "requirements-build.txt")
_COPIED = ("assets", "reflex.lock")  # Reflex writes into these
_WEB, _PACKAGES = ".web", "node_modules"
_PICTURES = Path(".cache/pictures")
_LOG = Path(".cache/build.log")


class Workspace:
    """The folder in which one build runs."""

    def __init__(self, folder: Path, var: Path) -> None:
        self.folder = folder
        self._var = var

    @property
    def content(self) -> Path:
        """The folder that the build has as its SITE_CONTENT."""
        return self.folder / _CONTENT

    @property
    def built(self) -> Path:
        """The folder of the finished pages."""
        return self.folder / BUILT

    @property
    def has_packages(self) -> bool:
        """True if all packages of npm are here."""
        return (self.folder / _WEB / _PACKAGES).is_dir()

    @property
    def log(self) -> str:
        """The output of Reflex, or "" if there is none."""
        with suppress(OSError):
            return (self.folder / _LOG).read_text(errors="replace")
        return ""

    def fill(self, site_content: Path, changes: Mapping[str, bytes | None]) -> None:
        """Fills the workspace with the texts and pictures of the site, with these changes applied."""
        shutil.rmtree(self.content, ignore_errors=True)
        for file in content_files(site_content):
            path = file.relative_to(site_content).as_posix()
            if path not in changes:
                _copy(file, self.content / path)
        for path, content in changes.items():
            if content is not None:
                (self.content / path).parent.mkdir(parents=True, exist_ok=True)
                (self.content / path).write_bytes(content)

    def keep(self) -> None:
        """Keeps the workspace for the next build. Only to be called when no process of this build is left."""
        warm = publishing_folder(self._var) / _WARM
        shutil.rmtree(warm, ignore_errors=True)
        self.folder.rename(warm)

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def open_workspace(var: Path, checkout: Path, code: str, name: str) -> Workspace:
    """Returns a workspace for the build of this name: that of the last build if the code has not changed since, else a new one.

    Removes the workspaces of builds that were cut off.
    """
    root = publishing_folder(var)
    for abandoned in root.glob(f"{_RUNNING}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    folder = root / f"{_RUNNING}{name}"
    warm = root / _WARM
    with suppress(OSError):
        if (warm / _MADE_FOR).read_text() == code:
            warm.rename(folder)
            return Workspace(folder, var)
    shutil.rmtree(warm, ignore_errors=True)
    try:
        _make(folder, checkout)
        (folder / _MADE_FOR).write_text(code)
    except OSError:  # on a full disk, what was copied would keep the database from noting the failure
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Workspace(folder, var)


def bytes_to_copy(var: Path, checkout: Path) -> int:
    """Returns how much disk the next workspace takes before anything is built: nothing if there is one of an earlier build."""
    if (publishing_folder(var) / _WARM / _MADE_FOR).exists():
        return 0
    web = checkout / _WEB
    folders = [checkout / name for name in _COPIED] + [
        entry for entry in (web.iterdir() if web.is_dir() else ()) if entry.name not in (_PACKAGES, BUILT.name)
    ]
    files = (file for folder in folders for file in ([folder] if folder.is_file() else folder.rglob("*")))
    return sum(file.lstat().st_size for file in files if file.is_file())


def _make(folder: Path, checkout: Path) -> None:
    """Makes a workspace. Takes what the build of the checkout left, if it is there: without it the first build installs packages."""
    folder.mkdir(mode=0o700)
    for name in _LINKED:
        if (checkout / name).exists():
            (folder / name).symlink_to((checkout / name).absolute())
    for name in _COPIED:
        if (checkout / name).is_dir():
            shutil.copytree(checkout / name, folder / name)
    web = checkout / _WEB
    if (web / _PACKAGES).is_dir():
        shutil.copytree(web, folder / _WEB, symlinks=True, ignore=_without_output(web))
        _link_packages(web / _PACKAGES, folder / _WEB / _PACKAGES)
    if (checkout / _PICTURES).is_dir():
        shutil.copytree(checkout / _PICTURES, folder / _PICTURES, copy_function=_copy)


def _without_output(web: Path) -> Callable[[str, list[str]], set[str]]:
    """Leaves out the packages, which are linked, and the pages."""
    return lambda place, names: {_PACKAGES, BUILT.name} & set(names) if Path(place) == web else set()


def _link_packages(packages: Path, folder: Path) -> None:
    """Links each package, in a real folder: Vite writes files of its own there, and the checkout may be read-only."""
    folder.mkdir()
    for package in packages.iterdir():
        if not package.name.startswith(".vite"):
            (folder / package.name).symlink_to(package.absolute())


def _copy(source: str | Path, target: str | Path) -> None:
    """Links the file, which costs nothing, or copies it to another disk. Nothing here is ever written in place."""
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copyfile(source, target, follow_symlinks=False)


_KEPT_FOLDERS = 2
_EARLIER_SECONDS = 86_400  # for which files of earlier pages can still be fetched
_FOR_OPEN_PAGES = (ASSETS, MANIFESTS)
_FILE_MODE = 0o644


def prepare_pages(pages: Path, name: str, var: Path, *, earlier: Path | None, now: float | None = None) -> Path:
    """Moves finished pages to a folder of this name beside those that were published, and returns it. The pages are not public yet.

    `earlier` is the folder of the pages that these replace: their scripts and styles come along, for visitors who have them open.
    """
    root = pages_folder(var)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = root / name
    unfinished = _unfinished(folder)
    _remove_unfinished(root)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.move(pages, unfinished)
    if earlier is not None:
        _copy_earlier(unfinished, earlier, time.time() if now is None else now)
    _sync_files(unfinished)
    unfinished.rename(folder)
    _sync_folder(root)
    return folder


def make_public(folder: Path, content: Path, changes: Mapping[str, bytes | None], var: Path) -> None:
    """Writes the changed texts, then the pointer to the pages. If the disk is too full for one of them, nothing is changed."""
    pointer = pointer_file(var)
    texts = {content / path: text for path, text in changes.items()}
    new_texts = {file: text for file, text in texts.items() if text is not None}
    with _written_beside({**new_texts, pointer: folder.name.encode()}) as unfinished:
        for file in new_texts:
            unfinished[file].replace(file)
        for file in texts.keys() - new_texts.keys():
            file.unlink(missing_ok=True)
        for folder_of_texts in {file.parent for file in texts}:
            _sync_folder(folder_of_texts)
        unfinished[pointer].replace(pointer)
        _sync_folder(pointer.parent)


def remove_old(var: Path) -> None:
    """Removes all folders of pages but the last two; the one that is public is among them."""
    current = published_folder(var)
    root = pages_folder(var)
    _remove_unfinished(root)
    folders = sorted((folder for folder in root.iterdir() if has_pages(folder)), key=lambda folder: folder.stat().st_mtime)
    earlier_folders = [folder for folder in folders if folder != current]
    for folder in earlier_folders[: max(0, len(earlier_folders) - _KEPT_FOLDERS + 1)]:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_earlier(folder: Path, earlier: Path, now: float) -> None:
    """Copies the scripts and styles of earlier pages that these do not have; those that were replaced more than a day ago are left out."""
    for part in (CLIENT, EARLIER):
        root = earlier / part
        for file in sorted(file for name in _FOR_OPEN_PAGES for file in (root / name).rglob("*")):
            path = file.relative_to(root)
            if not file.is_file() or (folder / CLIENT / path).exists() or (folder / EARLIER / path).exists():
                continue
            if part == EARLIER and now - file.stat().st_mtime > _EARLIER_SECONDS:
                continue
            copy = folder / EARLIER / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            replaced_at = now if part == CLIENT else file.stat().st_mtime
            os.utime(copy, (replaced_at, replaced_at))


@contextmanager
def _written_beside(contents: Mapping[Path, bytes]) -> Iterator[Mapping[Path, Path]]:
    """Writes the new content of each file to an unfinished file beside it. At the end of the block, those that were not renamed are removed."""
    unfinished_files: dict[Path, Path] = {}
    try:
        for file, content in contents.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            create_durably(_unfinished(file), content, mode=_FILE_MODE)
            unfinished_files[file] = _unfinished(file)
        yield unfinished_files
    finally:
        for unfinished in unfinished_files.values():
            unfinished.unlink(missing_ok=True)


def _unfinished(path: Path) -> Path:
    """Returns the path of a file or folder until it is complete. It is hidden, so that no build takes it for a text."""
    return path.with_name(f".{path.name}{UNFINISHED}")


def _remove_unfinished(root: Path) -> None:
    """Removes the folders of pages that publishing did not complete."""
    for folder in root.glob(f".*{UNFINISHED}"):
        shutil.rmtree(folder, ignore_errors=True)


def _sync_files(folder: Path) -> None:
    """Waits until all files of the folder are on the disk. One call syncs their file system, because there are thousands of them."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(AttributeError, OSError):
            if ctypes.CDLL(None).syncfs(handle) == 0:
                return
        os.sync()  # a system without that call
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Waits until the folder's own entries are on the disk."""
    with suppress(FileNotFoundError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
