"""CSV that a spreadsheet shows and never runs."""

import csv
from collections.abc import Sequence
from io import StringIO

from site_app.commands.printing import shown
from site_app.services.archive import Entry

# A cell that begins so is a formula to Excel, LibreOffice or Google Sheets; the last four are the same in full width.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(entries: Sequence[Entry]) -> str:
    """One line an entry, one column for every field that any of them has."""
    columns = list(dict.fromkeys(name for entry in entries for name in entry))
    out = StringIO()
    writer = csv.DictWriter(out, columns, restval="")
    writer.writeheader()
    writer.writerows({name: guarded(shown(value)) for name, value in entry.items()} for entry in entries)
    return out.getvalue()


def guarded(cell: str) -> str:
    """The cell, with an apostrophe in front if a spreadsheet would compute it."""
    return f"'{cell}" if cell.lstrip(" \n").startswith(_FORMULA) else cell
