"""python -m site_app office: the sessions of the agency's people, links to sign in, and the log of changes."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from site_app.cli.database import actor, read, write
from site_app.cli.printing import Json, give_up, print_json, print_rows, print_text
from site_app.core.settings import settings
from site_app.provider.office import sessions as office_sessions
from site_app.provider.office.people import person_of
from site_app.provider.store.audit_log import audit_entries

app = typer.Typer(help="The agency's own pages at /office: sessions, links to sign in, and the log of changes.")

Address = Annotated[str, typer.Argument(help="Such as ada@example.com.", metavar="ADDRESS")]


@app.command()
def link(address: Address) -> None:
    """Print a sign-in link, valid once within ten minutes, like the mailed ones."""
    person = person_of(address, settings())
    if person is None:
        give_up(f"SITE_OFFICE does not name {address}.")
    print_text(write(lambda session: office_sessions.new_link(session, person, settings=settings(), now=datetime.now(UTC))))


@app.command()
def sessions(json: Json = False) -> None:
    """List who is signed in."""
    rows = [
        {
            "number": office_sessions.number_of(row),
            "person": row.person,
            "since": row.created_at,
            "seen": row.seen_at,
            "browser": row.browser,
        }
        for row in read(lambda session: office_sessions.open_sessions(session, now=datetime.now(UTC)))
    ]
    print_json(rows) if json else print_rows(rows, none="Nobody is signed in.")


@app.command("sign-out")
def sign_out(
    address: Annotated[str, typer.Argument(help="All sessions of this person.", metavar="[ADDRESS]")] = "",
    number: Annotated[str, typer.Option("--number", help="One session, by its whole number in the list of them.")] = "",
    everybody: Annotated[bool, typer.Option("--all", help="All sessions there are.")] = False,
) -> None:
    """End sessions, and delete unused sign-in links."""
    if sum(map(bool, (address, number, everybody))) != 1:
        raise typer.BadParameter("Say which: an address, --number or --all.")
    ends = {"address": address.strip().lower(), "number": number}
    count = write(lambda session: office_sessions.sign_out(session, actor(), **ends))
    if number and not count:
        give_up(
            f"No session has the number {number}: give all {office_sessions.NUMBER_LENGTH} characters of the list (office sessions)."
        )
    print_text(f"{count} sessions are ended.")


@app.command()
def log(limit: Annotated[int, typer.Option("--limit", min=1, help="The newest so many.")] = 50, json: Json = False) -> None:
    """Show who changed what, the newest first."""
    rows = [entry.model_dump(exclude={"id"}) for entry in read(lambda session: audit_entries(session, limit=limit))]
    print_json(rows) if json else print_rows(rows, none="Nothing was changed.")
