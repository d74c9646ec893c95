"""Which version of the site a measurement is of."""

import subprocess
from functools import cache

from tests.browser.server import ROOT

# What measuring writes itself: a commit that holds only these leaves the site as it was.
_BUT_RECORDS = (".", ":(exclude)tests/trials/results.*", ":(exclude)docs/operate/scale.md")


@cache
def commit() -> str:
    """The last commit that changed more than records, with a + where files were changed since; what it was at the start."""
    last = _git("log", "-1", "--format=%h", "--abbrev=8", "--", *_BUT_RECORDS)
    return f"{last}+" if last and _git("status", "--porcelain", "--", *_BUT_RECORDS) else last or "unknown"


def _git(*command: str) -> str:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout.strip()
