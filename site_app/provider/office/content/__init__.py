"""The office's pages of articles, case studies and translations: their lists, editors, previews and histories."""
