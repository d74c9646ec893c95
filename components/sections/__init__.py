"""Sections of pages: functions that take texts and return a section."""
