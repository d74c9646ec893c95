"""The time of the last sweep: against it the next one judges whether the machine's clock can be right."""

from datetime import datetime

from sqlmodel import Field

from site_app.store.tables.row import Row, instant


class ClockReading(Row, table=True):
    """One row, whose id is 1."""

    id: int = Field(primary_key=True)
    seen_at: datetime = instant()
