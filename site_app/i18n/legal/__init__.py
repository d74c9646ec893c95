"""Legal texts: Markdown in, a frozen tree out, while the site is built."""

from site_app.i18n.legal.reader import BrokenLegalText, read
from site_app.i18n.legal.tree import (
    Block,
    Document,
    Emphasis,
    Entry,
    Heading,
    Inline,
    Link,
    ListBlock,
    Paragraph,
    Strong,
    Table,
    Words,
)

__all__ = [
    "Block",
    "BrokenLegalText",
    "Document",
    "Emphasis",
    "Entry",
    "Heading",
    "Inline",
    "Link",
    "ListBlock",
    "Paragraph",
    "Strong",
    "Table",
    "Words",
    "read",
]
