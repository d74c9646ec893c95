"""Attacks with real processes: `make trial NAME=attacks`. The table of rows is PROMISES in command.py."""
