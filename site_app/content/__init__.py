"""The site's texts, as functions that return records in the current language.

May import routes, i18n, settings, the business’s figures and the records in components/words.py; imports no other components and no states.
"""
