"""Sources of a content security policy: the hashes of scripts and styles in a page's HTML."""

import base64
import hashlib
import re
from collections.abc import Iterable
from html import unescape

_STYLE = re.compile(r"<style(?: data-[^>]*)?>(.*?)</style>", re.DOTALL)  # a style with other attributes belongs to a file
_STYLED = re.compile(
    r"<style data-emotion=|<script data-boot[^>]* data-styled"
)  # a site with style props; others save the bytes
_STYLE_ATTRIBUTE = re.compile(r"""<[a-z][^<>]*? style=(?:"([^"]*)"|'([^']*)')""")


def inline_style_hashes(html: str) -> str:
    """Returns the sources that allow the style elements and the style attributes of a page, and no others."""
    # Once React runs, Emotion adds an empty style element and inserts into it the rules of style props.
    emotion = [""] if _STYLED.search(html) else []
    elements = hashes([*emotion, *(match[1] for match in _STYLE.finditer(html))])
    attributes = hashes(unescape(match[match.lastindex or 0]) for match in _STYLE_ATTRIBUTE.finditer(html))
    return f"{elements} 'unsafe-hashes' {attributes}" if attributes else elements


def hashes(texts: Iterable[str]) -> str:
    """Returns the source of each text, once."""
    digests = (hashlib.sha256(text.encode()).digest() for text in dict.fromkeys(texts))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
