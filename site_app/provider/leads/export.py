"""Exports leads and meetings as JSON, and as CSV guarded against formulas; page by page, so that memory use stays small.

Contacts and deals have the columns that HubSpot and Pipedrive know in their imports.
"""

import csv
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from io import StringIO
from typing import Protocol

from sqlmodel import Session

from site_app.core.i18n import use
from site_app.core.i18n.names import country_name
from site_app.core.locales import ENGLISH
from site_app.provider.leads.queries import Cursor, Filter, LeadEntry, entries, every_column
from site_app.provider.store import Store
from site_app.provider.store.tables import MEETING, LeadStatus, MeetingStage

Columns = Mapping[str, Callable[[LeadEntry], str]]
_DEALS = ("quote",)  # the kinds of lead that are deals; a booked meeting is one too, and the others are contacts alone
_TEXTS = ("subject", "project_description", "message", "project_information", "additional_notes")
# Of HubSpot's own pipeline.
_HUBSPOT_STAGES = {
    LeadStatus.ANSWERED: "Qualified To Buy",
    LeadStatus.WON: "Closed Won",
    LeadStatus.LOST: "Closed Lost",
}
PAGE_SIZE = 100  # entries; each may be some 10 KB
# A cell that begins with one of these characters is a formula in Excel, LibreOffice or Google Sheets; small and full-width forms too.
_SIGNS = "=+\\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
_BLANKS = r"\s\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\""
_SIGN = re.compile(f"[{_SIGNS}]")
# In some countries spreadsheets separate cells by a semicolon or a tab, so text after one inside a cell may become a new cell.
_LINE_SEPARATOR = re.compile(r"[\t\r\n\v\f\x85\u2028\u2029]")
# Matches each run of blanks once, with the separator before it: a lookahead from each blank would take quadratic time.
_RUN = re.compile(rf"\A[{_BLANKS}]*|[;,|][{_BLANKS}]*|[{_BLANKS}]+")
_PHONES = ("phone", "phone_e164")
_NUMBER = re.compile(r"\+[0-9]+(?: [0-9]+)*")
# A terminal acts on these characters instead of showing them: controls, lone surrogates, changes of direction.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


class Writer(Protocol):
    """Writes one export: its beginning, then each page of entries, then its end."""

    media_type: str

    def begin(self) -> str: ...

    def page(self, page: Sequence[LeadEntry]) -> str: ...

    def end(self) -> str: ...


class CsvWriter:
    """Writes one line per entry, always with the same columns in the same order. Text is changed only to guard against formulas."""

    media_type = "text/csv"

    def begin(self) -> str:
        return csv_lines(every_column(), [{name: name for name in every_column()}])

    def page(self, page: Sequence[LeadEntry]) -> str:
        rows = [entry | entry.get("attribution", {}) for entry in page]
        cells = [{name: cell(name, row) for name in row if name != "attribution"} for row in rows]
        return csv_lines(every_column(), cells)

    def end(self) -> str:
        return ""


class JsonWriter:
    """Writes a list of entries, formatted as `as_json` formats the whole list."""

    media_type = "application/json"

    def __init__(self) -> None:
        self._is_empty = True

    def begin(self) -> str:
        return "["

    def page(self, page: Sequence[LeadEntry]) -> str:
        texts = ["\n  " + as_json(entry).replace("\n", "\n  ") for entry in page]
        comma = "" if self._is_empty or not texts else ","
        self._is_empty = self._is_empty and not texts
        return comma + ",".join(texts)

    def end(self) -> str:
        return "]" if self._is_empty else "\n]"


WRITERS: Mapping[str, type[Writer]] = {"csv": CsvWriter, "json": JsonWriter}


def next_page(session: Session, filters: Filter, writer: Writer, cursor: Cursor | None) -> tuple[str, Cursor | None]:
    """Returns the text of the page of entries after the cursor, and the next cursor, or None after the last page."""
    page = entries(session, filters, cursor=cursor, limit=PAGE_SIZE)
    last = page[-1] if len(page) == PAGE_SIZE else None
    return writer.page(page), (last["created_at"], last["reference"]) if last else None


async def export_parts(store: Store, filters: Filter, writer: Writer) -> AsyncIterator[str]:
    """Yields the export page by page, each read in its own transaction, so that a slow consumer keeps no snapshot open."""
    text, cursor = await store.read(lambda session: next_page(session, filters, writer, None))
    yield writer.begin() + text
    while cursor:
        text, cursor = await store.read(partial(next_page, filters=filters, writer=writer, cursor=cursor))
        yield text
    yield writer.end()


