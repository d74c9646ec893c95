"""Delivers the mails and webhooks of the outbox, and retries until they arrive. May import store and core."""
