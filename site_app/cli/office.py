"""python -m site_app office: who may use the agency's own pages, who does, and what was changed there or by a command."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from site_app.cli.database import read, write
from site_app.cli.printing import Json, give_up, print_json, print_rows, say
from site_app.core.settings import settings
from site_app.provider.office import people
from site_app.provider.office.audit import COMMAND_LINE, lines
from site_app.provider.office.changes import Actor

app = typer.Typer(help="The agency's own pages at /office: sessions, links to sign in, and the log of changes.")

Address = Annotated[str, typer.Argument(help="Such as ada@example.com.", metavar="ADDRESS")]


@app.command()
def link(address: Address) -> None:
    """Print a link to sign in with, as it is mailed: for ten minutes, once."""
    person = people.person_of(address, settings())
    if person is None:
        give_up(f"SITE_OFFICE does not name {address}.")
    say(write(lambda session: people.new_link(session, person, settings=settings(), now=datetime.now(UTC))))


@app.command()
def sessions(json: Json = False) -> None:
    """List who is signed in."""
    found = read(lambda session: people.sessions(session, now=datetime.now(UTC)))
    rows = [
        {
            "number": people.number_of(one),
            "person": one.person,
            "since": one.created_at,
            "seen": one.seen_at,
            "browser": one.browser,
        }
        for one in found
    ]
    print_json(rows) if json else print_rows(rows, none="Nobody is signed in.")


@app.command("sign-out")
def sign_out(
    address: Annotated[str, typer.Argument(help="All sessions of this person.", metavar="[ADDRESS]")] = "",
    number: Annotated[str, typer.Option("--number", help="One session, by its whole number in the list of them.")] = "",
    everybody: Annotated[bool, typer.Option("--all", help="All sessions there are.")] = False,
) -> None:
    """End sessions, and links to sign in that are not used yet."""
    if sum(map(bool, (address, number, everybody))) != 1:
        raise typer.BadParameter("Say which: an address, --number or --all.")
    ends = {"address": address.strip().lower(), "number": number}
    count = write(lambda session: people.sign_out(session, COMMAND_LINE, now=datetime.now(UTC), **ends))
    if number and not count:
        give_up(
            f"No session has the number {number}: give all {people.NUMBER_LENGTH} characters of the list (office sessions)."
        )
    say(f"{count} sessions are ended.")


@app.command()
def log(limit: Annotated[int, typer.Option("--limit", min=1, help="The newest so many.")] = 50, json: Json = False) -> None:
    """Show who changed what, the newest first."""
    rows = [one.model_dump(exclude={"id"}) for one in read(lambda session: lines(session, limit=limit))]
    print_json(rows) if json else print_rows(rows, none="Nothing was changed.")


def actor() -> Actor:
    """The person at the command line, and the time."""
    return Actor(COMMAND_LINE, datetime.now(UTC))
