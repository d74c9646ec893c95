"""python -m site_app mail: what has left, what waits, what was given up."""

from typing import Annotated

import typer

from site_app.cli.database import read, write
from site_app.cli.office import actor
from site_app.cli.printing import Json, give_up, print_json, print_rows, say
from site_app.core.settings import settings
from site_app.core.settings.rules import mail_address
from site_app.provider.office import changes
from site_app.provider.outbox import queue as outbox

app = typer.Typer(help="Mails and webhooks: what has left, what waits, what was given up.")


@app.command()
def status(json: Json = False) -> None:
    """Show how many mails are in each state, and every one that has trouble."""
    counts, failed = read(lambda session: (outbox.counts(session), outbox.failed(session)))
    if json:
        print_json({"counts": counts, "troubled": failed})
        return
    say(", ".join(f"{count} {state}" for state, count in counts.items()))
    print_rows(failed, none="Nothing was tried in vain.")


@app.command()
def retry(
    reference: Annotated[str | None, typer.Argument(help="Such as Q-7F3K-29.", metavar="[REF]")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that waits or was given up.")] = False,
) -> None:
    """Have mails tried again at once, those that were given up included.

    The running site sends them; each keeps its Message-ID, so nobody sees one twice.
    """
    if (reference is None) != everything:
        raise typer.BadParameter("Say which: a reference or --all, and not both.")
    count = write(lambda session: changes.retry(session, actor(), reference and reference.strip().upper()))
    if not count:
        give_up("Nothing of that waits or was given up.")
    say(f"{count} will be tried at once.")


@app.command()
def test(address: Annotated[str, typer.Argument(help="Such as ada@example.com.", parser=mail_address)]) -> None:
    """Send a test mail to this address, the way that all mails go."""
    write(lambda session: changes.send_test_mail(session, address, actor(), settings()))
    say("It leaves within seconds if the site is running.")
