"""The first tables"""

from collections.abc import Iterable

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None

_OF_VISITORS = (
    *("reference", "status", "status_reason", "language", "source_page", "email", "phone", "phone_e164", "phone_extension"),
    *("company", "additional_notes"),
)


def upgrade() -> None:
    _create(
        "affiliate",
        *_from_visitor(),
        *_texts("first_name", "last_name", "company_website", "country", "currency", "agreed_terms_version"),
        unique=["reference"],
        by=["created_at", "status"],
    )
    _create(
        "inquiry",
        *_from_visitor(),
        *_texts("kind", "full_name", "subject", "message", "country", "currency", "project_description"),
        sa.Column("services", sa.JSON(), nullable=False),
        unique=["reference"],
        by=["created_at", "kind", "status"],
    )
    _create(
        "meeting",
        *_from_visitor(),
        *_texts("state", "full_name", "time_zone", "project_information", "conferencing_url", "uid"),
        *_instants("starts_at", "ends_at", "changed_at"),
        *_instants("moved_from", "remind_at", nullable=True),
        _integer("sequence"),
        unique=["reference", "uid"],
        by=["created_at", "remind_at", "starts_at", "status"],
    )
    _create(
        "attachment",
        *_texts("id", "stored_name", "original_name", "kind", "sha256"),
        *_texts("claimed_by", nullable=True),
        _integer("size"),
        *_instants("created_at"),
        unique=["stored_name"],
        by=["claimed_by", "created_at"],
    )
    _create("hold", *_texts("id"), *_instants("starts_at", "ends_at", "created_at", "expires_at"), by=["expires_at"])
    _create(
        "booking_cell",
        *_instants("starts_at"),
        *_instants("expires_at", nullable=True),
        sa.Column("meeting_id", sa.Integer()),
        *_texts("hold_id", nullable=True),
        sa.CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name=op.f("ck_booking_cell_only_holds_expire")),
        sa.CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name=op.f("ck_booking_cell_one_owner")),
        _belongs_to("hold", "booking_cell"),
        _belongs_to("meeting", "booking_cell"),
        key=["starts_at"],
        by=["hold_id", "meeting_id"],
    )
    _create(
        "manage_link",
        *_texts("token_hash"),
        _integer("meeting_id"),
        _belongs_to("meeting", "manage_link"),
        key=["token_hash"],
        by=["meeting_id"],
    )
    _create(
        "busy_time",
        _integer("id"),
        *_texts("source", "note"),
        *_instants("starts_at", "ends_at"),
        by=["source", "starts_at"],
    )
    _create(
        "calendar_reading",
        *_texts("source", "problem"),
        *_instants("tried_at"),
        *_instants("read_at", nullable=True),
        key=["source"],
    )
    _create(
        "idempotency_key",
        *_texts("kind", "key", "body_hash", "reference"),
        sa.Column("quarantined", sa.Boolean(), nullable=False),
        *_instants("created_at"),
        key=["kind", "key"],
        unique=["reference"],
        by=["created_at"],
    )
    _create(
        "outbox",
        _integer("id"),
        *_texts("kind", "message_id", "reference", "template", "language", "recipient", "status", "last_error"),
        sa.Column("payload", sa.JSON(), nullable=False),
        _integer("attempts"),
        *_instants("next_attempt_at", "created_at"),
        *_instants("claimed_until", "sent_at", nullable=True),
        unique=["message_id"],
        by=["reference"],
    )
    op.create_index(op.f("ix_outbox_status_next_attempt_at"), "outbox", ["status", "next_attempt_at"])
    _create(
        "page_view",
        sa.Column("day", sa.Date(), nullable=False),
        *_texts("path", "referrer", "pattern", "tag", "language"),
        _integer("count"),
        key=["day", "path", "referrer"],
    )


def _create(
    name: str,
    *columns: sa.Column | sa.Constraint,
    key: Iterable[str] = ("id",),
    unique: Iterable[str] = (),
    by: Iterable[str] = (),
) -> None:
    """Creates a table whose keys and indexes follow the database's naming convention."""
    once = (sa.UniqueConstraint(one, name=op.f(f"uq_{name}_{one}")) for one in unique)
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{name}")), *once)
    for column in by:
        op.create_index(op.f(f"ix_{name}_{column}"), name, [column])


def _from_visitor() -> list[sa.Column]:
    return [_integer("id"), *_texts(*_OF_VISITORS), *_instants("created_at")]


def _belongs_to(other: str, name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [f"{other}_id"], [f"{other}.id"], name=op.f(f"fk_{name}_{other}_id_{other}"), ondelete="CASCADE"
    )


def _texts(*names: str, nullable: bool = False) -> list[sa.Column]:
    return [sa.Column(name, sa.String(), nullable=nullable) for name in names]


def _instants(*names: str, nullable: bool = False) -> list[sa.Column]:
    return [sa.Column(name, sa.DateTime(timezone=True), nullable=nullable) for name in names]


def _integer(name: str) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False)
