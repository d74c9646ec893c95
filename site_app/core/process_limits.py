"""Limits the process that calls it: child processes that read files of strangers, and builds.

Imports nothing of the site, so that these processes start at once.
"""

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
