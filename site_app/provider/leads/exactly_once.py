"""A submission is kept once, however often it is sent: its key decides, inside the lead's own transaction."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlmodel import Session

from site_app.contracts.submission import Submission
from site_app.provider.endpoints.refusals import KeyReused
from site_app.provider.store import insert_new_rows
from site_app.provider.store.tables import IdempotencyKey

# A reference is read out over the phone: without 0 O 1 I L, and of 2 Z, 5 S and 8 B only the digit.
ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"


class Registration(NamedTuple):
    """A submission whose key is to stand for a new reference with this prefix."""

    submission: Submission
    prefix: str
    now: datetime
    quarantined: bool = False


class Acknowledgement(NamedTuple):
    """The reference that a key stands for; `is_new` for the caller that has just registered it, who keeps the submission.

    `mailed` is False where the mail to its sender is withheld.
    """

    reference: str
    quarantined: bool
    is_new: bool
    mailed: bool = True


def register(session: Session, registrations: Sequence[Registration]) -> list[Acknowledgement]:
    """Register each key for a new reference, or find the one it stands for; raises KeyReused where the words differ."""
    rows = [_row(one) for one in registrations]
    new = insert_new_rows(session, IdempotencyKey, "reference", sorted(rows, key=itemgetter("kind", "key")))
    return [
        Acknowledgement(row["reference"], row["quarantined"], is_new=True)
        if row["reference"] in new
        else _earlier(session, one, row)
        for one, row in zip(registrations, rows, strict=True)
    ]


def _row(registration: Registration) -> dict[str, Any]:
    submission, prefix, now, quarantined = registration
    return {
        "kind": type(submission).__name__,
        "key": submission.key,
        "body_hash": hashlib.sha256(submission.words().encode()).hexdigest(),
        "reference": new_reference(prefix),
        "quarantined": quarantined,
        "created_at": now,
    }


def _earlier(session: Session, registration: Registration, row: Mapping[str, Any]) -> Acknowledgement:
    earlier = session.get(IdempotencyKey, (row["kind"], row["key"]))
    if earlier is None:  # not the key but the reference is there already: another one is made
        return register(session, [registration])[0]
    if earlier.body_hash != row["body_hash"]:
        raise KeyReused(registration.submission.key)
    return Acknowledgement(earlier.reference, earlier.quarantined, is_new=False)


def new_reference(prefix: str) -> str:
    """Such as Q-7F3K-29: short enough to say, too many to guess at."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(6))
    return f"{prefix}-{signs[:4]}-{signs[4:]}"
