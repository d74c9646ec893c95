"""Texts of this site that several tests open. PICTURED shows its picture on its own page, too."""

from site_app.content.publications import CASES, publications

PICTURED = next(text for text in publications(CASES) if text.facts.picture and not text.facts.picture.lists_only)
