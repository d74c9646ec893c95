"""Leads and calls as CSV that a spreadsheet shows and never runs, and as JSON."""

import csv
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from io import StringIO

from site_app.leads.queries import Entry, every_column

# A cell that begins with one of these signs is a formula to Excel, LibreOffice or Google Sheets, also in its small or full-width form.
_SIGNS = "=+\\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
_UNSEEN = r"\s\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
# Spreadsheets of some countries separate cells by a semicolon or a tab, so what follows one inside a cell may begin a cell.
_FORMULA = re.compile(rf"\A(?=[\t\r])|(\A|[;,|\t\r\n\v\f\x85\u2028\u2029])(?=[{_UNSEEN}\"]*[{_SIGNS}])")


_PHONES = ("phone", "phone_e164")
_NUMBER = re.compile(r"\+[0-9]+(?: [0-9]+)*")
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def as_csv(entries: Sequence[Entry]) -> str:
    """One line an entry, with the same columns in the same order every time; apart from the guard against formulas text is unchanged."""
    out = StringIO()
    # Quoted, because a spreadsheet may take other signs than the comma for a separator.
    writer = csv.DictWriter(out, every_column(), restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows({name: _cell(name, entry) for name in entry} for entry in entries)
    return out.getvalue()


def as_json(value: object) -> str:
    """Any value as JSON for programs, moments by ISO 8601."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain)


def _cell(name: str, entry: Entry) -> str:
    text = shown(entry[name])
    if name in _PHONES and text.startswith("+"):
        # A plus, digits and blanks alone compute nothing; a number with anything else in it is written as it is dialled.
        plain = next((one for one in (text, str(entry["phone_e164"])) if _NUMBER.fullmatch(one)), "")
        return plain or guarded(text)
    return guarded(text)


def shown(value: object) -> str:
    """A value as a person reads it."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, list):
        return "\n".join(shown(one) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {shown(one)}" for name, one in value.items() if one not in ("", None))
    return "".join("�" if _is_control(mark) else mark for mark in ("" if value is None else str(value)))


def guarded(cell: str) -> str:
    """The cell, with an apostrophe wherever a spreadsheet would read a formula."""
    return _FORMULA.sub(r"\1'", cell)


def _is_control(mark: str) -> bool:
    """Whether a terminal acts on this character instead of showing it: controls, lone surrogates, changes of direction."""
    return mark not in "\n\t" and (unicodedata.category(mark) in ("Cc", "Cs") or mark in _TURNING)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
