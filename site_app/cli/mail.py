"""python -m site_app mail: delivery of mails and webhooks."""

from typing import Annotated

import typer

from site_app.cli.database import actor, read, write
from site_app.cli.printing import Json, give_up, print_json, print_rows, print_text
from site_app.core.settings import settings
from site_app.core.settings.rules import mail_address
from site_app.provider.office import actions
from site_app.provider.outbox import rows as outbox

app = typer.Typer(help="Mails and webhooks: what has left, what waits, what was given up.")


@app.command()
def status(json: Json = False) -> None:
    """Show the number of mails in each state, and every mail whose delivery failed."""
    counts, failed = read(lambda session: (outbox.counts(session), outbox.failed_rows(session)))
    if json:
        print_json({"counts": counts, "troubled": failed})
        return
    print_text(", ".join(f"{count} {state}" for state, count in counts.items()))
    print_rows(failed, none="Nothing has failed.")


@app.command()
def retry(
    reference: Annotated[str | None, typer.Argument(help="Such as Q-7F3K-29.", metavar="[REF]")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that waits or was given up.")] = False,
) -> None:
    """Reschedule undelivered mails for now, including those that were given up.

    The running site sends them; each keeps its Message-ID, so nobody sees a mail twice.
    """
    if (reference is None) != everything:
        raise typer.BadParameter("Say which: a reference or --all, and not both.")
    # As it is written, or in capitals: references of leads have capitals, those of digests and tests do not.
    spellings = (reference.strip(), reference.strip().upper()) if reference else (None,)
    count = write(lambda session: next(filter(None, (actions.retry(session, actor(), text) for text in spellings)), 0))
    if not count:
        give_up("There is no such mail that waits or was given up.")
    print_text(f"{count} will be sent again at once.")


@app.command()
def test(address: Annotated[str, typer.Argument(help="Such as ada@example.com.", parser=mail_address)]) -> None:
    """Send a test mail to this address, through the outbox like all mails."""
    write(lambda session: actions.send_test_mail(session, address, actor(), settings()))
    print_text("It leaves within seconds if the site is running.")
