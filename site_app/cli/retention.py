"""python -m site_app retention: what is past its time."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

import typer

from site_app.cli.database import address
from site_app.cli.printing import give_up, say
from site_app.core.logs import configure
from site_app.core.settings import settings
from site_app.provider.api.sweeping import sweep_once
from site_app.provider.store import Store
from site_app.provider.store.clock import ClockDoubted

CLOCK_IS_RIGHT = "python -m site_app retention run --clock-is-right"

app = typer.Typer(help="Erase what is past its time; the running site does it by itself every ten minutes.")


@app.callback()
def about() -> None:
    """Makes `retention` a group: without a callback typer turns a group of one command into that command."""


@app.command()
def run(
    clock_is_right: Annotated[
        bool, typer.Option("--clock-is-right", help="Erase by this machine's clock, however far it is from the last sweep.")
    ] = False,
) -> None:
    """Erase leads, doubtful leads, page views and files past the times the settings give them.

    Nothing is erased while the clock is more than a week away from the last sweep: it may be wrong, or the site was off for long.
    """
    configure(settings())

    async def sweep() -> None:
        store = Store(address())
        try:
            await sweep_once(store, settings(), datetime.now(UTC), sure=clock_is_right)
        finally:
            store.close()

    try:
        asyncio.run(sweep())
    except ClockDoubted as problem:
        give_up(f"{problem}. If the clock is right: {CLOCK_IS_RIGHT}")
    say("What was past its time is erased.")
