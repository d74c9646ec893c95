"""What crosses the wire between site and provider: the types of fields and their rules, which stand nowhere else.

It may touch i18n alone, for the words of a refusal.
"""
