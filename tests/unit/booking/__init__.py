"""Tests of the founder's calendar: openings, slots, meetings and calendar files."""
