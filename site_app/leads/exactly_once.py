"""A submission is kept once, however often it is sent: its key decides, inside the lead's own transaction."""

import hashlib
import secrets
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from site_app.contracts.submission import Submission
from site_app.services.refusals import KeyReused
from site_app.store import insert_if_new
from site_app.store.tables import IdempotencyKey

# A reference is read out over the phone: without 0 O 1 I L, and of 2 Z, 5 S and 8 B only the digit.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


class Entry(NamedTuple):
    """What a key stands for; `is_new` for whoever has just claimed it, and is to keep the submission under this reference."""

    reference: str
    quarantined: bool
    is_new: bool


def claim_key(session: Session, said: Submission, *, prefix: str, now: datetime, quarantined: bool = False) -> Entry:
    """Claim the submission's key for a new reference, or find what it was claimed for; raises KeyReused for other words."""
    kind = type(said).__name__
    words = hashlib.sha256(said.words().encode()).hexdigest()
    while True:
        reference = new_reference(prefix)
        row = {"kind": kind, "key": said.key, "body_hash": words, "created_at": now}
        if insert_if_new(session, IdempotencyKey, row | {"reference": reference, "quarantined": quarantined}):
            return Entry(reference, quarantined, is_new=True)
        earlier = session.get(IdempotencyKey, (kind, said.key))
        if earlier is not None:
            if earlier.body_hash != words:
                raise KeyReused(said.key)
            return Entry(earlier.reference, earlier.quarantined, is_new=False)
        # Neither our key nor a commit of a rival's: the reference itself was taken.


def new_reference(prefix: str) -> str:
    """Such as Q-7F3K-29: short enough to say, too many to guess at."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(6))
    return f"{prefix}-{signs[:4]}-{signs[4:]}"
