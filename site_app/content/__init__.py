"""The site’s texts, as functions that return records in the current language, and `routes`, the table of pages."""
