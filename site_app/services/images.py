"""Writes pictures anew, so that nothing but the picture is kept: no places, names or programs."""

import errno
import os
import subprocess
import sys
from pathlib import Path

from site_app.services.refusals import FileRefused

PICTURES = frozenset({"png", "jpg", "jpeg", "webp"})
_LONGEST_SECONDS = 12  # a browser waits for 20; the process itself ends after eight of work
_ROOT = Path(__file__).parents[2]
_BROKEN, _TOO_LARGE, _NO_ROOM = "file_broken", "picture_too_large", "no_room"


def rewrite_image(file: Path, kind: str) -> None:
    """Replace the file by the same picture, whose only metadata is the side that is up; of an animation the first frame stays.

    A process of its own does it, so that no picture takes the site's memory or its time; raises OSError where the disk is full.
    """
    command = [sys.executable, "-m", "site_app.services.image_process", str(file.absolute()), kind]
    try:
        done = subprocess.run(command, cwd=_ROOT, capture_output=True, timeout=_LONGEST_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise FileRefused(_TOO_LARGE, too_large=True) from None
    problem = done.stdout.decode("ascii", "replace")
    if done.returncode:
        problem = _TOO_LARGE if done.returncode < 0 else _BROKEN  # ended by a bound, or by an error of the decoder's
    if problem == _NO_ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if problem:
        raise FileRefused(problem, too_large=problem == _TOO_LARGE)
