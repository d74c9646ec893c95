"""Edits of text that somebody else generates: each must find what it edits, so that a new version shows itself here."""

import re


class TemplateHasChanged(Exception):
    """Generated text no longer holds what the build edits; look at the new text, then mend the edit."""


def replace(text: str, *changes: tuple[str, str]) -> str:
    """The text with each old part exchanged for its new one."""
    for old, new in changes:
        if old not in text:
            raise TemplateHasChanged(f"{old!r} is gone")
        text = text.replace(old, new)
    return text


def remove(text: str, pattern: str) -> str:
    """The text without what matches the pattern."""
    text, found = re.subn(pattern, "", text, flags=re.DOTALL)
    if not found:
        raise TemplateHasChanged(f"nothing matches {pattern!r}")
    return text
