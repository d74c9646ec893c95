"""Drafts of articles and case studies: each saved state of a text, and the pictures uploaded for them"""

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), nullable=False),
        *map(_text, ("kind", "slug", "language", "title", "text", "digest", "person")),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("aside", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revision")),
    )
    columns = ["kind", "slug", "language", "id"]
    op.create_index(op.f("ix_revision_kind_slug_language_id"), "revision", columns)
    op.create_table(
        "draft_picture",
        *map(_text, ("kind", "name", "slug")),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _text("sha256"),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        _text("person"),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name=op.f("pk_draft_picture")),
    )
    op.create_index(op.f("ix_draft_picture_slug"), "draft_picture", ["slug"])


def downgrade() -> None:
    for table in ("draft_picture", "revision"):
        op.drop_table(table)


def _text(name: str) -> sa.Column:
    return sa.Column(name, sa.String(), nullable=False)
