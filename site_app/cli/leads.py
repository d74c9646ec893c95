"""python -m site_app leads: what visitors sent."""

from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from sqlmodel import Session

from site_app.cli.database import forget_erased, read, write
from site_app.cli.printing import as_json, complain, print_facts, print_json, print_rows, say
from site_app.cli.spreadsheets import as_csv
from site_app.leads import lead_queries
from site_app.leads.keep import SubmissionContext
from site_app.leads.keep import release as let_out
from site_app.leads.lead_queries import EVERY_KIND
from site_app.leads.retention import erase as erase_from
from site_app.leads.retention import stray_mails
from site_app.services.attachments import directory, remove_files
from site_app.services.folders import names_in
from site_app.services.tokens import Tokens, load_secret
from site_app.settings import settings
from site_app.store.tables.lead import NEW, QUARANTINED, RELEASED

app = typer.Typer(help="What visitors sent: quote requests, messages, affiliate applications and calls.")


Kind = StrEnum("Kind", EVERY_KIND)


class Status(StrEnum):
    new = NEW
    quarantined = QUARANTINED
    released = RELEASED


OfKind = Annotated[Kind | None, typer.Option("--kind", help="Only these.")]
InState = Annotated[Status | None, typer.Option("--status", help="Only those in this state.")]
Since = Annotated[datetime | None, typer.Option("--since", formats=["%Y-%m-%d"], help="Only from this day on, in UTC.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file, readable by you alone.")]
Reference = Annotated[str, typer.Argument(help="Such as Q-7F3K-29.", metavar="REF")]


@app.command("list")
def list_leads(
    kind: OfKind = None,
    status: InState = None,
    since: Since = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The newest so many.")] = 50,
    json: Json = False,
) -> None:
    """List leads and calls, the newest first."""
    found = read(lambda session: _entries(session, kind, status, since))
    shown = [lead_queries.summary(entry) for entry in found[:limit]]
    if json:
        print_json(shown)
        return
    print_rows(shown, none="No leads or calls.")
    if len(found) > limit:
        say(f"{len(found) - limit} more: --limit {len(found)}")


@app.command()
def show(reference: Reference, json: Json = False) -> None:
    """Show all of one lead or call: its words, where its files lie, and what became of its mails."""
    entry = read(lambda session: lead_queries.whole(session, reference.strip().upper()))
    if entry is None:
        raise _unknown(reference)
    if json:
        print_json(entry)
    else:
        files = [one | {"stored": str(settings().var / str(one["stored"]))} for one in entry["files"]]
        print_facts(entry | {"files": files})


@app.command()
def export(
    csv: Annotated[bool, typer.Option("--csv", help="As CSV for spreadsheets, safe against formulas. The default.")] = False,
    json: Json = False,
    kind: OfKind = None,
    status: InState = None,
    since: Since = None,
    output: Output = None,
) -> None:
    """Export leads and calls with all they say."""
    if csv and json:
        raise typer.BadParameter("Choose one of --csv and --json.")
    found = read(lambda session: _entries(session, kind, status, since))
    _deliver(as_json(found) + "\n" if json else as_csv(found), output)


@app.command()
def release(reference: Reference) -> None:
    """Let a lead out of quarantine: the team is told and its sender answered, as if it had never been in doubt."""
    reference = reference.strip().upper()
    now = datetime.now(UTC)
    context = SubmissionContext(settings(), Tokens(load_secret(settings()), lambda: now), now)
    if not write(lambda session: let_out(session, reference, context)):
        complain(f"No lead {reference} is in quarantine. Those that are: leads list --status quarantined")
        raise typer.Exit(1)
    say(f"{reference} is released; its mails leave within seconds if the site is running.")


@app.command()
def erase(
    reference: Annotated[str | None, typer.Argument(help="Such as Q-7F3K-29.", metavar="[REF]")] = None,
    email: Annotated[str | None, typer.Option("--email", help="Everything of whoever uses this address.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase a lead or call, or everything of one person: rows, files, mails kept or waiting. There is no way back.

    An erased call frees its slot, but tells nobody: cancel it first if the other side should know.
    """
    if (reference is None) == (email is None):
        raise typer.BadParameter("Say what: a reference or --email, and not both.")
    references = read(lambda session: _references(session, reference, email))
    if not references:
        raise _unknown(reference or str(email))
    if not yes:
        typer.confirm(f"Erase {', '.join(references)} for good?", abort=True)
    files = write(lambda session: erase_from(session, *references))
    remove_files(directory(settings().var), files)
    mails = _erase_mails(settings().var / "mail")
    said = f"{', '.join(references)}, with {len(files)} files and {mails} mails in the folder"
    if forget_erased():
        say(f"Erased {said}.")
        return
    say(f"Erased from the database: {said}.")
    complain(
        "Copies of what was erased remain in the database's write-ahead log until a program that reads an older state of it ends: "
        "a backup, or somebody's SQLite shell. The running site then empties it within ten minutes; at once: retention run"
    )


def _erase_mails(folder: Path) -> int:
    """Remove the mails of leads that are gone; returns how many there were."""
    erased = 0
    for names in names_in(folder):
        mails = read(partial(stray_mails, names=names))
        remove_files(folder, mails)
        erased += len(mails)
    return erased


@app.command()
def person(
    email: Annotated[str, typer.Option("--email", help="The address the person wrote from.")],
    output: Output = None,
) -> None:
    """Export all that is kept about one person, as JSON: what a person may ask for by law."""
    found = read(lambda session: lead_queries.person(session, email))
    if not found:
        raise _unknown(email)
    _deliver(as_json(found) + "\n", output)


def _entries(session: Session, kind: Kind | None, status: Status | None, since: datetime | None) -> list[lead_queries.Entry]:
    day = since.replace(tzinfo=UTC) if since else None
    return lead_queries.entries(session, kind=kind and kind.value, status=status and status.value, since=day)


def _references(session: Session, reference: str | None, email: str | None) -> list[str]:
    if email is not None:
        return [entry["reference"] for entry in lead_queries.person(session, email)]
    entry = lead_queries.whole(session, str(reference).strip().upper())
    return [entry["reference"]] if entry else []


def _deliver(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    output.touch(mode=0o600)
    output.chmod(0o600)
    # Excel takes a file without this mark for one in the machine's old code page.
    output.write_text(text, encoding="utf-8-sig" if output.suffix == ".csv" else "utf-8", newline="")
    say(f"Written to {output}.")


def _unknown(what: str) -> typer.Exit:
    complain(f"Nothing is known of {what}.")
    return typer.Exit(1)
