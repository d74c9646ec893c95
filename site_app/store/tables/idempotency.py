"""Keys of submissions already taken, so that a retry is answered and never made twice."""

from datetime import datetime

from sqlmodel import Field

from site_app.store.tables.row import Row, instant


class IdempotencyKey(Row, table=True):
    """A submission's key, the hash of what it said, and what it was answered."""

    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    body_hash: str
    reference: str = Field(unique=True)
    quarantined: bool = False
    created_at: datetime = instant(index=True)
