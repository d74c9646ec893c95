"""python -m site_app build: the pages, by Reflex and our plugin."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from site_app.build.fingerprint import MARK, fingerprint, is_current, mark
from site_app.settings import settings

_LOG = Path(".web/build.log")
_TOOLS = Path(sys.executable).parent


def build(anew: Annotated[bool, typer.Option("--anew", help="Even if nothing has changed.")] = False) -> None:
    """Build the pages, unless they are built from these very sources already."""
    if not anew and is_current(settings()):
        print("Pages are built already.")
        return
    print("Building the pages (about 20 s the first time) …", flush=True)
    MARK.unlink(missing_ok=True)
    sources = fingerprint(settings())
    output = subprocess.run(
        [_TOOLS / "reflex", "export", "--no-zip", "--frontend-only"], env=tool_environment(), capture_output=True, text=True
    )
    _LOG.parent.mkdir(exist_ok=True)
    _LOG.write_text(output.stdout + output.stderr)
    if output.returncode or not Path(".web/build/client/index.html").is_file():
        print(output.stdout[-4000:], output.stderr[-6000:], sep="\n", file=sys.stderr)
        sys.exit(f"The pages could not be built: see above, or the whole of it in {_LOG}.")
    mark(sources)


def tool_environment() -> dict[str, str]:
    """npm from the wheel beside us, its registry as npm itself is configured, and no calls home."""
    path = f"{_TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"
    registry = subprocess.run(
        [_TOOLS / "npm", "config", "get", "registry"], env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    own = {
        "PATH": path,
        "REFLEX_USE_NPM": "true",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "NPM_CONFIG_REGISTRY": registry.stdout.strip(),
        "NPM_CONFIG_FETCH_RETRIES": "3",
    }
    return os.environ | {name: value for name, value in own.items() if value}
