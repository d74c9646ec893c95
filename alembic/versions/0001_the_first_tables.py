"""The first tables"""

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "affiliate",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("source_page", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("phone_e164", sa.String(), nullable=False),
        sa.Column("phone_extension", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("additional_notes", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("company_website", sa.String(), nullable=False),
        sa.Column("country", sa.String(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("agreed_terms_version", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_affiliate")),
        sa.UniqueConstraint("reference", name=op.f("uq_affiliate_reference")),
    )
    op.create_index(op.f("ix_affiliate_created_at"), "affiliate", ["created_at"], unique=False)
    op.create_index(op.f("ix_affiliate_status"), "affiliate", ["status"], unique=False)

    op.create_table(
        "attachment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("claimed_by", sa.String(), nullable=True),
        sa.Column("stored_name", sa.String(), nullable=False),
        sa.Column("original_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attachment")),
        sa.UniqueConstraint("stored_name", name=op.f("uq_attachment_stored_name")),
    )
    op.create_index(op.f("ix_attachment_claimed_by"), "attachment", ["claimed_by"], unique=False)
    op.create_index(op.f("ix_attachment_created_at"), "attachment", ["created_at"], unique=False)

    op.create_table(
        "hold",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hold")),
    )
    op.create_index(op.f("ix_hold_expires_at"), "hold", ["expires_at"], unique=False)

    op.create_table(
        "idempotency_key",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("quarantined", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name=op.f("pk_idempotency_key")),
        sa.UniqueConstraint("reference", name=op.f("uq_idempotency_key_reference")),
    )
    op.create_index(op.f("ix_idempotency_key_created_at"), "idempotency_key", ["created_at"], unique=False)

    op.create_table(
        "inquiry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("source_page", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("phone_e164", sa.String(), nullable=False),
        sa.Column("phone_extension", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("additional_notes", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("country", sa.String(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("services", sa.JSON(), nullable=False),
        sa.Column("project_description", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inquiry")),
        sa.UniqueConstraint("reference", name=op.f("uq_inquiry_reference")),
    )
    op.create_index(op.f("ix_inquiry_created_at"), "inquiry", ["created_at"], unique=False)
    op.create_index(op.f("ix_inquiry_kind"), "inquiry", ["kind"], unique=False)
    op.create_index(op.f("ix_inquiry_status"), "inquiry", ["status"], unique=False)

    op.create_table(
        "meeting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("source_page", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("phone_e164", sa.String(), nullable=False),
        sa.Column("phone_extension", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("additional_notes", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("time_zone", sa.String(), nullable=False),
        sa.Column("project_information", sa.String(), nullable=False),
        sa.Column("conferencing_url", sa.String(), nullable=False),
        sa.Column("moved_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_meeting")),
        sa.UniqueConstraint("reference", name=op.f("uq_meeting_reference")),
        sa.UniqueConstraint("uid", name=op.f("uq_meeting_uid")),
    )
    op.create_index(op.f("ix_meeting_created_at"), "meeting", ["created_at"], unique=False)
    op.create_index(op.f("ix_meeting_remind_at"), "meeting", ["remind_at"], unique=False)
    op.create_index(op.f("ix_meeting_starts_at"), "meeting", ["starts_at"], unique=False)
    op.create_index(op.f("ix_meeting_status"), "meeting", ["status"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(op.f("ix_outbox_reference"), "outbox", ["reference"], unique=False)
    op.create_index(op.f("ix_outbox_status_next_attempt_at"), "outbox", ["status", "next_attempt_at"], unique=False)

    op.create_table(
        "page_view",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("referrer", sa.String(), nullable=False),
        sa.Column("pattern", sa.String(), nullable=False),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "path", "referrer", name=op.f("pk_page_view")),
    )
    op.create_table(
        "booking_cell",
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=True),
        sa.Column("hold_id", sa.String(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name=op.f("ck_booking_cell_only_holds_expire")),
        sa.CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name=op.f("ck_booking_cell_one_owner")),
        sa.ForeignKeyConstraint(["hold_id"], ["hold.id"], name=op.f("fk_booking_cell_hold_id_hold"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["meeting_id"], ["meeting.id"], name=op.f("fk_booking_cell_meeting_id_meeting"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("starts_at", name=op.f("pk_booking_cell")),
    )
    op.create_index(op.f("ix_booking_cell_hold_id"), "booking_cell", ["hold_id"], unique=False)
    op.create_index(op.f("ix_booking_cell_meeting_id"), "booking_cell", ["meeting_id"], unique=False)

    op.create_table(
        "manage_link",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["meeting_id"], ["meeting.id"], name=op.f("fk_manage_link_meeting_id_meeting"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_manage_link")),
    )
    op.create_index(op.f("ix_manage_link_meeting_id"), "manage_link", ["meeting_id"], unique=False)

    op.create_table(
        "busy_time",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_busy_time")),
    )
    op.create_index(op.f("ix_busy_time_source"), "busy_time", ["source"], unique=False)
    op.create_index(op.f("ix_busy_time_starts_at"), "busy_time", ["starts_at"], unique=False)

    op.create_table(
        "calendar_reading",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_calendar_reading")),
    )


def downgrade() -> None:
    op.drop_table("calendar_reading")
    op.drop_index(op.f("ix_busy_time_starts_at"), "busy_time")
    op.drop_index(op.f("ix_busy_time_source"), "busy_time")

    op.drop_table("busy_time")
    op.drop_index(op.f("ix_manage_link_meeting_id"), "manage_link")

    op.drop_table("manage_link")
    op.drop_index(op.f("ix_booking_cell_meeting_id"), "booking_cell")
    op.drop_index(op.f("ix_booking_cell_hold_id"), "booking_cell")

    op.drop_table("booking_cell")
    op.drop_table("page_view")
    op.drop_index(op.f("ix_outbox_status_next_attempt_at"), "outbox")
    op.drop_index(op.f("ix_outbox_reference"), "outbox")

    op.drop_table("outbox")
    op.drop_index(op.f("ix_meeting_status"), "meeting")
    op.drop_index(op.f("ix_meeting_starts_at"), "meeting")
    op.drop_index(op.f("ix_meeting_remind_at"), "meeting")
    op.drop_index(op.f("ix_meeting_created_at"), "meeting")

    op.drop_table("meeting")
    op.drop_index(op.f("ix_inquiry_status"), "inquiry")
    op.drop_index(op.f("ix_inquiry_kind"), "inquiry")
    op.drop_index(op.f("ix_inquiry_created_at"), "inquiry")

    op.drop_table("inquiry")
    op.drop_index(op.f("ix_idempotency_key_created_at"), "idempotency_key")

    op.drop_table("idempotency_key")
    op.drop_index(op.f("ix_hold_expires_at"), "hold")

    op.drop_table("hold")
    op.drop_index(op.f("ix_attachment_created_at"), "attachment")
    op.drop_index(op.f("ix_attachment_claimed_by"), "attachment")

    op.drop_table("attachment")
    op.drop_index(op.f("ix_affiliate_status"), "affiliate")
    op.drop_index(op.f("ix_affiliate_created_at"), "affiliate")

    op.drop_table("affiliate")
