"""Text as a visitor types it, made safe to store and to put in a mail's header."""

import re
import unicodedata
from typing import Annotated, Any

from pydantic import BeforeValidator

from site_app.contracts.input import Input

# A text longer than this is not cleaned: its field's own bound refuses it, since every field takes less. Composing a text of
# combining marks takes time by the square of its length, during which nobody else is served.
LONGEST = 20_000
_MARKS_IN_A_ROW = 30  # Unicode's own bound (UAX #15, stream-safe text); no script writes more
_TWO_MARKS = "\u0f73\u0f75\u0f81"  # count as letters, and are composed as two marks each
# Bidirectional marks and overrides make a line read otherwise than it is stored.
_MARKS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
_OVERRIDES = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
_CONTROLS = {code: None for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc"}
_UNSEEN_IN_LINE = _CONTROLS | _MARKS
_UNSEEN_IN_LINES = {code: None for code in _CONTROLS if chr(code) not in "\n\t"} | _OVERRIDES
_BREAK = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")


def one_line(value: Any) -> Any:
    """Composed (NFC), trimmed, every run of blanks one space, and nothing in it that cannot be seen."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return value
    visible = " ".join(value.split()).translate(_UNSEEN_IN_LINE)
    return _composed(" ".join(visible.split())).strip()  # split again: an unseen character may have stood between two blanks


def many_lines(value: Any) -> Any:
    """Composed and trimmed, with line breaks and tabs kept; the marks that Arabic and Hebrew need stay."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return value
    seen = _BREAK.sub("\n", value).translate(_UNSEEN_IN_LINES)
    return _composed(seen).strip()


def _composed(text: str) -> str:
    """NFC, with a bounded number of marks above one letter."""
    if text.isascii():
        return text
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) or sign in _TWO_MARKS else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


OneLine = Annotated[str, BeforeValidator(one_line, json_schema_input_type=str)]
ManyLines = Annotated[str, BeforeValidator(many_lines, json_schema_input_type=str), Input("lines")]
