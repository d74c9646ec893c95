"""The payloads between site and provider: the types of fields and their rules, which are defined only here.

May import only i18n, for the messages of a refusal.
"""
