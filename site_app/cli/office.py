"""Commands about the agency's people, the outbox and page views: office, mail, insights."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.bar import Bar

from site_app.cli.database import read, write
from site_app.cli.printing import Json, give_up, print_json, print_rows, print_text
from site_app.core.settings import settings
from site_app.core.settings.rules import mail_address
from site_app.provider.http.page_views import views_by_page_and_day
from site_app.provider.office import actions
from site_app.provider.office import sessions as office_sessions
from site_app.provider.office.people import person_of
from site_app.provider.office.report import report
from site_app.provider.outbox import rows as outbox
from site_app.provider.store.audit_log import COMMAND_LINE, Actor, audit_entries

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
    count = write(lambda session: office_sessions.sign_out(session, COMMAND_LINE, now=datetime.now(UTC), **ends))
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


def actor() -> Actor:
    """Returns the command line as the person of a change, with the current time."""
    return Actor(COMMAND_LINE, datetime.now(UTC))


mail_app = typer.Typer(help="Mails and webhooks: what has left, what waits, what was given up.")


@mail_app.command()
def status(json: Json = False) -> None:
    """Show the number of mails in each state, and every mail whose delivery failed."""
    counts, failed = read(lambda session: (outbox.counts(session), outbox.failed_rows(session)))
    if json:
        print_json({"counts": counts, "troubled": failed})
        return
    print_text(", ".join(f"{count} {state}" for state, count in counts.items()))
    print_rows(failed, none="Nothing has failed.")


@mail_app.command()
def retry(
    reference: Annotated[str | None, typer.Argument(help="Such as Q-7F3K-29.", metavar="[REF]")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that waits or was given up.")] = False,
) -> None:
    """Reschedule undelivered mails for now, including those that were given up.

    The running site sends them; each keeps its Message-ID, so nobody sees a mail twice.
    """
    if (reference is None) != everything:
        raise typer.BadParameter("Say which: a reference or --all, and not both.")
    count = write(lambda session: actions.retry(session, actor(), reference and reference.strip().upper()))
    if not count:
        give_up("There is no such mail that waits or was given up.")
    print_text(f"{count} will be sent again at once.")


@mail_app.command()
def test(address: Annotated[str, typer.Argument(help="Such as ada@example.com.", parser=mail_address)]) -> None:
    """Send a test mail to this address, through the outbox like all mails."""
    write(lambda session: actions.send_test_mail(session, address, actor(), settings()))
    print_text("It leaves within seconds if the site is running.")


_MAX_BAR_LENGTH = 40  # characters


def show_insights(
    days: Annotated[int, typer.Option("--days", min=1, help="How many days back, today included.")] = 30,
    json: Annotated[bool, typer.Option("--json", help="As JSON by day, page and language, for programs.")] = False,
) -> None:
    """Show page views by page, language, day and referring site, and submissions, compared with the time before.

    Days are in UTC. Views are counted without cookies and without data about readers.
    """
    first = (datetime.now(UTC) - timedelta(days=days - 1)).date()
    if json:
        print_json(read(lambda session: views_by_page_and_day(session, first=first)))
        return
    figures = read(lambda session: report(session, days=days, today=datetime.now(UTC).date()))
    for by, counts in {**figures.views, "day": figures.days}.items():
        print_text(
            f"\n{figures.total.in_period} views since {first}, {figures.total.before} in the {days} days before, by {by}"
        )
        largest = max((line.in_period for line in counts), default=0)
        rows = [
            {
                by: line.name or "(no other site)",
                "views": line.in_period,
                "before": line.before,
                "": Bar(largest, 0, line.in_period, width=_MAX_BAR_LENGTH),
            }
            for line in counts
            if line.in_period or line.before
        ]
        print_rows(rows, none="No views.")
    print_text("\nSent")
    print_rows(
        [{"kind": line.name, "sent": line.in_period, "before": line.before} for line in figures.sent], none="Nothing was sent."
    )
    print_rows(
        [
            {"page": conversion.page, "views": conversion.views, "sent": conversion.sent, "of 100": conversion.rate}
            for conversion in figures.conversions
        ],
        none="",
    )
