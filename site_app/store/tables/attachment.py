"""Files visitors sent: what they are and which lead claimed them; the bytes lie on the disk."""

from datetime import datetime

from sqlmodel import Field

from site_app.store.tables.row import Row, instant


class Attachment(Row, table=True):
    id: str = Field(primary_key=True)  # unguessable: whoever knows it may claim or delete the file
    claimed_by: str | None = Field(default=None, index=True)  # the lead's reference
    stored_name: str = Field(unique=True)
    original_name: str
    kind: str  # the extension its content and its name agree on
    size: int
    sha256: str
    created_at: datetime = instant(index=True)
