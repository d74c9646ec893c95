"""Files in .web that save later builds work: results by the digest of what they follow from."""

import hashlib
import json
from pathlib import Path
from typing import Any


class BuildCache:
    """A JSON file of results by digest. `save` drops the results that this build did not use."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._earlier = _read(file)
        self._used: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """Returns the result for this digest, or None."""
        if key not in self._used and key in self._earlier:
            self._used[key] = self._earlier[key]
        return self._used.get(key)

    def put(self, key: str, value: Any) -> Any:
        self._used[key] = value
        return value

    def save(self) -> None:
        write_atomically(self._file, json.dumps(self._used))


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return {}


def digest(*parts: str | bytes) -> str:
    """Returns a digest of these parts in their order."""
    total = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        total.update(f"{len(content)}:".encode() + content)
    return total.hexdigest()


def write_atomically(file: Path, text: str) -> None:
    """Writes a file; an interrupted build leaves the earlier one."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_text(text)
    unfinished.replace(file)
