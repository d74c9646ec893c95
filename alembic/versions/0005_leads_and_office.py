"""One table for leads of every kind, the tables of the office, and columns for limits and the clock

Replaces the migrations 0002 to 0005, which were never released.
"""

from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0001"

_SHARED = (
    *("reference", "status", "status_reason", "created_at", "language", "source_page", "email"),
    *("phone", "phone_e164", "phone_extension", "company"),
)
_INQUIRY = (
    *("full_name", "subject", "message", "country", "currency"),
    *("services", "project_description", "additional_notes"),
)
_AFFILIATE = (
    *("first_name", "last_name", "company_website", "country", "currency"),
    *("additional_notes", "agreed_terms_version"),
)
_TYPES = {"created_at": sa.DateTime(timezone=True), "said": sa.JSON(), "services": sa.JSON()}  # all other columns are texts

_Row = dict[str, Any]


def upgrade() -> None:
    # With a server default, because the previous release inserts rows without these columns.
    op.add_column("outbox", sa.Column("mailbox", sa.String(), nullable=False, server_default=""))
    op.create_index(op.f("ix_outbox_mailbox"), "outbox", ["mailbox"])
    op.add_column("manage_link", sa.Column("mailed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("booking_cell", sa.Column("network", sa.String(), nullable=False, server_default=""))
    lead = _create_leads("lead", "kind", "said", by=["kind"])
    for column in ("status", "kind"):
        op.create_index(op.f(f"ix_lead_{column}_created_at"), "lead", [column, "created_at"])
    for table in ("lead", "meeting"):
        op.add_column(table, sa.Column("owner", sa.String(), nullable=False, server_default=""))
        op.add_column(table, sa.Column("version", sa.Integer(), nullable=False, server_default="0"))
    _move(_table("inquiry", "kind", *_INQUIRY).select(), lead, lambda row: _lead(row, row["kind"], _INQUIRY))
    _move(_table("affiliate", *_AFFILIATE).select(), lead, lambda row: _lead(row, "affiliate", _AFFILIATE))
    op.drop_table("inquiry")
    op.drop_table("affiliate")
    _create("clock_reading", _integer("id"), _instant("seen_at"))
    _create("sign_in_link", _column("token_hash"), _column("person"), _instant("expires_at"), by=["expires_at"])
    _create(
        "office_session",
        *map(_column, ("token_hash", "person", "browser")),
        *map(_instant, ("created_at", "seen_at")),
        by=["created_at", "person"],
    )
    _create(
        "note",
        _integer("id"),
        *map(_column, ("reference", "person", "text")),
        _instant("written_at"),
        sa.Column("held", sa.Boolean(), nullable=False),
        by=["reference"],
    )
    _create(
        "audit_entry",
        _integer("id"),
        _instant("at"),
        *map(_column, ("person", "action", "reference", "before", "after")),
        by=["at", "reference"],
    )


def downgrade() -> None:
    """Restores the leads of the three kinds; raises ValueError if there are others, which would be lost."""
    lead = _table("lead", "kind", "said")
    others = sa.select(sa.func.count()).select_from(lead).where(lead.c.kind.not_in(("quote", "message", "affiliate")))
    if count := op.get_bind().scalar(others):
        raise ValueError(f"{count} leads are of kinds that the release before does not know: export and erase them first")
    inquiry = _create_leads("inquiry", "kind", *_INQUIRY, by=["kind"])
    affiliate = _create_leads("affiliate", *_AFFILIATE)
    is_affiliate = lead.c.kind == "affiliate"
    _move(lead.select().where(~is_affiliate), inquiry, lambda row: _unpacked(row, _INQUIRY) | {"kind": row["kind"]})
    _move(lead.select().where(is_affiliate), affiliate, lambda row: _unpacked(row, _AFFILIATE))
    for name in ("lead", "clock_reading", "sign_in_link", "office_session", "note", "audit_entry"):
        op.drop_table(name)
    op.drop_index(op.f("ix_outbox_mailbox"), "outbox")
    for name, column in (
        *(("meeting", "owner"), ("meeting", "version")),
        *(("outbox", "mailbox"), ("manage_link", "mailed"), ("booking_cell", "network")),
    ):
        op.drop_column(name, column)


def _create(name: str, key: sa.Column, *further: sa.Column | sa.Constraint, by: Iterable[str] = ()) -> sa.Table:
    table = op.create_table(name, key, *further, sa.PrimaryKeyConstraint(key.name, name=op.f(f"pk_{name}")))
    for column in by:
        op.create_index(op.f(f"ix_{name}_{column}"), name, [column])
    return table


def _create_leads(name: str, *own: str, by: Iterable[str] = ()) -> sa.Table:
    once = sa.UniqueConstraint("reference", name=op.f(f"uq_{name}_reference"))
    return _create(name, _integer("id"), *map(_column, (*_SHARED, *own)), once, by=["created_at", "status", *by])


def _table(name: str, *own: str) -> sa.TableClause:
    """Returns an existing table with the columns to move."""
    return sa.table(name, *(sa.column(one, _TYPES.get(one, sa.String())) for one in (*_SHARED, *own)))


def _column(name: str) -> sa.Column:
    """Returns a column of this name, a text unless _TYPES names another type."""
    return sa.Column(name, _TYPES.get(name, sa.String()), nullable=False)


def _instant(name: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _integer(name: str) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False)


def _lead(row: _Row, kind: str, own: Iterable[str]) -> _Row:
    return {name: row[name] for name in _SHARED} | {"kind": kind, "said": {name: row[name] for name in own if row[name]}}


def _unpacked(row: _Row, own: Iterable[str]) -> _Row:
    texts = {name: [] if name == "services" else "" for name in own}
    return {name: row[name] for name in _SHARED} | texts | row["said"]


def _move(rows: sa.Select, target: sa.Table, made: Callable[[_Row], _Row]) -> None:
    """Converts each row and inserts it into the table, in batches, ordered by id."""
    connection = op.get_bind()
    found = connection.execute(rows.order_by(sa.text("id")), execution_options={"yield_per": 1000})
    for some in found.mappings().partitions():
        connection.execute(sa.insert(target), [made(dict(row)) for row in some])
