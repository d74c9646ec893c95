"""Indexes for years of a million leads: senders, words not yet folded, rows that the sweep and the affiliate program look for"""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"

_SEARCHED = ("lead", "meeting", "attachment", "note")
_INDEXES = {
    "lead": ("kind", "status"),
    "meeting": ("ends_at",),
    "note": ("written_at",),
    "outbox": ("template", "created_at"),
    "affiliate_entry": ("action", "subject"),
}


def upgrade() -> None:
    for table, columns in _INDEXES.items():
        op.create_index(_name(table), table, [*columns])
    for table in ("lead", "meeting"):
        op.create_index(f"ix_{table}_lower_email", table, [sa.func.lower(sa.column("email"))])
    is_empty = sa.text("folded = ''")
    for table in _SEARCHED:
        op.create_index(f"ix_{table}_unfolded", table, ["folded"], sqlite_where=is_empty, postgresql_where=is_empty)


def downgrade() -> None:
    for table in _SEARCHED:
        op.drop_index(f"ix_{table}_unfolded", table)
    for table in ("lead", "meeting"):
        op.drop_index(f"ix_{table}_lower_email", table)
    for table in _INDEXES:
        op.drop_index(_name(table), table)


def _name(table: str) -> str:
    return op.f(f"ix_{table}_{'_'.join(_INDEXES[table])}")
