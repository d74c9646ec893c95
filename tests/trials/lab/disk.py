"""A small disk of a trial's own, in memory, which can be filled up."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.trials.lab.scorecard import NotRun


@contextmanager
def small_disk(folder: Path, *, megabytes: int) -> Iterator[None]:
    """Mounts a disk of this size at a new folder. Whatever uses it must be stopped before the end of the block."""
    if os.geteuid() != 0:
        raise NotRun("needs root, to mount a small tmpfs")
    folder.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"tmpfs", str(folder).encode(), b"tmpfs", 0, f"size={megabytes}m".encode()):
        raise NotRun(f"a tmpfs cannot be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield
    finally:
        libc.umount2(str(folder).encode(), 2)
