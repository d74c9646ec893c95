"""A submission is made once, however often it is sent: its key decides, inside the lead's own transaction."""

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlmodel import Session

from site_app.contracts.submission import Submission
from site_app.services.refusals import KeyReused
from site_app.store import insert_if_new
from site_app.store.tables import IdempotencyKey

# A reference is read out over the phone: without 0 O 1 I L, and of 2 Z, 5 S and 8 B only the digit.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


def once(
    session: Session,
    submission: Submission,
    *,
    letter: str,
    now: datetime,
    make: Callable[[str], object],
    quarantined: bool = False,
) -> dict[str, Any]:
    """The answer to a submission, after `make` has kept it under a new reference; or the answer its key got before."""
    kind = type(submission).__name__
    said = hashlib.sha256(submission.words().encode()).hexdigest()
    while True:
        answer = {"reference": new_reference(letter), "quarantined": quarantined}
        row = {"kind": kind, "key": submission.key, "body_hash": said, "created_at": now, **answer}
        if insert_if_new(session, IdempotencyKey, row):
            make(answer["reference"])
            return answer
        earlier = session.get(IdempotencyKey, (kind, submission.key))
        if earlier is not None:
            if earlier.body_hash != said:
                raise KeyReused(submission.key)
            return {"reference": earlier.reference, "quarantined": earlier.quarantined}
        # Neither our key nor a commit of a rival's: the reference itself was taken.


def new_reference(letter: str) -> str:
    """Such as Q-7F3K-29: short enough to say, too many to guess at."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(6))
    return f"{letter}-{signs[:4]}-{signs[4:]}"
