"""Delivers the mails, webhooks and notices of the outbox, and retries until they arrive."""
