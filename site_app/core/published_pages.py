"""Where finished pages are: those of `make build`, and those that were published last. Who writes and who serves them meets here.

A folder of pages has `client/` with the files that are served, and `built-with.json`, which says what they were made of. Published ones
have `earlier/` too: files that pages of earlier folders need while a visitor still has them open. The file `current` names the folder
that counts. It is replaced by one rename, so whoever reads it finds the old pages or the new ones, and both are whole.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from site_app.core.page_sources import Sources

BUILT = Path(".web/build")
CLIENT, EARLIER = "client", "earlier"
ABOUT = "built-with.json"
_TAGS = "tags.json"


def publishing_folder(var: Path) -> Path:
    """Returns the folder of all that publishing keeps, in SITE_VAR."""
    return var / "publishing"


def pages_folder(var: Path) -> Path:
    return publishing_folder(var) / "pages"


def pointer(var: Path) -> Path:
    """Returns the file that names the folder of the pages published last."""
    return publishing_folder(var) / "current"


def published(var: Path) -> Path | None:
    """Returns the folder of the pages published last, or None if there is none."""
    try:
        name = pointer(var).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    folder = pages_folder(var) / name
    return folder if name and Path(name).name == name and is_whole(folder) else None


def is_whole(folder: Path) -> bool:
    """Returns True if the folder has pages; a folder that is still being written has another name."""
    return (folder / CLIENT / "index.html").is_file() and (folder / ABOUT).is_file()


def made_of(folder: Path) -> Sources:
    """Returns the digests of what the pages in this folder were made of; empty ones if that is not known."""
    about = about_pages(folder)
    return Sources(str(about.get("code", "")), str(about.get("content", "")))


def about_pages(folder: Path) -> Mapping[str, Any]:
    """Returns what was noted with the pages: their digests, and the settings that stand in them."""
    return _read(folder / ABOUT)


def write_about(folder: Path, made_from: Sources, settings: Mapping[str, str]) -> None:
    (folder / ABOUT).write_text(json.dumps({**made_from._asdict(), **settings}))


def page_tags(folder: Path) -> Mapping[str, str]:
    """Returns the tag of each page by its path, under which its views are counted."""
    return _read(folder / _TAGS)


def write_page_tags(folder: Path, tags: Mapping[str, str]) -> None:
    (folder / _TAGS).write_text(json.dumps(tags, indent=1))


def pages_to_serve(var: Path, code: str, built: Path = BUILT) -> Path:
    """Returns the folder of the pages that were published last, if they are of this code, else that of `make build`.

    So a new release is not hidden by pages of an older one, and the texts of a build do not hide those published after it.
    """
    folder = published(var)
    return folder if folder is not None and made_of(folder).code == code else built


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
