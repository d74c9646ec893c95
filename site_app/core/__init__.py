"""Shared code that every other package may import: settings, languages, HTTP, addresses, colors, logs."""
