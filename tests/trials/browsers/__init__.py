"""Visitors' errands in three engines: Chromium, stock Firefox, and WebKitGTK, which is Safari's engine."""
