"""Whether the build on disk is the build of these sources, told by their content and never by a time stamp."""

import hashlib
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
        digest.update(file.as_posix().encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    baked = {name: value for name, value in vars(settings).items() if name in BAKED_IN or name.startswith("brand_")}
    digest.update(repr(sorted(baked.items())).encode())
    return digest.hexdigest()


def is_current(settings: Settings) -> bool:
    return MARK.is_file() and MARK.read_text() == fingerprint(settings)


def mark(settings: Settings) -> None:
    MARK.write_text(fingerprint(settings))


def _files(roots: Iterable[str]) -> Iterable[Path]:
    for root in map(Path, roots):
        if root.is_file():
            yield root
        else:
            yield from sorted(file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
