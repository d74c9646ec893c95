"""What `make run` and `make dev` do once the packages are there."""

import os
import subprocess
import sys
from pathlib import Path

from site_app.commands.build import build, tool_environment
from site_app.commands.serve import refuse_a_taken_port, serve
from site_app.settings import Settings
from site_app.store import upgrade

_DEV_BACKEND = 8000


def run(settings: Settings) -> None:
    """Migrate, build what has changed, say where everything is, and serve until Ctrl-C."""
    refuse_a_taken_port(settings.host, settings.port)
    settings.var.mkdir(parents=True, exist_ok=True)
    upgrade(settings.store_url)
    build(settings)
    _tell(settings)
    serve(settings)


def dev(settings: Settings) -> None:
    """Reflex's own development server: pages on 3000, the backend on 8000, both reloading."""
    refuse_a_taken_port("127.0.0.1", 3000)
    refuse_a_taken_port("127.0.0.1", _DEV_BACKEND)
    settings.var.mkdir(parents=True, exist_ok=True)
    upgrade(settings.store_url)
    tool = Path(sys.executable).with_name("reflex")
    environment = tool_environment() | {"REFLEX_API_URL": f"http://localhost:{_DEV_BACKEND}"}
    ports = ["--frontend-port", "3000", "--backend-port", str(_DEV_BACKEND)]
    os.execve(tool, [str(tool), "run", "--env", "dev", *ports], environment)


def _tell(settings: Settings) -> None:
    places = {
        "Site": settings.url,
        "Leads": "python -m site_app leads list   (.venv/bin/python)",
        "Mails": settings.smtp_url or f"{settings.var / 'mail'}/*.eml, until SITE_SMTP_URL is set",
        "Settings": "python -m site_app settings",
        "API": f"{settings.url}/v1.0/docs",
    }
    width = max(map(len, places))
    print("", *(f"  {name:<{width}}  {place}" for name, place in places.items()), "", "  Ctrl-C stops it.", "", sep="\n", flush=True)
