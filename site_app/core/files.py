"""Writes files so that after a crash, also of the machine, they have either the old content or the new one, never a part of it."""

import os
from pathlib import Path

PRIVATE_MODE = 0o600
UNFINISHED = ".unfinished"  # ending of the name of a file or folder that is still being written, or was left by a crash


def write_durably(file: Path, content: bytes) -> None:
    """Writes or replaces a private file, and waits until it is on the disk. A crash may leave an unfinished file beside it."""
    unfinished = file.with_name(file.name + UNFINISHED)
    create_durably(unfinished, content)
    unfinished.replace(file)


def create_durably(file: Path, content: bytes, *, mode: int = PRIVATE_MODE) -> None:
    """Creates a file in place of one of this name, and waits until it is on the disk. After an error there is no file."""
    file.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        file.unlink(missing_ok=True)
        raise
