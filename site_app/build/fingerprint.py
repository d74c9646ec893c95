"""Whether the build on disk is the build of these sources, told by their content and never by a time stamp."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from site_app.settings import Settings

SOURCES = ("site_app", "components", "locales", "assets", "rxconfig.py", "requirements.txt", "reflex.lock")
MARK = Path(".web/built-from")
# of the settings, those that the built files hold
BAKED_IN = ("url", "hosts", "production", "boot")


def fingerprint(settings: Settings) -> str:
    """One digest of every source file's name and bytes and of the settings that the build bakes in."""
    digest = hashlib.sha256()
    for file in _files(SOURCES):
        digest.update(file.as_posix().encode() + b"\0" + hashlib.sha256(_content(file)).digest())
    baked = {name: value for name, value in vars(settings).items() if name in BAKED_IN or name.startswith("brand_")}
    digest.update(repr(sorted(baked.items())).encode())
    return digest.hexdigest()


def is_current(settings: Settings) -> bool:
    return MARK.is_file() and MARK.read_text() == fingerprint(settings)


def mark(sources: str) -> None:
    """Say what was built: the fingerprint of before, for a file may change while the build runs."""
    MARK.write_text(sources)


def _content(file: Path) -> bytes:
    """The file's bytes; of npm's lock the meaning alone, whose order Reflex changes at every build."""
    if file.parts[0] != "reflex.lock":
        return file.read_bytes()
    return json.dumps(json.loads(file.read_bytes()), sort_keys=True).encode()


def _files(roots: Iterable[str]) -> Iterable[Path]:
    for root in map(Path, roots):
        if root.is_file():
            yield root
        else:
            yield from sorted(file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
