"""Builds of the pages, and the files that each of them changes"""

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "build",
        sa.Column("id", sa.Integer(), nullable=False),
        _moment("requested_at", nullable=False),
        _text("requested_by"),
        _moment("not_before"),
        sa.Column("paths", sa.JSON(), nullable=False),
        *map(_text, ("state", "phase", "problem")),
        sa.Column("attempts", sa.Integer(), nullable=False),
        *map(_moment, ("started_at", "claimed_until", "finished_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_build")),
    )
    for column in ("requested_at", "state"):
        op.create_index(op.f(f"ix_build_{column}"), "build", [column])
    op.create_table(
        "build_file",
        sa.Column("build_id", sa.Integer(), nullable=False),
        _text("path"),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("build_id", "path", name=op.f("pk_build_file")),
        sa.ForeignKeyConstraint(["build_id"], ["build.id"], name=op.f("fk_build_file_build_id_build"), ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("build_file", "build"):
        op.drop_table(table)


def _text(name: str) -> sa.Column:
    return sa.Column(name, sa.String(), nullable=False)


def _moment(name: str, *, nullable: bool = True) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)
