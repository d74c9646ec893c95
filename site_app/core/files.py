"""Writes files so that a crash leaves either the old content or the new one, never a part of it."""

import os
from pathlib import Path

PRIVATE_MODE = 0o600


def write_atomically(file: Path, content: bytes) -> None:
    """Writes or replaces a private file. A crash may leave a file beside it that is called like it and ends in `.part`."""
    unfinished = file.with_name(f"{file.name}.part")
    write_to_disk(unfinished, content)
    unfinished.replace(file)


def write_to_disk(file: Path, content: bytes, *, mode: int = PRIVATE_MODE) -> None:
    """Writes a new file and waits until it is on the disk; removes one that is in the way. After an error there is no file."""
    file.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        file.unlink(missing_ok=True)
        raise
