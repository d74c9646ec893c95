"""Lists folders that hold a file for each lead in parts, so that the memory it takes does not grow with them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

_PART = 500


def names_in(folder: Path, before: datetime | None = None) -> Iterator[list[str]]:
    """The names in a folder, some hundred at a time: of all files, or of those last written before then."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        names = (entry.name for entry in entries if before is None or _written_before(entry, before))
        while part := list(islice(names, _PART)):
            yield part


def _written_before(entry: os.DirEntry[str], then: datetime) -> bool:
    with suppress(FileNotFoundError):  # gone meanwhile
        return entry.stat().st_mtime < then.timestamp()
    return False
