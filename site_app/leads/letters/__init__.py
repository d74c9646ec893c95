"""The words of every mail, and the rows of the outbox they are sent by."""

from site_app.leads.letters.leads import name_of
from site_app.leads.letters.posting import (
    DIGEST,
    PROOF,
    SIGN_IN,
    compose,
    confirmation_rows,
    digest_row,
    lead_rows,
    meeting_rows,
    proof_row,
    sign_in_row,
)

__all__ = [
    "DIGEST",
    "PROOF",
    "SIGN_IN",
    "compose",
    "confirmation_rows",
    "digest_row",
    "lead_rows",
    "meeting_rows",
    "name_of",
    "proof_row",
    "sign_in_row",
]
