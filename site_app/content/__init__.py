"""What the site says, as functions that return records in the language being written.

It may touch routes, i18n, settings, the business’s figures and the records in components/words.py; it knows no other components and no states.
"""
