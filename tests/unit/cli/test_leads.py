"""An operator finds, exports, releases and erases leads."""

import csv
import json
import re
import sqlite3
from io import StringIO
from itertools import product
from typing import Any

import pytest
from sqlmodel import select

from site_app.cli.database import read
from site_app.provider.leads import erasing, export, queries
from site_app.provider.leads.export import escape_formulas
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.store.tables import Attachment, Lead, Meeting, Outbox, Partner
from tests.support.databases import ON_SQLITE
from tests.support.outbox import a_row
from tests.support.records import NOW, a_file, a_meeting, a_message, a_quote, an_application
from tests.unit.cli.site import Site


def test_every_kind_is_listed_the_newest_first(site: Site) -> None:
    next_year = NOW.replace(year=2027)
    site.add(a_quote(), a_message(created_at=next_year), an_application(), a_meeting())

    leads = site.json("leads", "list")

    assert [lead["kind"] for lead in leads][:1] == ["message"]
    assert {lead["kind"] for lead in leads} == {"quote", "message", "affiliate", "meeting"}
    assert "Q-7F3K-29" in site.run("leads", "list").output


@pytest.mark.parametrize("filters", [(), ("--kind", "quote"), ("--status", "new"), ("--search", "looms")], ids=str)
def test_a_short_list_reads_no_more_and_counts_the_others(
    site: Site, monkeypatch: pytest.MonkeyPatch, filters: tuple[str, ...]
) -> None:
    site.add(*(a_quote(reference=f"Q-{number}", status="new", project_information="Looms.") for number in range(4)))
    limits: list[int | None] = []
    entries = queries.entries

    def counted(*arguments: Any, limit: int | None = None) -> Any:
        limits.append(limit)
        return entries(*arguments, limit=limit)

    monkeypatch.setattr(queries, "entries", counted)

    result = site.run("leads", "list", "--limit", "3", *filters)

    assert "1 more: --limit 4" in result.output
    assert limits == [3]


def test_a_list_is_narrowed_by_kind_status_and_day(site: Site) -> None:
    site.add(a_quote(), a_message(status="quarantined"), an_application(created_at=NOW.replace(year=2020)))

    assert [lead["reference"] for lead in site.json("leads", "list", "--kind", "quote")] == ["Q-7F3K-29"]
    assert [lead["reference"] for lead in site.json("leads", "list", "--status", "quarantined")] == ["M-7F3K-29"]
    assert "A-7F3K-29" not in {lead["reference"] for lead in site.json("leads", "list", "--since", "2026-01-01")}


def test_all_of_a_lead_is_shown_with_its_files_and_mails(site: Site) -> None:
    mail = a_row()
    mail.reference = "Q-7F3K-29"
    texts = {"project_description": "A [red]loom[/red]", "additional_notes": "red\x1b[31m \u202egnp.exe"}
    site.add(a_quote(**texts), a_file(claimed_by="Q-7F3K-29"), mail)

    output = site.run("leads", "show", "q-7f3k-29").output

    for fact in ("Ada Lovelace", "A [red]loom[/red]", "brief.pdf", str(site.var / "attachments" / "ab12"), "waiting"):
        assert fact in output
    assert not {"\x1b", "\u202e"} & set(output)  # control characters never reach the terminal
    assert site.json("leads", "show", "Q-7F3K-29")["files"][0]["name"] == "brief.pdf"


def test_a_missing_lead_is_reported_with_a_failure(site: Site) -> None:
    for command in (
        ["show", "Q-NONE-99"],
        ["release", "Q-NONE-99"],
        ["erase", "Q-NONE-99", "--yes"],
        ["person", "--email", "x@y.z"],
    ):
        assert site.run("leads", *command).exit_code == 1


PHONES = {  # the typed text, the dialled number, and the cell of the export
    "+44 20 7946 0958": ("+442079460958", "+44 20 7946 0958"),
    "020 7946 0958": ("+442079460958", "020 7946 0958"),
    "+44-20-7946-0958 ext. 12": ("+442079460958", "+442079460958"),
    "+44-20": ("", "'+44-20"),
    "+1+cmd|' /C calc'!A0": ("", "'+1+cmd|' /C calc'!A0"),
}
PRESERVED_TEXTS = ("全角　スペース", "10\u00a0000 €", "a\tb", "नमस्ते\u200d", "می\u200cخواهم", "zero\u200bwidth", "two\nlines")


