"""Parts around every page: the bar, the links to other languages, the footer, messages."""
