"""What a check found: how well a subject is, and what to do about it."""

from dataclasses import dataclass
from functools import partial

WELL, ODD, WRONG = "well", "odd", "wrong"


@dataclass(frozen=True)
class Finding:
    """`mend` says what to do; empty where nothing is to be done."""

    state: str
    subject: str
    says: str
    mend: str = ""


well, odd, wrong = (partial(Finding, state) for state in (WELL, ODD, WRONG))
