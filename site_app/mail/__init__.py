"""Delivers what the outbox holds: mails and webhooks, again and again until they arrive. It may touch store, settings and metrics."""

from site_app.mail.courier import Courier
from site_app.mail.senders import FolderSender, MemorySender, NotDelivered, Sender, SmtpSender, sender_for
from site_app.mail.ways import courier_for, webhook_of

__all__ = [
    "Courier",
    "FolderSender",
    "MemorySender",
    "NotDelivered",
    "Sender",
    "SmtpSender",
    "courier_for",
    "sender_for",
    "webhook_of",
]