def test_an_export_has_a_line_for_each_lead_with_its_texts_and_no_formulas(site: Site) -> None:
    site.add(
        a_quote(full_name="=HYPERLINK(1)"),
        a_message(subject="＝1+1", message="two\nlines"),
        *(
            a_quote(reference=f"Q-P{at}", phone=typed, phone_e164=dialled)
            for at, (typed, (dialled, _)) in enumerate(PHONES.items())
        ),
        *(a_quote(reference=f"Q-K{at}", additional_notes=text) for at, text in enumerate(PRESERVED_TEXTS)),
    )

    exported = site.run("leads", "export", "--csv").stdout
    lines = {line["reference"]: line for line in csv.DictReader(StringIO(exported, newline=""))}

    assert lines["Q-7F3K-29"]["full_name"] == "'=HYPERLINK(1)"
    assert (lines["M-7F3K-29"]["subject"], lines["M-7F3K-29"]["message"]) == ("'＝1+1", "two\nlines")
    phones = [(lines[f"Q-P{at}"]["phone_e164"], lines[f"Q-P{at}"]["phone"]) for at in range(len(PHONES))]
    assert phones == [*PHONES.values()]
    assert tuple(lines[f"Q-K{at}"]["additional_notes"] for at in range(len(PRESERVED_TEXTS))) == PRESERVED_TEXTS


@pytest.mark.parametrize("sign", "=+-@＝＋－＠−﹢﹣﹦﹫")
def test_no_exported_cell_can_be_read_as_a_formula(sign: str) -> None:
    blanks = ("", " ", "\u3000", "\u00a0", "\u200b", "\u200d", "\ufeff", '"', ' "')
    for separator, blank in product(("", ";", ",", "|", "\t", "\n", "\r\n", "\u2028"), blanks):
        begun = f"{separator}{blank}{sign}1"
        for cell in (begun, *((f"a{begun}", f"a{separator}b{begun}") if separator else ())):
            parts = re.split(r"[;,|\t\r\n\u2028]", escape_formulas(cell))
            assert not [part for part in parts if re.match(rf'[\s\u200b\u200d\ufeff"]*[{re.escape(sign)}]', part)]


def test_the_columns_of_an_export_are_the_same_whatever_is_in_it(site: Site) -> None:
    def columns(*options: str) -> list[str]:
        return next(csv.reader(StringIO(site.run("leads", "export", "--csv", *options).stdout)))

    empty = columns()
    site.add(a_meeting(), an_application())
    some = columns()
    site.add(a_quote(created_at=NOW.replace(year=2027)), a_message())

    assert empty == some == columns() == columns("--kind", "message")
    assert len(set(empty)) == len(empty)


def test_data_about_a_person_contains_no_key_of_a_webhook(site: Site) -> None:
    call = a_row(kind="webhook")
    call.reference, call.recipient = "Q-7F3K-29", "https://user:pw@hooks.example.org/services/canary?key=canary"
    site.add(a_quote(), call)

    for command in (["show", "Q-7F3K-29"], ["person", "--email", "ada@example.org"]):
        output = site.run("leads", *command).output
        assert "canary" not in output
        assert "hooks.example.org" in output


def test_data_about_a_person_is_that_of_the_office(site: Site) -> None:
    site.add(a_quote(), a_message(email="bo@example.org"))

    exported = json.loads(site.run("leads", "person", "--email", " ADA@example.org").stdout)

    assert exported["email"] == "ada@example.org"
    assert [lead["reference"] for lead in exported["leads"]] == ["Q-7F3K-29"]
    assert (exported["guest_of"], exported["partner"]) == ([], [])


def test_an_export_to_a_file_is_readable_by_its_owner_alone(site: Site) -> None:
    site.add(a_quote(full_name="สมชาย"))
    file = site.var / "leads.csv"

    site.run("leads", "export", "--output", str(file))

    assert "สมชาย" in file.read_text("utf-8-sig")
    assert file.stat().st_mode & 0o077 == 0


