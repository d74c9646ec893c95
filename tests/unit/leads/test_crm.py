"""Contacts and deals leave in the form that HubSpot and Pipedrive import, and run nothing."""

import csv
from collections.abc import Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest

from site_app.provider.leads.export import CRM_WRITERS
from site_app.provider.leads.queries import LeadEntry, entries
from site_app.provider.store import Store
from site_app.provider.store.columns import Row
from tests.support.records import a_meeting, a_message, a_quote, an_application

pytestmark = pytest.mark.anyio
# What an import needs to make a contact and a deal of a line.
NEEDED = {
    "hubspot": (["Email"], ["Deal Name", "Pipeline", "Deal Stage"]),
    "pipedrive": (["Person - Name"], ["Deal - Title"]),
}


async def exported(store: Store, crm: str, *rows: Row) -> list[dict[str, str]]:
    await store.write(lambda session: session.add_all(rows))
    page: Sequence[LeadEntry] = await store.read(entries)
    writer = CRM_WRITERS[crm]()
    return list(csv.DictReader(StringIO(writer.begin() + writer.page(page) + writer.end(), newline="")))


@pytest.mark.parametrize("crm", CRM_WRITERS)
async def test_quotes_and_meetings_are_deals_and_others_contacts_alone(store: Store, crm: str) -> None:
    contact, deal = NEEDED[crm]
    rows = a_quote(), a_message(), an_application(), a_meeting(), a_meeting(reference="C-2", uid="2", state="cancelled")

    lines = await exported(store, crm, *rows)

    assert len(lines) == 5
    assert all(line[name] for line in lines for name in contact)
    with_deal = [line for line in lines if all(line[name] for name in deal)]
    contacts_only = [
        line for line in lines if not any(text for name, text in line.items() if "Deal" in name or name == "Pipeline")
    ]
    assert (len(with_deal), len(contacts_only)) == (2, 3)


async def test_a_quote_becomes_a_line_for_hubspot(store: Store) -> None:
    lead = a_quote(full_name="Ada Mary Lovelace", company="Engines Ltd", status="won")

    (line,) = await exported(store, "hubspot", lead)

    assert line == {
        "First Name": "Ada Mary",
        "Last Name": "Lovelace",
        "Email": "ada@example.org",
        "Phone Number": "+44 20 7946 0958",
        "Company Name": "Engines Ltd",
        "Country/Region": "United Kingdom",
        "Message": "A machine that weaves\nalgebraic patterns.",
        "Deal Name": "Quote Q-7F3K-29, Engines Ltd",
        "Pipeline": "Sales Pipeline",
        "Deal Stage": "Closed Won",
        "Deal Description": "A machine that weaves\nalgebraic patterns.",
    }


async def test_a_meeting_becomes_a_line_for_pipedrive(store: Store) -> None:
    (line,) = await exported(store, "pipedrive", a_meeting(status="lost", created_at=datetime(2026, 8, 3, 10, tzinfo=UTC)))

    assert line == {
        "Person - Name": "Ada Lovelace",
        "Person - Email": "ada@example.org",
        "Person - Phone": "",
        "Organization - Name": "",
        "Deal - Title": "Call C-7F3K-29, Ada Lovelace",
        "Deal - Status": "lost",
        "Deal - Deal created": "2026-08-03 10:00:00",
        "Note - Content": "Looms.",
    }


@pytest.mark.parametrize(
    ("lead", "names"),
    [
        (an_application(), ("Ada", "Lovelace")),
        (a_message(full_name="Plato"), ("Plato", "")),
        (a_message(full_name="王小明", language="cn"), ("王小明", "")),
        (a_message(full_name="  Ada   Lovelace "), ("Ada", "Lovelace")),
    ],
    ids=("two fields", "one word", "Chinese", "blanks"),
)
async def test_a_name_is_split_for_hubspot(store: Store, lead: Row, names: tuple[str, str]) -> None:
    (line,) = await exported(store, "hubspot", lead)

    assert (line["First Name"].strip(), line["Last Name"]) == names


@pytest.mark.parametrize("crm", CRM_WRITERS)
async def test_no_cell_of_a_crm_is_a_formula(store: Store, crm: str) -> None:
    evil = "=cmd|' /C calc'!A0"
    changes: dict[str, Any] = dict.fromkeys(("full_name", "company", "project_description", "phone", "additional_notes"), evil)

    (line,) = await exported(store, crm, a_quote(**changes))

    assert any("cmd" in text for text in line.values())
    assert not [text for text in line.values() if text.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("crm", CRM_WRITERS)
async def test_quarantined_leads_are_not_exported_for_a_crm(store: Store, crm: str) -> None:
    assert await exported(store, crm, a_quote(status="quarantined")) == []
