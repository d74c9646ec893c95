"""Markdown in (reader), a frozen tree out (tree), while the site is built: legal texts, and parts of articles."""
