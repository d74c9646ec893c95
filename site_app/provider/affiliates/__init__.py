"""The affiliate program: partners, their referrals, what customers paid, and what each partner is due.

`ledger` holds the rules of the terms as pure functions; the other modules store rows and show pages.
"""
