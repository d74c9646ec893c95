"""Leads: the submissions of visitors. Stores each once with its mails, releases it from quarantine, finds it, erases it.

May import affiliates, http, outbox and store of the provider, contracts and core.
"""
