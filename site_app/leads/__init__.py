"""Leads: what visitors send, by kind; kept once, released, found and erased.

`kind` and `kinds` know only contracts and words, and the site reads them too; all else here is the provider's.
"""
