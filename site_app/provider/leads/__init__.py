"""Leads: the submissions of visitors. Stores each once with its mails, releases it from quarantine, finds it, erases it."""
