"""A small cluster: real PostgreSQL, Redis and nginx, two app processes with two workers each, and faults under load.

The table of rows is ROWS in command.py.
"""
