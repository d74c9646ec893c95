"""Leads: what visitors send, by kind; kept once, with the mails they cause, released, found and erased.

It may touch services, store and contracts. `kind` and `kinds` know only contracts and words, and the site reads them too; all else here is
the provider's.
"""
