"""CSV that a spreadsheet shows and never runs."""

import csv
import re
from collections.abc import Sequence
from io import StringIO

from site_app.cli.printing import shown
from site_app.leads.lead_queries import Entry, every_column

# A cell that begins so is a formula to Excel, LibreOffice or Google Sheets: the signs, and their small and full-width twins.
_SIGNS = "=+\\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
_UNSEEN = r"\s\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
# Where the country's spreadsheets part cells by a semicolon or a tab, what follows one inside a cell begins a cell as well.
_FORMULA = re.compile(rf"\A(?=[\t\r])|(\A|[;,|\t\r\n\v\f\x85\u2028\u2029])(?=[{_UNSEEN}\"]*[{_SIGNS}])")


def as_csv(entries: Sequence[Entry]) -> str:
    """One line an entry, and always the same columns in the same order; what was written stands there unchanged otherwise."""
    out = StringIO()
    # Unquoted, a cell would be parted by whatever else a spreadsheet takes for a separator.
    writer = csv.DictWriter(out, every_column(), restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows({name: guarded(shown(value)) for name, value in entry.items()} for entry in entries)
    return out.getvalue()


def guarded(cell: str) -> str:
    """The cell, with an apostrophe wherever a spreadsheet would begin to compute."""
    return _FORMULA.sub(r"\1'", cell)
