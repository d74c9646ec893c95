"""What `make run` and `make dev` do once the packages are there."""

import os
import sys
from pathlib import Path

from site_app.commands.build import build, tool_environment
from site_app.commands.serve import refuse_a_taken_port, serve
from site_app.settings import Settings, settings
from site_app.store import database_url, upgrade

_DEV_FRONTEND, _DEV_BACKEND = 3000, 8000


def run() -> None:
    """Bring the database up to date, build what has changed, say where everything is, and serve until Ctrl-C."""
    refuse_a_taken_port(settings().host, settings().port)
    _prepare_store(settings())
    build()
    _tell(settings())
    serve()


def dev() -> None:
    """Reflex's own development server: pages on 3000, the backend on 8000, both reloading."""
    refuse_a_taken_port("127.0.0.1", _DEV_FRONTEND)
    refuse_a_taken_port("127.0.0.1", _DEV_BACKEND)
    _prepare_store(settings())
    tool = Path(sys.executable).with_name("reflex")
    environment = tool_environment() | {"REFLEX_API_URL": f"http://localhost:{_DEV_BACKEND}"}
    ports = ["--frontend-port", str(_DEV_FRONTEND), "--backend-port", str(_DEV_BACKEND), "--backend-host", "127.0.0.1"]
    os.execve(tool, [str(tool), "run", "--env", "dev", *ports], environment)


def _prepare_store(here: Settings) -> None:
    if here.provider_url:
        return
    here.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    upgrade(database_url(here.database_url, here.var))


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
