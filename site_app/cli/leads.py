"""python -m site_app leads: lists, exports, releases and erases leads."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple, NoReturn

import typer
from sqlmodel import Session

from site_app.cli.database import actor, read, with_store, write
from site_app.cli.printing import Json, Reference, Yes, complain, give_up, print_facts, print_json, print_rows, print_text
from site_app.core.locales import BY_ID
from site_app.core.settings import settings
from site_app.provider.affiliates.program import partners_of
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.http.tokens import Tokens, load_secret
from site_app.provider.leads import queries
from site_app.provider.leads.erasing import ErasureResult, erase_for_good
from site_app.provider.leads.export import CRM_WRITERS, WRITERS, as_json, export_parts
from site_app.provider.leads.person_export import calls_of_guest, person_record, references_of_person
from site_app.provider.leads.queries import EVERY_KIND, Filter
from site_app.provider.office import actions
from site_app.provider.office.actions import ActionNotAllowed
from site_app.provider.store import Store
from site_app.provider.store.tables import LeadStatus

app = typer.Typer(help="What visitors sent: quote requests, messages, affiliate applications and calls.")

LeadKindName = StrEnum("Kind", EVERY_KIND)
Language = StrEnum("Language", tuple(BY_ID))
Crm = StrEnum("Crm", tuple(CRM_WRITERS))
OfKind = Annotated[LeadKindName | None, typer.Option("--kind", help="Only these.")]
InState = Annotated[LeadStatus | None, typer.Option("--status", help="Only those in this state.")]
Since = Annotated[datetime | None, typer.Option("--since", formats=["%Y-%m-%d"], help="Only from this day on, in UTC.")]
InLanguage = Annotated[Language | None, typer.Option("--language", help="Only those written in this language.")]
Search = Annotated[str, typer.Option("--search", help="Only those that contain each of these words.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file, readable by you alone.")]


@app.command("list")
def list_leads(
    kind: OfKind = None,
    status: InState = None,
    language: InLanguage = None,
    since: Since = None,
    search: Search = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="The newest so many.")] = 50,
    json: Json = False,
) -> None:
    """List leads and calls, the newest first."""
    filters = _filters(kind, status, language, since, search)
    matches, count = read(
        lambda session: (queries.entries(session, filters, limit=limit), queries.count_entries(session, filters))
    )
    rows = [queries.summary(entry) for entry in matches]
    if json:
        print_json(rows)
        return
    print_rows(rows, none="No leads or calls.")
    if count > limit:
        print_text(f"{count - limit} more: --limit {count}")


@app.command()
def show(reference: Reference, json: Json = False) -> None:
    """Show a lead or call with all its fields, the paths of its files, and the status of its mails."""
    entry = read(lambda session: queries.full_entry(session, reference))
    if entry is None:
        _give_up_on(reference)
    if json:
        print_json(entry)
    else:
        files = [file | {"stored": str(settings().var / str(file["stored"]))} for file in entry["files"]]
        print_facts(entry | {"files": files})


@app.command()
def export(
    csv: Annotated[bool, typer.Option("--csv", help="As CSV for spreadsheets, safe against formulas. The default.")] = False,
    json: Json = False,
    crm: Annotated[
        Crm | None, typer.Option("--for", help="Contacts and deals as CSV for this CRM's import; without quarantine.")
    ] = None,
    kind: OfKind = None,
    status: InState = None,
    language: InLanguage = None,
    since: Since = None,
    search: Search = "",
    output: Output = None,
) -> None:
    """Export leads and calls with all their fields, or as contacts and deals for a CRM."""
    if json and (csv or crm):
        raise typer.BadParameter("Choose one of --csv and --json; --for is CSV.")
    filters = _filters(kind, status, language, since, search)
    writer = CRM_WRITERS[crm]() if crm else WRITERS["json" if json else "csv"]()

    async def write_parts(store: Store) -> None:
        parts = export_parts(store, filters, writer)
        first = await anext(parts)  # read before the file is touched, because the database may not answer
        with _writer_to(output) as out:
            out(first)
            async for part in parts:
                out(part)
            out("\n" if json else "")

    with_store(write_parts)


@app.command()
def release(reference: Reference) -> None:
    """Release a lead from quarantine: the team and its sender get the same mails as for any other lead."""
    now = datetime.now(UTC)
    tokens = Tokens(load_secret(settings()), lambda: now)
    try:
        write(lambda session: actions.release(session, reference, actor(), settings(), tokens))
    except ActionNotAllowed:
        give_up(f"No lead {reference} is in quarantine. Those that are: leads list --status quarantined")
    print_text(f"{reference} is released; its mails leave within seconds if the site is running.")


@app.command()
def erase(
    reference: Annotated[str | None, typer.Argument(help="Such as Q-7F3K-29.", metavar="[REF]")] = None,
    email: Annotated[str | None, typer.Option("--email", help="Everything of whoever uses this address.")] = None,
    yes: Yes = False,
) -> None:
    """Erase a lead or call, or everything of one person: rows, files, stored and waiting mails. This cannot be undone.

    Erasing a call frees its slot, but sends no mail: cancel it first if the visitor should know. With --email the person is also
    removed as the guest of other people's calls. The record of a partner stays until SITE_KEEP_AFFILIATES after the agreement.
    """
    if (reference is None) == (email is None):
        raise typer.BadParameter("Say what: a reference or --email, and not both.")
    stored = read(lambda session: _stored(session, reference, email))
    remains = f"The record of the partner {' and '.join(stored.partners)} stays until SITE_KEEP_AFFILIATES after the agreement."
    if not stored.references and not stored.invitations:
        if stored.partners:
            give_up(remains)
        _give_up_on(reference or str(email))
    if not yes:
        typer.confirm(_question(stored, email), abort=True)
    try:
        erased = with_store(partial(_erase, stored))
    except EntryNotFound:  # somebody has erased it since it was read
        _give_up_on(" and ".join((*stored.references, *stored.invitations)))
    if stored.invitations:
        print_text(f"Removed {email} as the guest of {', '.join(stored.invitations)}.")
    if stored.partners:
        complain(remains)
    summary = f"{', '.join(stored.references)}, with {erased.files} files and {erased.mails} mails in the folder"
    if stored.references:
        print_text(f"Erased {summary}." if erased.is_forgotten else f"Erased from the database: {summary}.")
    if not erased.is_forgotten:
        complain(
            "Copies of the erased data remain in the database's write-ahead log while another program reads an older state: a backup, "
            "or somebody's SQLite shell. When it has ended, the running site empties the log within ten minutes; at once: retention run"
        )


@app.command()
def person(
    email: Annotated[str, typer.Option("--email", help="The person's address, as a sender, guest of a call or affiliate.")],
    output: Output = None,
) -> None:
    """Export everything stored about one person as JSON, as the law entitles persons to get."""
    today = settings().local_day(datetime.now(UTC))
    record = read(lambda session: person_record(session, email, settings=settings(), today=today))
    if record is None:
        _give_up_on(email)
    with _writer_to(output) as out:
        out(as_json(record) + "\n")


def _filters(kind: str | None, status: str | None, language: str | None, since: datetime | None, words: str) -> Filter:
    return Filter(kind or "", status or "", language or "", since.replace(tzinfo=UTC) if since else None, None, words)


class _Stored(NamedTuple):
    """What is stored about a person: leads and calls of their own, calls of others with them as the guest, codes as a partner."""

    references: Sequence[str]
    invitations: Sequence[str] = ()
    partners: Sequence[str] = ()


def _stored(session: Session, reference: str | None, email: str | None) -> _Stored:
    if email is None:
        row = queries.row_of(session, str(reference).strip().upper())
        return _Stored([row.reference] if row else [])
    references = references_of_person(session, email)
    invitations = [invitation for invitation in calls_of_guest(session, email) if invitation not in references]
    codes = [partner.code for partner in partners_of(session, queries.stored_address(email))]
    return _Stored(references, invitations, codes)


def _question(stored: _Stored, email: str | None) -> str:
    questions = [f"Erase {', '.join(stored.references)} for good?"] if stored.references else []
    if stored.invitations:
        questions.append(f"Remove {email} as the guest of {', '.join(stored.invitations)}?")
    return " ".join(questions)


async def _erase(stored: _Stored, store: Store) -> ErasureResult:
    for reference in stored.invitations:
        await store.write(partial(actions.drop_guest, reference=reference, actor=actor(), settings=settings()))
    return await erase_for_good(store, stored.references, actor(), var=settings().var)


@contextmanager
def _writer_to(output: Path | None) -> Iterator[Callable[[str], object]]:
    """Yields a function that writes text to the file, or to stdout if there is none."""
    if output is None:
        yield partial(typer.echo, nl=False)
        return
    try:
        number = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:  # such as a folder
        give_up(f"{output} cannot be written: {error.strerror}.")
    # With a BOM, without which Excel reads the file in the machine's legacy code page.
    with open(number, "w", encoding="utf-8-sig" if output.suffix == ".csv" else "utf-8", newline="") as file:  # noqa: PTH123
        if stat.S_ISREG(os.fstat(number).st_mode):  # not a device, such as /dev/stdout
            os.fchmod(number, 0o600)
        yield file.write
    print_text(f"Written to {output}.")


def _give_up_on(subject: str) -> NoReturn:
    give_up(f"Nothing is known of {subject}.")
