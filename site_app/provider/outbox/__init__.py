"""Delivers what the outbox holds: mails and webhooks, again and again until they arrive. It may touch store, settings and metrics."""
