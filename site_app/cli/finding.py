"""What one check says."""

from dataclasses import dataclass

WELL, ODD, WRONG = "well", "odd", "wrong"


@dataclass(frozen=True)
class Finding:
    """What was found of a subject, how bad that is, and what to do about it."""

    subject: str
    state: str
    says: str
    mend: str = ""
