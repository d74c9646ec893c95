"""Folds text for searching: capitals, accents and typographic marks make no difference.

The column `folded` holds the folded texts of a row, because SQLite has no `unaccent` and folding 50,000 leads in each search took seconds.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_ACCENTS = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic; the vowel signs of Thai are letters
# Letters that Unicode does not decompose, and the marks that word processors put in the place of a keyboard's.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t", "ı": "i"}
    | dict.fromkeys("‘’‚‛ʼ′´`", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
)


def fold(text: str) -> str:
    """Returns the text as it is compared in a search: `Wójcik` and `WOJCIK` become the same."""
    if text.isascii():
        return text.lower().replace("`", "'")
    # Replace marks before NFKD splits them: it turns a lone acute accent into a blank and a combining accent.
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_PLAIN))).casefold()
    return unicodedata.normalize("NFC", plain.translate(_PLAIN))


def folded_fields(fields: Mapping[str, Any], *names: str) -> str:
    """Returns the folded values of these fields, a line each. Never empty: an empty column means "not indexed yet"."""
    return fold("\n".join(text for name in names for text in _texts(fields.get(name)))) or " "


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif value not in (None, "", True, False):
        yield str(value)
