"""python -m site_app retention: erases what is past its time."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from site_app.cli.database import with_store
from site_app.cli.printing import give_up, print_text
from site_app.core.logs import configure
from site_app.core.settings import settings
from site_app.provider.api.sweep import sweep_once
from site_app.provider.store.clock import ClockDoubted

CLOCK_IS_RIGHT = "python -m site_app retention run --clock-is-right"

app = typer.Typer(help="Erase what is past its time; the running site does it by itself every ten minutes.")


@app.callback()
def about() -> None:
    """Makes `retention` a group: without a callback typer turns a group with one command into that command."""


@app.command()
def run(
    clock_is_right: Annotated[
        bool, typer.Option("--clock-is-right", help="Erase by this machine's clock, however far it is from the last sweep.")
    ] = False,
) -> None:
    """Erase leads, quarantined leads, page views and files past the retention periods in the settings.

    Nothing is erased if the clock is more than a week away from the last sweep: it may be wrong, or the site was off for long.
    """
    configure(settings())

    try:
        with_store(lambda store: sweep_once(store, settings(), datetime.now(UTC), confirmed=clock_is_right))
    except ClockDoubted as problem:
        give_up(f"{problem}. If the clock is right: {CLOCK_IS_RIGHT}")
    print_text("Everything past its retention period is erased.")