def test_an_export_to_an_existing_file_that_others_could_read_becomes_private(site: Site) -> None:
    site.add(a_quote())
    file = site.var / "leads.csv"
    file.write_text("of yesterday")
    file.chmod(0o644)

    site.run("leads", "export", "--output", str(file))

    assert "of yesterday" not in file.read_text("utf-8-sig")
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("command", [("export",), ("person", "--email", "ada@example.com")])
def test_a_folder_or_missing_place_given_as_the_output_is_named_and_left_as_it_is(site: Site, command: tuple[str, ...]) -> None:
    site.add(a_quote(email="ada@example.com"))
    folder = site.var / "exports"
    folder.mkdir(mode=0o750)

    for place in (folder, folder / "none" / "leads.csv"):
        result = site.run("leads", *command, "-o", str(place))

        assert result.exit_code == 1
        assert f"{place} cannot be written" in result.output.replace("\n", "")
    assert folder.stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("count", [0, 2, 3, 7])
def test_an_export_of_many_pages_is_one_file(site: Site, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(export, "PAGE_SIZE", 3)
    site.add(*(a_quote(reference=f"Q-{number}") for number in range(count)))
    file = site.var / "leads.csv"

    site.run("leads", "export", "--output", str(file))
    listed = site.run("leads", "export", "--json").stdout

    references = [f"Q-{number}" for number in reversed(range(count))]
    with file.open(encoding="utf-8-sig", newline="") as stream:
        assert [line["reference"] for line in csv.DictReader(stream)] == references
    assert [entry["reference"] for entry in json.loads(listed)] == references


def test_json_exports_everything_as_it_is(site: Site) -> None:
    site.add(a_quote())

    (lead,) = site.json("leads", "export")

    assert lead["services"] == ["web-development", "brand-creation"]
    assert lead["created_at"] == NOW.isoformat()


def test_a_released_lead_is_mailed_to_the_team_and_answered_once(site: Site) -> None:
    site.add(a_message(status="quarantined"))

    first, second = site.run("leads", "release", "M-7F3K-29"), site.run("leads", "release", "M-7F3K-29")

    assert (first.exit_code, second.exit_code) == (0, 1)
    assert read(lambda session: sorted(row.template for row in session.exec(select(Outbox)))) == ["answer", "news"]


def test_erasing_leaves_neither_rows_nor_files_nor_mails(site: Site) -> None:
    mail = a_row()
    mail.reference = "Q-7F3K-29"
    site.add(a_quote(), a_message(), a_file(claimed_by="Q-7F3K-29"), mail)
    left_by_crashes = ("Q-7F3K-29.news.0@x.eml.unfinished", "Q-7F3K-29.news.0@x.eml.part")
    mails = ("Q-7F3K-29.news.0@x.eml", *left_by_crashes, "M-7F3K-29.news.0@x.eml")
    for folder, name in (("attachments", "ab12"), *(("mail", mail_id) for mail_id in mails)):
        (site.var / folder).mkdir(exist_ok=True)
        (site.var / folder / name).write_text("what they wrote")

    result = site.run("leads", "erase", "Q-7F3K-29", answer="y\n")

    assert result.exit_code == 0
    assert (site.count(Lead), site.count(Attachment), site.count(Outbox)) == (1, 0, 0)
    assert [file.name for file in site.var.glob("*/*") if file.is_file()] == ["M-7F3K-29.news.0@x.eml"]


def test_a_lead_that_was_erased_meanwhile_is_unknown(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.add(a_quote())
    monkeypatch.setattr(
        "site_app.cli.leads.typer.confirm", lambda *_, **__: site.run("leads", "erase", "Q-7F3K-29", "--yes") and None
    )

    result = site.run("leads", "erase", "Q-7F3K-29")

    assert result.exit_code == 1
    assert "Nothing is known of Q-7F3K-29" in result.output


def test_nothing_is_erased_without_a_yes(site: Site) -> None:
    site.add(a_quote())

    result = site.run("leads", "erase", "Q-7F3K-29", answer="n\n")

    assert result.exit_code == 1
    assert site.count(Lead) == 1


def test_a_person_is_found_by_address_whatever_its_case_and_can_be_erased_whole(site: Site) -> None:
    site.add(a_quote(), a_message(email="ADA@example.org"), a_meeting(), an_application(email="other@example.org"))

    exported = json.loads(site.run("leads", "person", "--email", "Ada@Example.org").stdout)
    site.run("leads", "erase", "--email", "ada@example.org", "--yes")

    assert {lead["reference"] for lead in exported["leads"]} == {"Q-7F3K-29", "M-7F3K-29", "C-7F3K-29"}
    assert (site.count(Lead), site.count(Meeting)) == (1, 0)
    assert [lead["reference"] for lead in site.json("leads", "list")] == ["A-7F3K-29"]


def test_a_guest_is_removed_from_the_calls_of_others(site: Site) -> None:
    invitation = a_row()
    invitation.reference, invitation.template = "C-7F3K-29", "call-booked-guest"
    invitation.recipient, invitation.mailbox = "bo@example.org", mailbox_of("bo@example.org")
    site.add(a_meeting(guest_email="Bo@example.org"), invitation)

    result = site.run("leads", "erase", "--email", "bo@example.org", answer="y\n")

    assert result.exit_code == 0, result.output
    assert "Remove bo@example.org as the guest of C-7F3K-29?" in result.output
    assert "Removed bo@example.org as the guest of C-7F3K-29." in result.output
    assert read(lambda session: [meeting.guest_email for meeting in session.exec(select(Meeting))]) == [""]
    assert site.run("leads", "person", "--email", "bo@example.org").exit_code == 1


def test_what_remains_of_a_partner_is_named(site: Site) -> None:
    partner = Partner(
        code="K7F3M29Q", application="A-1", name="Pat", email="pat@example.org", paypal="pat@example.org", language="en",
        state="active", terms_version="", applied_at=NOW, approved_on=NOW.date(),
    )  # fmt: skip
    site.add(partner)
    refused = site.run("leads", "erase", "--email", "Pat@example.org", "--yes")
    site.add(a_quote(email="pat@example.org"))
    erased = site.run("leads", "erase", "--email", "pat@example.org", "--yes")

    assert (refused.exit_code, erased.exit_code) == (1, 0)
    for result in (refused, erased):
        assert "The record of the partner K7F3M29Q stays until SITE_KEEP_AFFILIATES" in result.output
    assert (site.count(Lead), site.count(Partner)) == (0, 1)


@pytest.mark.parametrize("address", ["pat@old.example", "pat@new.example"])
def test_an_application_and_what_remains_of_a_partner_are_found_by_the_old_address_and_the_new(
    site: Site, address: str
) -> None:
    site.add(an_application(reference="A-7F3K-29", email="pat@old.example"))
    partner = Partner(
        code="K7F3M29Q", application="A-7F3K-29", name="Pat", email="pat@new.example", paypal="pat@old.example", language="en",
        state="active", terms_version="", applied_at=NOW, approved_on=NOW.date(),
    )  # fmt: skip
    site.add(partner)
    erased = site.run("leads", "erase", "--email", address, "--yes")

    assert (erased.exit_code, site.count(Lead)) == (0, 0)
    assert "The record of the partner K7F3M29Q stays until SITE_KEEP_AFFILIATES" in erased.output


@ON_SQLITE
def test_erased_words_are_in_no_file_even_while_the_site_runs(site: Site) -> None:
    running = sqlite3.connect(site.var / "site.db")  # an open connection keeps the write-ahead log
    running.execute("SELECT count(*) FROM lead").fetchone()
    site.add(a_quote(additional_notes="canary7f3k"))

    site.run("leads", "erase", "Q-7F3K-29", "--yes")

    files_left = [file.name for file in site.var.rglob("*") if file.is_file() and b"canary7f3k" in file.read_bytes()]
    running.close()
    assert files_left == []


@ON_SQLITE
def test_an_erasure_reports_a_readers_copy_and_the_next_sweep_removes_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "PATIENCE_SECONDS", 0.2)
    site.add(a_quote(additional_notes="canary7f3k"))
    reader = sqlite3.connect(site.var / "site.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM lead").fetchone()

    result = site.run("leads", "erase", "Q-7F3K-29", "--yes")
    reader.close()
    site.run("retention", "run")

    assert "remain" in result.output
    assert site.count(Lead) == 0
    assert [file.name for file in site.var.rglob("*") if file.is_file() and b"canary7f3k" in file.read_bytes()] == []


def test_an_export_for_a_crm_is_a_file_of_its_own_form(site: Site) -> None:
    site.add(a_quote())

    exported = site.run("leads", "export", "--for", "pipedrive").stdout

    assert exported.splitlines()[0].startswith('"Person - Name"')
    assert "Ada Lovelace" in exported
    assert site.run("leads", "export", "--for", "hubspot", "--json").exit_code == 2
