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
        replace_file(self._file, json.dumps(self._used).encode())


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


def replace_file(file: Path, content: bytes) -> None:
    """Writes or replaces a file. A build that is interrupted leaves the earlier one; a crash of the machine may leave a part."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(file)
