"""The environment of Reflex's own commands: npm, its registry, no telemetry, watched folders; and the report of a failed
reload.

The development server loads the app in a new process after each change. Where that raises, only the terminal shows why, so
the failure is
written down and development.mjs shows it in the open pages.
"""

import gc
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterable
from importlib import import_module
from multiprocessing import parent_process, util
from pathlib import Path
from typing import Any

from reflex.utils.prerequisites import get_web_dir
from watchfiles import DefaultFilter

REPORT = "backend_error.json"  # in the compiler's folder, which Vite watches


def report_failures(report: Path) -> None:
    """Have every process that this one starts, or this one where it was started so, write the exception that ends it."""
    if parent_process() is None:
        report.unlink(missing_ok=True)
        util.register_after_fork(report_failures, lambda _: _watch(report))
    else:
        _watch(report)


def described(error: BaseException, root: Path) -> dict[str, Any]:
    """Return where in the project the error arose, what it says, and its traceback, as Vite's overlay shows them."""
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if _is_own(Path(frame.filename), root)] or frames
    file, line, column, text = (
        (own_frames[-1].filename, own_frames[-1].lineno, own_frames[-1].colno, own_frames[-1].line)
        if own_frames
        else ("", 0, 0, "")
    )
    sentence = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        file, line, column, text = error.filename or file, error.lineno or line, error.offset, error.text or text
        sentence = f"{type(error).__name__}: {error.msg}"
    place = Path(file).relative_to(root) if _is_own(Path(file), root) else file
    return {
        "message": f"{place}, line {line}: {sentence}",
        "loc": {"file": str(file), "line": line, "column": column or 0},
        "frame": (text or "").strip(),
        "stack": "".join(traceback.format_exception(error)),
    }


def _watch(report: Path) -> None:
    """Look when this process ends: multiprocessing runs finalizers while the exception that ends it is still in flight."""
    util.Finalize(None, _write, args=(report,), exitpriority=0)


def _write(report: Path) -> None:
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and report.parent.is_dir():
        report.write_text(json.dumps(described(error, Path.cwd())))


def _is_own(file: Path, root: Path) -> bool:
    return file.is_relative_to(root) and "site-packages" not in file.parts


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
    variables = {
        "REFLEX_USE_NPM": "true",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "NPM_CONFIG_FETCH_RETRIES": "3",
    }
    overrides = {"PATH": path if str(_TOOLS) in path.split(os.pathsep) else f"{_TOOLS}{os.pathsep}{path}"}
    environment = {**variables, **os.environ, **overrides}
    if not environment.get("NPM_CONFIG_REGISTRY"):  # without it Reflex measures which of two it knows is quicker
        npm = [_TOOLS / "npm", "config", "get", "registry"]
        npm_answer = subprocess.run(npm, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        environment |= {"NPM_CONFIG_REGISTRY": npm_answer.stdout.strip()} if npm_answer.stdout.strip() else {}
    return environment
