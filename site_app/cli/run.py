"""What `make run` and `make dev` do once the packages are there."""

import os
import sys
from pathlib import Path

from site_app.cli.build import build
from site_app.cli.redis_check import refuse_wrong_password
from site_app.cli.samples import refuse_samples
from site_app.cli.serve import refuse_a_taken_port, serve
from site_app.core.settings import Settings, settings
from site_app.provider.store.migration import prepare_database


def run() -> None:
    """Bring the database up to date, build what has changed, say where everything is, and serve until Ctrl-C."""
    refuse_a_taken_port(settings())
    refuse_samples(settings())
    refuse_wrong_password(settings())
    prepare_database(settings())
    build()
    _tell(settings())
    serve()


def dev() -> None:
    """Reflex's own development server, pages and backend both reloading; plain `reflex run` is the same on the next free port."""
    refuse_a_taken_port(settings())
    refuse_wrong_password(settings())
    prepare_database(settings())
    tool = Path(sys.executable).with_name("reflex")
    os.execv(tool, [str(tool), "run", "--env", "dev", "--frontend-port", str(settings().port)])


def _tell(here: Settings) -> None:
    places = {
        "Site": here.url,
        "Leads": ".venv/bin/python -m site_app leads list",
        "Mails": f"{here.var / 'mail'}/*.eml" if here.mail_transport == "folder" else f"{here.smtp_host}:{here.smtp_port}",
        "Settings": ".venv/bin/python -m site_app settings",
        "API": f"{here.url}/v1.0/docs",
    }
    width = max(map(len, places))
    print(
        "",
        *(f"  {name:<{width}}  {place}" for name, place in places.items()),
        "",
        "  Ctrl-C stops it.",
        "",
        sep="\n",
        flush=True,
    )
