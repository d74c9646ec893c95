"""python -m site_app retention: what is past its time."""

import asyncio
import sys
from datetime import UTC, datetime

import typer

from site_app.api.sweeping import sweep_once
from site_app.commands.database import address
from site_app.commands.printing import say
from site_app.logs import configure
from site_app.settings import settings
from site_app.store import Store

app = typer.Typer(help="Erase what is past its time; the running site does it by itself every ten minutes.")


@app.callback()
def about() -> None:
    """Without this, typer would take a group of one command for the command."""


@app.command()
def run() -> None:
    """Erase leads, doubtful leads, page views and files past the times the settings give them."""

    configure(settings(), sys.stderr)

    async def sweep() -> None:
        store = Store(address())
        try:
            await sweep_once(store, settings(), datetime.now(UTC))
        finally:
            store.close()

    asyncio.run(sweep())
    say("What was past its time is erased.")
