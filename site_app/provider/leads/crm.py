"""Exports contacts and deals as CSV, with the columns that HubSpot and Pipedrive know in their imports."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from site_app.core.i18n import ENGLISH, use
from site_app.core.i18n.names import country_name
from site_app.provider.leads.export import Writer, cell, csv_lines, export_text, guarded
from site_app.provider.leads.queries import Entry
from site_app.provider.store.tables import ANSWERED, CANCELLED, LOST, MEETING, QUARANTINED, WON

Columns = Mapping[str, Callable[[Entry], str]]
_DEALS = ("quote",)  # the kinds of lead that are deals; a booked call is one too, and the others are contacts alone
_TEXTS = ("subject", "project_description", "message", "project_information", "additional_notes")
_HUBSPOT_STAGES = {ANSWERED: "Qualified To Buy", WON: "Closed Won", LOST: "Closed Lost"}  # of HubSpot's own pipeline


class CrmWriter:
    """Writes one line per entry: a contact, and in the same line their deal if there is one. Leads in quarantine are left out."""

    media_type = "text/csv"

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def begin(self) -> str:
        return csv_lines([*self._columns], [{name: name for name in self._columns}])

    def page(self, page: Sequence[Entry]) -> str:
        lines = [
            {name: column(entry) for name, column in self._columns.items()} for entry in page if entry["status"] != QUARANTINED
        ]
        return csv_lines([*self._columns], lines)

    def end(self) -> str:
        return ""


def _field(name: str) -> Callable[[Entry], str]:
    return lambda entry: cell(name, entry) if entry.get(name) else ""


def _of_deal(column: Callable[[Entry], str]) -> Callable[[Entry], str]:
    """Returns the column for deals, empty for other entries."""
    return lambda entry: column(entry) if entry["kind"] in _DEALS or entry.get("state", CANCELLED) != CANCELLED else ""


def _names(entry: Entry) -> tuple[str, str]:
    """Returns first and last name. The last word of a full name is the last name; a name of one word is a first name."""
    if entry.get("first_name"):
        return str(entry["first_name"]), str(entry.get("last_name", ""))
    first, _, last = str(entry["name"]).strip().rpartition(" ")
    return (first, last) if first else (last, "")


def _country(entry: Entry) -> str:
    with use(ENGLISH):
        return country_name(str(entry["country"])) if entry.get("country") else ""


def _title(entry: Entry) -> str:
    kind = "Call" if entry["kind"] == MEETING else str(entry["kind"]).replace("_", " ").capitalize()
    return guarded(export_text(f"{kind} {entry['reference']}, {entry['company'] or entry['name']}"))


def _text(entry: Entry) -> str:
    """Returns what the visitor wrote, each field as a paragraph."""
    return guarded("\n\n".join(export_text(entry[name]) for name in _TEXTS if entry.get(name)))


# For an import of contacts and deals in one file, with the stages of HubSpot's own pipeline.
_HUBSPOT: Columns = {
    "First Name": lambda entry: guarded(export_text(_names(entry)[0])),
    "Last Name": lambda entry: guarded(export_text(_names(entry)[1])),
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
    "Deal - Status": _of_deal(lambda entry: entry["status"] if entry["status"] in (WON, LOST) else "open"),
    "Deal - Deal created": _of_deal(lambda entry: f"{entry['created_at']:%Y-%m-%d %H:%M:%S}"),
    "Note - Content": _text,
}

CRM_WRITERS: Mapping[str, Callable[[], Writer]] = {
    "hubspot": partial(CrmWriter, _HUBSPOT),
    "pipedrive": partial(CrmWriter, _PIPEDRIVE),
}
