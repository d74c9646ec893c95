"""Limits the process itself: for child processes that read what strangers send. Imports nothing of the site, so that they start at once."""

import os
import resource
from collections.abc import Mapping
from contextlib import suppress


def limit_this_process(limits: Mapping[int, int], *, niceness: int = 0) -> None:
    """Sets these limits, by RLIMIT_… numbers. A service manager may forbid it or allow less; the parent's timeout still applies then."""
    for number, limit in limits.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(number, (limit, limit))
    with suppress(OSError):
        os.nice(niceness)
