"""The tables: leads, bookings, attachments, the outbox, page views, idempotency keys, and what the office keeps."""

from site_app.store.tables.attachment import Attachment
from site_app.store.tables.booking import BookingCell, BusyTime, CalendarReading, Hold, ManageLink, Meeting
from site_app.store.tables.clock_reading import ClockReading
from site_app.store.tables.idempotency import IdempotencyKey
from site_app.store.tables.lead import Lead, NewLead
from site_app.store.tables.office import AuditEntry, Note, OfficeSession, SignInLink
from site_app.store.tables.outbox import NewOutbox, Outbox
from site_app.store.tables.page_view import PageView
from site_app.store.tables.row import Row

__all__ = [
    "Attachment",
    "AuditEntry",
    "BookingCell",
    "BusyTime",
    "CalendarReading",
    "ClockReading",
    "Hold",
    "IdempotencyKey",
    "Lead",
    "ManageLink",
    "Meeting",
    "NewLead",
    "NewOutbox",
    "Note",
    "OfficeSession",
    "Outbox",
    "PageView",
    "Row",
    "SignInLink",
]
