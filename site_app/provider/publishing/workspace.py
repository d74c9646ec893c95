"""The workspace of builds, in SITE_VAR: the checkout's sources as links, the texts of one build, and a `.web` of its own.

It is kept between builds, since what the compiler left makes the next build fast. While a build runs, it has another name. A build that
was cut off leaves it under that name, where a process of that build that still lives does no harm, and the next one begins anew.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from site_app.core.published_pages import BUILT, content_files, publishing_folder

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
        """Returns True if all packages of npm are here."""
        return (self.folder / _WEB / _PACKAGES).is_dir()

    @property
    def log(self) -> str:
        """The output of Reflex, or an empty text if there is none."""
        with suppress(OSError):
            return (self.folder / _LOG).read_text(errors="replace")
        return ""

    def stage(self, site_content: Path, changes: Mapping[str, bytes | None]) -> None:
        """Puts the texts and pictures of the site here, as they will be with these changes."""
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
    """Returns a workspace for the build of this name, which has been used before if the code has not changed since.

    Removes what builds left that were cut off.
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
