"""The environment of Reflex's own commands, however they are started: our npm, its registry, no telemetry, and what to watch."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from reflex.utils.prerequisites import get_web_dir
from watchfiles import DefaultFilter

from site_app.plugins.static_first.failure_report import REPORT, report_failures

_TOOLS = Path(sys.executable).parent


def is_reflex_command() -> bool:
    """Whether this process is `reflex …` or `python -m reflex …`, and no server of the built site."""
    program = Path(sys.argv[0])
    return "reflex" in (program.stem, program.parent.name)


def prepare_tools(*, watched: Iterable[str], packages: Iterable[str] = ()) -> None:
    """Set the environment up for Reflex's commands; variables that are set already stay.

    `watched` are the sources, and nothing that a running site writes. `packages` take long to import: the processes of development, which
    are forked anew with each change, inherit them.
    """
    os.environ.update(tool_environment())
    report_failures(get_web_dir().resolve() / REPORT)
    gc.disable()  # garbage collection took a third of a compile's time; the server's start enables it again
    for package in packages:
        import_module(package)
    os.environ.setdefault("REFLEX_HOT_RELOAD_OVERRIDE_PATHS", ":".join(watched))
    # Vite reloads scripts and styles when they are saved (development.mjs); Python need not start again for them.
    DefaultFilter.ignore_entity_patterns = (*DefaultFilter.ignore_entity_patterns, r"\.(css|js|jsx)$")


def tool_environment() -> dict[str, str]:
    """This process's environment with npm from the wheel beside us, its registry as npm itself is configured, and no calls home."""
    path = os.environ.get("PATH", "")
    wanted = {
        "REFLEX_USE_NPM": "true",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "NPM_CONFIG_FETCH_RETRIES": "3",
    }
    own = {"PATH": path if str(_TOOLS) in path.split(os.pathsep) else f"{_TOOLS}{os.pathsep}{path}"}
    environment = {**wanted, **os.environ, **own}
    if not environment.get("NPM_CONFIG_REGISTRY"):  # without it Reflex measures which of two it knows is quicker
        npm = [_TOOLS / "npm", "config", "get", "registry"]
        asked = subprocess.run(npm, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        environment |= {"NPM_CONFIG_REGISTRY": asked.stdout.strip()} if asked.stdout.strip() else {}
    return environment
