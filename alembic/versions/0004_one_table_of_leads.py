"""One table for leads of every kind"""

from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_AT_ONCE = 1000
_SHARED = (
    "reference",
    "status",
    "status_reason",
    "created_at",
    "language",
    "source_page",
    "email",
    "phone",
    "phone_e164",
    "phone_extension",
    "company",
)
_QUOTE = ("full_name", "country", "currency", "services", "project_description", "additional_notes")
_MESSAGE = ("full_name", "subject", "message", "additional_notes")
_AFFILIATE = (
    "first_name",
    "last_name",
    "company_website",
    "country",
    "currency",
    "additional_notes",
    "agreed_terms_version",
)
_TEXTS_OF_INQUIRY = ("additional_notes", "full_name", "subject", "message", "country", "currency", "project_description")

_Row = dict[str, Any]


def upgrade() -> None:
    lead = _create("lead", sa.Column("kind", sa.String(), nullable=False), sa.Column("said", sa.JSON(), nullable=False))
    op.create_index(op.f("ix_lead_kind"), "lead", ["kind"], unique=False)
    inquiry, affiliate = _table("inquiry", *_columns_of_inquiry()), _table("affiliate", *_texts(*_AFFILIATE))
    _move(inquiry, {lead: lambda row: _lead(row, row["kind"], _QUOTE if row["kind"] == "quote" else _MESSAGE)})
    _move(affiliate, {lead: lambda row: _lead(row, "affiliate", _AFFILIATE)})
    op.drop_table("inquiry")
    op.drop_table("affiliate")


def downgrade() -> None:
    """Brings the leads of the three kinds back; raises rather than lose those of any other."""
    lead = _table("lead", *_texts("kind"), sa.Column("said", sa.JSON()))
    others = sa.select(sa.func.count()).select_from(lead).where(lead.c.kind.not_in(("quote", "message", "affiliate")))
    if count := op.get_bind().scalar(others):
        raise ValueError(f"{count} leads are of kinds that the release before does not know: export and erase them first")
    inquiry = _create("inquiry", *_columns_of_inquiry())
    op.create_index(op.f("ix_inquiry_kind"), "inquiry", ["kind"], unique=False)
    affiliate = _create("affiliate", *_texts(*_AFFILIATE))
    texts = dict.fromkeys(_TEXTS_OF_INQUIRY, "")
    _move(
        lead,
        {
            inquiry: lambda row: (
                _shared(row) | texts | {"services": []} | row["said"] | {"kind": row["kind"]}
                if row["kind"] != "affiliate"
                else None
            ),
            affiliate: lambda row: (
                _shared(row) | dict.fromkeys(_AFFILIATE, "") | row["said"] if row["kind"] == "affiliate" else None
            ),
        },
    )
    op.drop_table("lead")


def _create(name: str, *own: sa.Column[Any]) -> sa.Table:
    table = op.create_table(
        name,
        sa.Column("id", sa.Integer(), nullable=False),
        *(_shared_column(one) for one in _SHARED),
        *own,
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint("reference", name=op.f(f"uq_{name}_reference")),
    )
    op.create_index(op.f(f"ix_{name}_created_at"), name, ["created_at"], unique=False)
    op.create_index(op.f(f"ix_{name}_status"), name, ["status"], unique=False)
    return table


def _table(name: str, *own: sa.Column[Any]) -> sa.Table:
    return sa.Table(name, sa.MetaData(), sa.Column("id", sa.Integer()), *(_shared_column(one) for one in _SHARED), *own)


def _columns_of_inquiry() -> list[sa.Column[Any]]:
    return [*_texts("kind", *_TEXTS_OF_INQUIRY), sa.Column("services", sa.JSON(), nullable=False)]


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _shared_column(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True) if name == "created_at" else sa.String(), nullable=False)


def _lead(row: _Row, kind: str, own: Iterable[str]) -> _Row:
    return _shared(row) | {"kind": kind, "said": {name: row[name] for name in own if row[name]}}


def _shared(row: _Row) -> _Row:
    return {name: row[name] for name in _SHARED}


def _move(source: sa.Table, targets: dict[sa.Table, Callable[[_Row], _Row | None]]) -> None:
    """Write each row into the table that makes something of it, some at a time, in the order in which they came."""
    connection, last = op.get_bind(), 0
    while (
        rows := connection.execute(sa.select(source).where(source.c.id > last).order_by(source.c.id).limit(_AT_ONCE))
        .mappings()
        .all()
    ):
        last = rows[-1]["id"]
        for target, made in targets.items():
            if found := [one for row in rows if (one := made(dict(row)))]:
                connection.execute(sa.insert(target), found)
