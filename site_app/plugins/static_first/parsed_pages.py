"""Parses pages, and keeps for later builds what was found in their bodies and which style they need: most do not change.

The head of a page holds names of files that change with each build, the body does not.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from site_app.plugins.static_first.check import Page

_RECIPE = "2"  # another number has everything parsed anew


class Kept:
    """A file of texts or facts by a digest. Those that a build did not ask for are dropped at its end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._earlier = _read(file)
        self._used: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """Returns what is kept for this digest, or None."""
        if key not in self._used and key in self._earlier:
            self._used[key] = self._earlier[key]
        return self._used.get(key)

    def put(self, key: str, value: Any) -> Any:
        self._used[key] = value
        return value

    def save(self) -> None:
        draft = self._file.with_name(f"{self._file.name}.draft")
        draft.write_text(json.dumps(self._used))
        draft.replace(self._file)


class ParsedPages:
    """Parses pages. What their bodies hold is kept in a file."""

    def __init__(self, folder: Path) -> None:
        self._bodies = Kept(folder / "parsed_bodies.json")

    def page(self, path: str, html: str) -> Page:
        """Returns the page with all its parts."""
        head, mark, body = html.partition("<body")
        page = Page(path, head)
        key = digest(_RECIPE, body)
        page.add(self._bodies.get(key) or self._bodies.put(key, Page("", mark + body).facts()))
        return page

    def save(self) -> None:
        self._bodies.save()


def digest(*parts: str | bytes) -> str:
    """Returns a digest of these parts in their order."""
    total = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        total.update(f"{len(content)}:".encode() + content)
    return total.hexdigest()


def keys_of_styles(sheet: bytes, pages: Mapping[Path, Mapping[str, Any]], tools: Iterable[Path]) -> dict[Path, str]:
    """Returns a digest of all that the style of each page follows from: the sheet, what the page uses, and the program that selects."""
    same_for_all = digest(sheet, *(tool.read_bytes() for tool in tools))
    return {page: digest(same_for_all, json.dumps(used, sort_keys=True)) for page, used in pages.items()}


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
