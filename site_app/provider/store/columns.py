"""The kinds of columns that tables have: points in time, exact amounts, and text folded for searching.

The column `folded` holds the folded texts of a row, because SQLite has no `unaccent` and folding 50,000 leads in each search took seconds.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column, ColumnElement, DateTime, Dialect, Index, MetaData, String, func, literal_column, text
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

_ACCENTS = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic; the vowel signs of Thai are letters
# Letters that Unicode does not decompose, and the typographic marks that word processors put in place of typed ones.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t", "ı": "i"}
    | dict.fromkeys("‘’‚‛ʼ′´`", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
)


class UtcDateTime(TypeDecorator[datetime]):
    """Stores aware datetimes and returns them in UTC, also in databases without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class ExactDecimal(TypeDecorator[Decimal]):
    """Stores decimals as text, because SQLite would make floats of them."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:
        return None if value is None else format(value, "f")

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        return None if value is None else Decimal(value)


class Row(SQLModel):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )

    @declared_attr  # pyright: ignore[reportArgumentType]
    def __tablename__(cls) -> str:  # noqa: N805  # pyright: ignore[reportIncompatibleVariableOverride]
        return re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def instant_column(*, default: Any = ..., index: bool = False, primary_key: bool = False) -> datetime | Any:
    """Returns a column for a point in time, in UTC."""
    return Field(default, sa_type=UtcDateTime, index=index, primary_key=primary_key)  # pyright: ignore


def folded_column(*names: str) -> str | Any:
    """Returns a column that holds the folded text of these columns for searching, filled when a row is inserted.

    It is empty in rows written by a release without the column, until `index_words` fills it.
    """

    def default(context: Any) -> str:
        return folded_fields(context.get_current_parameters(), *names)

    # None makes SQLAlchemy call the default. A Column object belongs to one table, so each table makes its own.
    return Field(None, sa_column=Column("folded", String, nullable=False, default=default, info={"names": names}))


# What may stand before the @ of a stored address in lower case, as a literal: SQLite uses an index only for the very expression it has.
_LOCAL_PART = literal_column("'abcdefghijklmnopqrstuvwxyz0123456789.!#$&''*+/=?^_`{|}~-%'")


def mail_domain(email: Any) -> ColumnElement[str]:
    """Returns the expression for an address's domain in lower case, with its @. SQLite and PostgreSQL both have `ltrim`."""
    return func.ltrim(func.lower(email), _LOCAL_PART)


# Written into statements as it is: SQLite uses a partial index only for a condition that it can read without parameters.
UNFOLDED = text("folded = ''")


def unfolded_index(table: str) -> Index:
    """Returns the index of the rows that `index_words` has to fill, so that nobody has to look at all rows for them."""
    return Index(f"ix_{table}_unfolded", "folded", sqlite_where=UNFOLDED)


def add_postgresql_conditions(metadata: MetaData) -> None:
    """Gives each partial index its condition for PostgreSQL too. Only migrations call this, because it imports that dialect."""
    for table in metadata.tables.values():
        for index in table.indexes:
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]


def amount_column(*, default: Any = ...) -> Decimal | Any:
    """Returns a column for an exact amount of money."""
    return Field(default, sa_type=ExactDecimal)  # pyright: ignore


def reference_key(reference: str) -> str:
    """Returns the key that all spellings of an invoice's number share: `INV-7a`, `INV-7A` and full-width letters are the same."""
    return unicodedata.normalize("NFKC", reference).casefold()


def reference_key_column() -> str | Any:
    """Returns a column that holds the key of the column `reference`, filled when a row is inserted.

    It is empty in rows written by a release without the column.
    """

    def default(context: Any) -> str:
        return reference_key(context.get_current_parameters()["reference"])

    return Field(None, sa_column=Column("reference_key", String, nullable=False, default=default, index=True))


def fold(text: str) -> str:
    """Returns the text as it is compared in a search: `Wójcik` and `WOJCIK` become the same."""
    if text.isascii():
        return text.lower().replace("`", "'")
    # Replace marks before NFKD splits them: it turns a lone acute accent into a blank and a combining accent.
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_PLAIN))).casefold()
    return unicodedata.normalize("NFC", plain.translate(_PLAIN))


def folded_fields(fields: Mapping[str, Any], *names: str) -> str:
    """Returns the folded values of these fields, a line each. Never empty: an empty column means "not indexed yet"."""
    texts: list[str] = []
    for name in names:
        _add_texts(texts, fields.get(name))
    return fold("\n".join(texts)) or " "


def _add_texts(texts: list[str], value: Any) -> None:
    """Appends all texts of a value; not a generator, which would take three times as long for each lead."""
    if isinstance(value, str):
        texts += [value] if value else []
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _add_texts(texts, part)
    elif value not in (None, True, False):
        texts.append(str(value))
