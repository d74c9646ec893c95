"""A submission is kept once, however often it is sent: its key decides, inside the lead's own transaction."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlmodel import Session

from site_app.contracts.submission import Submission
from site_app.services.refusals import KeyReused
from site_app.store import insert_new_rows
from site_app.store.tables import IdempotencyKey

# A reference is read out over the phone: without 0 O 1 I L, and of 2 Z, 5 S and 8 B only the digit.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


class Entry(NamedTuple):
    """What a key stands for; `is_new` for whoever has just claimed it, and is to keep the submission under this reference."""

    reference: str
    quarantined: bool
    is_new: bool


class Claim(NamedTuple):
    """A submission whose key is to stand for a new reference with this prefix."""

    said: Submission
    prefix: str
    now: datetime
    quarantined: bool = False


def claim_key(session: Session, said: Submission, *, prefix: str, now: datetime) -> Entry:
    """Claim the submission's key for a new reference, or find what it was claimed for; raises KeyReused for other words."""
    [entry] = claim_keys(session, [Claim(said, prefix, now)])
    return entry


def claim_keys(session: Session, claims: Sequence[Claim]) -> list[Entry]:
    """The same for many at once."""
    rows = [_row(claim) for claim in claims]
    claimed = insert_new_rows(session, IdempotencyKey, "reference", sorted(rows, key=itemgetter("kind", "key")))
    return [
        Entry(row["reference"], row["quarantined"], is_new=True)
        if row["reference"] in claimed
        else _earlier(session, claim, row)
        for claim, row in zip(claims, rows, strict=True)
    ]


def _row(claim: Claim) -> dict[str, Any]:
    said, prefix, now, quarantined = claim
    return {
        "kind": type(said).__name__,
        "key": said.key,
        "body_hash": hashlib.sha256(said.words().encode()).hexdigest(),
        "reference": new_reference(prefix),
        "quarantined": quarantined,
        "created_at": now,
    }


def _earlier(session: Session, claim: Claim, row: Mapping[str, Any]) -> Entry:
    earlier = session.get(IdempotencyKey, (row["kind"], row["key"]))
    if earlier is None:  # the key is not taken, so the reference is: another one is made
        return claim_keys(session, [claim])[0]
    if earlier.body_hash != row["body_hash"]:
        raise KeyReused(claim.said.key)
    return Entry(earlier.reference, earlier.quarantined, is_new=False)


def new_reference(prefix: str) -> str:
    """Such as Q-7F3K-29: short enough to say, too many to guess at."""
    number, signs = secrets.randbelow(len(ALPHABET) ** 6), ""
    for _ in range(6):
        number, place = divmod(number, len(ALPHABET))
        signs += ALPHABET[place]
    return f"{prefix}-{signs[:4]}-{signs[4:]}"
