"""Runs a program of ours in the node that builds the pages."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from site_app.static_first.browser_files import compiled


def run(program: str, **job: Any) -> str:
    """What the program of this folder writes for this job; its packages are those that Reflex has installed."""
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node") or "node"
    said = json.dumps(job | {"root": str(compiled())})
    done = subprocess.run([node, Path(__file__).with_name(program)], input=said, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"{program} failed:\n{done.stderr}")
    return done.stdout