def csv_lines(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """Returns the rows as lines of CSV. All cells are quoted, because a spreadsheet may separate them by other characters than the comma."""
    out = StringIO()
    csv.DictWriter(out, columns, restval="", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def as_json(value: object) -> str:
    """Returns any value as JSON, with datetimes in ISO 8601."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain)


def cell(name: str, entry: LeadEntry) -> str:
    """Returns a field as the text of a cell, guarded against formulas."""
    text = export_text(entry[name])
    if name in _PHONES and text.startswith("+"):
        # A plus with only digits and blanks is harmless. A number with other characters is replaced by its E.164 form.
        plain = next((phone for phone in (text, str(entry["phone_e164"])) if _NUMBER.fullmatch(phone)), "")
        return plain or escape_formulas(text)
    return escape_formulas(text)


def export_text(value: object) -> str:
    """Returns a value as readable text, with control characters replaced."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, list):
        return "\n".join(export_text(part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {export_text(part)}" for name, part in value.items() if part not in ("", None))
    return _CONTROL.sub("\ufffd", "" if value is None else str(value))


def escape_formulas(text: str) -> str:
    """Returns the text of a cell with an apostrophe wherever a spreadsheet would read a formula."""
    if not _SIGN.search(text):
        return f"'{text}" if text.startswith(("\t", "\r")) else text
    return _RUN.sub(_guarded_run, text)


def _guarded_run(run: re.Match[str]) -> str:
    """Returns the run of blanks with an apostrophe after each separator in it if a formula character follows the run.

    At the start of the cell an apostrophe is put before the run as well.
    """
    text = run[0]
    is_first = run.start() == 0
    if _SIGN.match(run.string, run.end()) is None:
        return f"'{text}" if is_first and text.startswith(("\t", "\r")) else text
    begin = text[:1] if text[:1] in (";", ",", "|") else ""
    marked = _LINE_SEPARATOR.sub(r"\g<0>'", text[len(begin) :])
    return f"{begin}'{marked}" if begin or is_first else marked


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


class CrmWriter:
    """Writes one line per entry: a contact, and in the same line their deal if there is one. Leads in quarantine are left out."""

    media_type = "text/csv"

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def begin(self) -> str:
        return csv_lines([*self._columns], [{name: name for name in self._columns}])

    def page(self, page: Sequence[LeadEntry]) -> str:
        lines = [
            {name: column(entry) for name, column in self._columns.items()}
            for entry in page
            if entry["status"] != LeadStatus.QUARANTINED
        ]
        return csv_lines([*self._columns], lines)

    def end(self) -> str:
        return ""


def _field(name: str) -> Callable[[LeadEntry], str]:
    return lambda entry: cell(name, entry) if entry.get(name) else ""


def _of_deal(column: Callable[[LeadEntry], str]) -> Callable[[LeadEntry], str]:
    """Returns the column for deals, empty for other entries."""
    return lambda entry: (
        column(entry) if entry["kind"] in _DEALS or entry.get("state", MeetingStage.CANCELLED) != MeetingStage.CANCELLED else ""
    )


def _names(entry: LeadEntry) -> tuple[str, str]:
    """Returns first and last name. The last word of a full name is the last name; a name of one word is a first name."""
    if entry.get("first_name"):
        return str(entry["first_name"]), str(entry.get("last_name", ""))
    first, _, last = str(entry["name"]).strip().rpartition(" ")
    return (first, last) if first else (last, "")


def _country(entry: LeadEntry) -> str:
    with use(ENGLISH):
        return country_name(str(entry["country"])) if entry.get("country") else ""


def _title(entry: LeadEntry) -> str:
    kind = "Call" if entry["kind"] == MEETING else str(entry["kind"]).replace("_", " ").capitalize()
    return escape_formulas(export_text(f"{kind} {entry['reference']}, {entry['company'] or entry['name']}"))


def _text(entry: LeadEntry) -> str:
    """Returns what the visitor wrote, each field as a paragraph."""
    return escape_formulas("\n\n".join(export_text(entry[name]) for name in _TEXTS if entry.get(name)))


# For an import of contacts and deals in one file, with the stages of HubSpot's own pipeline.
_HUBSPOT: Columns = {
    "First Name": lambda entry: escape_formulas(export_text(_names(entry)[0])),
    "Last Name": lambda entry: escape_formulas(export_text(_names(entry)[1])),
    "Email": _field("email"),
    "Phone Number": _field("phone"),
    "Company Name": _field("company"),
    "Country/Region": _country,
    "Message": _text,
    "Deal Name": _of_deal(_title),
    "Pipeline": _of_deal(lambda entry: "Sales Pipeline"),
    "Deal Stage": _of_deal(lambda entry: _HUBSPOT_STAGES.get(entry["status"], "Appointment Scheduled")),
    "Deal Description": _of_deal(_text),
}

# For an import from a spreadsheet, named as Pipedrive names its fields.
_PIPEDRIVE: Columns = {
    "Person - Name": _field("name"),
    "Person - Email": _field("email"),
    "Person - Phone": _field("phone"),
    "Organization - Name": _field("company"),
    "Deal - Title": _of_deal(_title),
    "Deal - Status": _of_deal(
        lambda entry: entry["status"] if entry["status"] in (LeadStatus.WON, LeadStatus.LOST) else "open"
    ),
    "Deal - Deal created": _of_deal(lambda entry: f"{entry['created_at']:%Y-%m-%d %H:%M:%S}"),
    "Note - Content": _text,
}

CRM_WRITERS: Mapping[str, Callable[[], Writer]] = {
    "hubspot": partial(CrmWriter, _HUBSPOT),
    "pipedrive": partial(CrmWriter, _PIPEDRIVE),
}
