"""What the site says, as functions that return records in the language being written.

It may touch routes, i18n, settings and the business's figures; it knows neither components nor states.
"""
