"""The site’s texts, as functions that return records in the current language, and `routes`, the table of pages.

May import contracts, core, the records in components/records.py and the pictures of components/art; imports no state.
"""
