"""The measured version of the site."""

import subprocess
from functools import cache

from tests.browser.server import ROOT

# Files written by measurements: a commit of only these leaves the site unchanged.
_BUT_RECORDS = (".", ":(exclude)tests/trials/results.*", ":(exclude)docs/operate/scale.md")


@cache
def commit() -> str:
    """Return the last commit that changed more than records, with a + if files have changed since; cached from the start."""
    last = _git("log", "-1", "--format=%h", "--abbrev=8", "--", *_BUT_RECORDS)
    return f"{last}+" if last and _git("status", "--porcelain", "--", *_BUT_RECORDS) else last or "unknown"


def _git(*command: str) -> str:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout.strip()
