"""The texts, pictures and translations of the site, in SITE_CONTENT. Only slugs and checked names become paths, and no symbolic link is followed."""

import os
import re
import stat
from collections.abc import Iterable, Mapping

from site_app.contracts.publication import FOLDERS, is_picture_name, is_slug
from site_app.core.i18n.office_catalogs import TRANSLATIONS_FOLDER
from site_app.core.locales import BY_ID, ENGLISH, LOCALES
from site_app.core.settings import Settings

MAX_TEXT_BYTES = 1_000_000  # more than MAX_DRAFT_BYTES: a file from git may be larger than what the office writes
MAX_PICTURE_BYTES = 20_000_000  # also of a catalog; with every text at its longest it has half of that
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe of that name must not make a reader wait
_TEXT = re.compile(r"(?P<slug>[^.]+)(?:\.(?P<language>[a-z]+))?\.md")


class WrongPath(ValueError):
    """The path is not that of a text, a picture or a catalog of the site."""


def text_path(kind: str, slug: str, language: str = ENGLISH.id) -> str:
    """Returns the path of a text, below SITE_CONTENT. Raises WrongPath for an unknown kind or language, and for an invalid slug."""
    if kind not in FOLDERS or not is_slug(slug) or language not in BY_ID:
        raise WrongPath(f"{kind}, {slug}, {language}")
    return f"{FOLDERS[kind]}/{slug}{'' if language == ENGLISH.id else f'.{language}'}.md"


def picture_path(kind: str, name: str) -> str:
    """Returns the path of a picture beside the texts of its kind, below SITE_CONTENT."""
    if kind not in FOLDERS or not is_picture_name(name):
        raise WrongPath(f"{kind}, {name}")
    return f"{FOLDERS[kind]}/{name}"


def translations_path(language: str) -> str:
    """Returns the path of the translations that were written in the office, below SITE_CONTENT. Raises WrongPath for other languages."""
    if language not in BY_ID or language == ENGLISH.id:
        raise WrongPath(language)
    return f"{TRANSLATIONS_FOLDER}/{language}.po"


def checked_path(path: str) -> str:
    """Returns the path if it is one that the functions above make. Raises WrongPath otherwise."""
    folder, _, name = path.partition("/")
    if folder == TRANSLATIONS_FOLDER:
        if translations_path(name.removesuffix(".po")) != path:
            raise WrongPath(path)
        return path
    kind = next((kind for kind, its_folder in FOLDERS.items() if its_folder == folder), "")
    text = _TEXT.fullmatch(name)
    made_path = text_path(kind, text["slug"], text["language"] or ENGLISH.id) if text else picture_path(kind, name)
    if made_path != path:
        raise WrongPath(path)
    return path


def texts_among(paths: Iterable[str]) -> set[str]:
    """Returns the paths of texts and catalogs, without those of pictures."""
    return {path for path in paths if path.endswith((".md", ".po"))}


class ContentFiles:
    """Lists and reads the texts and pictures of SITE_CONTENT as they are on the disk. A missing folder is empty."""

    def __init__(self, settings: Settings) -> None:
        self.root = settings.content_folder

    def texts(self, kind: str) -> Mapping[str, tuple[str, ...]]:
        """Returns the languages of each text by its slug, in the order of the site's languages."""
        languages: dict[str, set[str]] = {}
        for name in self._names(kind):
            match = _TEXT.fullmatch(name)
            language = (match["language"] or ENGLISH.id) if match else ""
            if (
                match
                and is_slug(match["slug"])
                and language in BY_ID
                and name == text_path(kind, match["slug"], language).rpartition("/")[2]
            ):
                languages.setdefault(match["slug"], set()).add(language)
        return {slug: tuple(locale.id for locale in LOCALES if locale.id in languages[slug]) for slug in sorted(languages)}

    def changed_at(self, kind: str) -> int:
        """Returns when a file of this kind was last added, removed or replaced, in nanoseconds, or 0 if there is no folder."""
        try:
            return (self.root / FOLDERS[kind]).stat().st_mtime_ns
        except OSError:
            return 0

    def text(self, kind: str, slug: str, language: str = ENGLISH.id) -> str | None:
        """Returns a text with its front matter, or None if there is none.

        Lines end as the build reads them, in \\n. Bytes that are not valid UTF-8 are replaced, and so is NUL, which PostgreSQL refuses.
        """
        content = self.read(text_path(kind, slug, language))
        if content is None:
            return None
        text = content.decode("utf-8-sig", errors="replace").replace("\0", "\ufffd")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def pictures(self, kind: str) -> tuple[str, ...]:
        """Returns the names of the pictures beside the texts of a kind."""
        return tuple(name for name in self._names(kind) if is_picture_name(name))

    def picture(self, kind: str, name: str) -> bytes | None:
        return self.read(picture_path(kind, name))

    def translations(self, language: str) -> bytes | None:
        """Returns the catalog of what was translated in the office, or None if there is none."""
        return self.read(translations_path(language))

    def read(self, path: str) -> bytes | None:
        """Returns the content of a file by its path, or None if there is none that may be read."""
        folder_name, _, name = checked_path(path).partition("/")
        largest = MAX_TEXT_BYTES if name.endswith(".md") else MAX_PICTURE_BYTES
        try:
            folder = os.open(self.root / folder_name, _FOLDER_FLAGS)
        except OSError:
            return None
        try:
            with os.fdopen(os.open(name, _FILE_FLAGS, dir_fd=folder), "rb") as file:
                state = os.fstat(file.fileno())
                return file.read() if stat.S_ISREG(state.st_mode) and state.st_size <= largest else None
        except OSError:
            return None
        finally:
            os.close(folder)

    def _names(self, kind: str) -> list[str]:
        """Returns the names of all regular files of a kind's folder that are not hidden, in order."""
        try:
            folder = os.open(self.root / FOLDERS[kind], _FOLDER_FLAGS)
        except OSError:
            return []
        try:
            with os.scandir(folder) as entries:
                return sorted(
                    entry.name for entry in entries if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)
                )
        finally:
            os.close(folder)
