"""How often a page was read on a day: counts only, nothing about who."""

from datetime import date

from sqlmodel import Field

from site_app.store.tables.row import Row


class PageView(Row, table=True):
    """A day's count of one address and one referring host; pattern, tag and language follow from the path."""

    day: date = Field(primary_key=True)
    path: str = Field(primary_key=True)
    referrer: str = Field(primary_key=True)
    pattern: str
    tag: str
    language: str
    count: int
