"""A module for each page, as a list of sections, and the table of pages.

The table is a separate module, because here a page's function and the module of the same name would overwrite each other.
"""
