"""Errands of visitors, performed in three engines: Chromium, stock Firefox, and WebKitGTK, which is Safari's engine."""
